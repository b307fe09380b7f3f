"""What every answer carries: a correlation id and a Content-Security-Policy; and the pages that the project itself brings."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping
from typing import Any

import pytest
from asgiref.sync import SyncToAsync
from django.test import Client

from config.middleware.content_security import ADMIN, DOCS, STRICT, policy_for
from config.middleware.one_thread import OneThreadHandler
from continuity.core.correlation import HEADER


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


@pytest.mark.django_db(transaction=True)
def test_a_request_goes_to_its_thread_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Beside it only the signals at its beginning and at its end go there."""
    went: list[str] = []
    go = SyncToAsync.__call__

    async def noted(self: SyncToAsync[..., Any], *args: Any, **named: Any) -> Any:
        went.append(getattr(self.func, "__qualname__", ""))
        return await go(self, *args, **named)

    monkeypatch.setattr(SyncToAsync, "__call__", noted)
    headers = [(b"host", b"localhost"), (b"x-correlation-id", b"asked-1")]
    scope = {"type": "http", "method": "GET", "path": "/api/v1/none", "query_string": b"", "headers": headers}
    answered: list[Mapping[str, Any]] = []

    async def ask() -> None:
        asked = asyncio.Queue[dict[str, Any]]()
        asked.put_nowait({"type": "http.request", "body": b""})

        async def send(message: Mapping[str, Any]) -> None:
            answered.append(message)

        await OneThreadHandler()(scope, asked.get, send)

    asyncio.run(ask())
    told = {name.decode().lower(): value.decode() for name, value in answered[0]["headers"]}
    assert (answered[0]["status"], told[HEADER.lower()], told["content-security-policy"]) == (404, "asked-1", STRICT)
    assert went.count("BaseHandler.get_response") == 1
    assert len(went) <= 3, went


@pytest.mark.django_db
def test_metrics_are_exposed(client: Client) -> None:
    answer = client.get("/metrics")
    assert answer.status_code == 200
    assert answer.headers["Content-Type"].startswith("text/plain")
    assert b"# HELP" in answer.content
