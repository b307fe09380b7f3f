"""What every answer carries: a correlation id and a Content-Security-Policy; and the pages that the project itself brings."""

from __future__ import annotations

import asyncio
import re

import pytest
from django.http import HttpRequest, HttpResponse
from django.test import Client

from config.middleware.content_security import ADMIN, DOCS, STRICT, content_security_middleware, policy_for
from config.middleware.correlation import correlation_middleware
from continuity.core.correlation import HEADER, current_correlation_id


def test_it_works(client: Client) -> None:
    answer = client.get("/api/docs")
    assert answer.status_code == 200
    assert answer.headers["Content-Security-Policy"] == DOCS
    assert re.fullmatch(r"[0-9a-f]{32}", answer.headers[HEADER])


@pytest.mark.django_db  # Closing a served file ends a request, which looks at the connection.
def test_documentation_page_runs_nothing_inline_and_loads_nothing_foreign(client: Client) -> None:
    page = client.get("/api/docs").content.decode()
    scripts = re.findall(r"<script([^>]*)>([^<]*)", page)
    assert all("src=" in attributes or 'type="application/json"' in attributes for attributes, _ in scripts)
    assert not re.search(r"""(src|href)=["'](https?:)?//""", page)
    for path in re.findall(r"""(?:src|href)=["'](/static/[^"']+)""", page):
        answer = client.get(path)
        assert answer.status_code == 200, path
        answer.close()


def test_openapi_names_version_and_title(client: Client) -> None:
    described = client.get("/api/v1/openapi.json").json()
    assert described["info"]["title"] == "Continuity"
    assert re.fullmatch(r"\d+\.\d+\.\d+", described["info"]["version"])


def test_callers_correlation_id_is_kept(client: Client) -> None:
    assert client.get("/api/docs", headers={HEADER: "from-the-caller:1"}).headers[HEADER] == "from-the-caller:1"


@pytest.mark.parametrize("given", ["", "a b", "x" * 129, "é", "a\nb", "<script>"])
def test_unfit_correlation_id_is_replaced(client: Client, given: str) -> None:
    assert re.fullmatch(r"[0-9a-f]{32}", client.get("/api/docs", headers={HEADER: given}).headers[HEADER])


@pytest.mark.parametrize(
    ("path", "policy"), [("/", STRICT), ("/admin/", ADMIN), ("/admin/x/", ADMIN), ("/administer", STRICT), ("/api/docs", DOCS)]
)
def test_only_the_admin_may_run_inline_scripts(path: str, policy: str) -> None:
    assert policy_for(path) == policy
    script_rule = next(part for part in policy.split("; ") if part.startswith("script-src"))
    assert ("unsafe" in script_rule) == (policy == ADMIN)


def test_asynchronous_requests_get_both_too() -> None:
    """An event stream's view is asynchronous, and the id holds inside it."""
    seen: list[str] = []

    async def view(request: HttpRequest) -> HttpResponse:
        seen.append(current_correlation_id())
        return HttpResponse("ok")

    request = HttpRequest()
    request.path = "/"
    request.META["HTTP_X_CORRELATION_ID"] = "stream-1"
    answer = asyncio.run(correlation_middleware(content_security_middleware(view))(request))
    assert (answer.headers[HEADER], answer.headers["Content-Security-Policy"], seen) == ("stream-1", STRICT, ["stream-1"])
    assert current_correlation_id() == ""


@pytest.mark.django_db
def test_metrics_are_exposed(client: Client) -> None:
    answer = client.get("/metrics")
    assert answer.status_code == 200
    assert answer.headers["Content-Type"].startswith("text/plain")
    assert b"# HELP" in answer.content
