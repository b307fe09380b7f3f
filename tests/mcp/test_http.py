"""The door of the MCP server over HTTP: keys, hosts, origins, methods; and the site beside it."""

from __future__ import annotations

import http.client
import json
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import pytest

from continuity import releases
from continuity.services.accounts import apikeys

if TYPE_CHECKING:
    from pytest_django import Settings

    from continuity.models import Team

PING = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "ping"})


def ask(address: str, method: str = "POST", path: str = "/mcp", body: str = PING, **headers: str) -> tuple[int, dict[str, str], Any]:
    """One request; header names are written with underscores."""
    connection = http.client.HTTPConnection(urlsplit(address).netloc, timeout=30)
    named = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
    connection.request(method, path, body, named | {name.replace("_", "-"): value for name, value in headers.items()})
    answer = connection.getresponse()
    told = answer.read()
    connection.close()
    is_json = "json" in answer.headers.get("Content-Type", "")
    return answer.status, dict(answer.headers), json.loads(told) if is_json else told


def test_it_works(address: str, key: str) -> None:
    status, _, told = ask(address, Authorization=f"Bearer {key}")
    assert (status, told["id"], told["result"]) == (200, 1, {})
    assert ask(address, path="/mcp/", X_API_Key=key)[0] == 200
    assert ask(address, "GET", "/health")[0] == 200, "the site is beside it"


@pytest.mark.parametrize("given", ["", "Bearer ", "Bearer cont_wrong", "Basic Zm9vOmJhcg=="])
def test_without_a_key_nobody_is_let_in(address: str, given: str) -> None:
    status, headers, told = ask(address, **({"Authorization": given} if given else {}))
    assert (status, told["status"]) == (401, 401)
    assert headers["www-authenticate"].startswith("Bearer")
    assert headers["content-type"] == "application/problem+json"


def test_wrong_keys_of_one_address_are_counted_as_those_of_the_api(address: str, team: Team, key: str, settings: Settings) -> None:
    settings.CONTINUITY_REFUSED_RATE = (3, 3600)
    wrong = {"Authorization": "Bearer cont_x_y"}
    assert [ask(address, **wrong)[0] for _ in range(2)] == [401, 401]
    assert ask(address, "GET", "/api/v1/conversations", **wrong)[0] == 401
    status, headers, told = ask(address, **wrong)
    assert (status, told["code"]) == (429, "too_many")
    assert int(headers["retry-after"]) >= 1
    assert ask(address, Authorization=f"Bearer {key}")[0] == 200, "a right one is not held up by them"


def test_a_revoked_key_is_refused(address: str, team: Team) -> None:
    revoked, full = apikeys.issue(team=team, name="old")
    assert ask(address, Authorization=f"Bearer {full}")[0] == 200
    apikeys.revoke(key=revoked)
    assert ask(address, Authorization=f"Bearer {full}")[2]["code"] == "key_refused"


def test_a_client_that_is_too_old_is_refused_as_at_the_api(address: str, key: str) -> None:
    old = {"Authorization": f"Bearer {key}", "User-Agent": f"{releases.AGENT}/0.0.9"}
    of_mcp, of_api = ask(address, **old), ask(address, "GET", "/api/v1/conversations", **old)
    assert (of_mcp[0], of_mcp[2]["code"]) == (of_api[0], of_api[2]["code"]) == (403, "client_too_old")
    assert of_mcp[2]["detail"] == of_api[2]["detail"]
    assert ask(address, **old | {"User-Agent": f"{releases.AGENT}/{releases.OLDEST_CLIENT}"})[0] == 200


def test_another_host_or_a_page_of_another_site_is_refused(address: str, key: str) -> None:
    allowed = {"Authorization": f"Bearer {key}"}
    assert ask(address, Host="evil.example", **allowed)[0] == 400
    assert ask(address, Origin="https://evil.example", **allowed)[0] == 403
    assert ask(address, Origin=address, **allowed)[0] == 200


def test_there_are_no_sessions_and_no_streams(address: str, key: str) -> None:
    for method in ("GET", "DELETE", "PUT"):
        status, headers, _ = ask(address, method, Authorization=f"Bearer {key}")
        assert (status, headers["allow"]) == (405, "POST")


def test_what_is_no_request_is_told(address: str, key: str) -> None:
    assert ask(address, body="{", Authorization=f"Bearer {key}")[0] == 400
    assert ask(address, body="[]", Authorization=f"Bearer {key}")[0] == 400
