"""The page of the client, and its files."""

from __future__ import annotations

import hashlib
import re
from typing import Any

import pytest
from django.test import Client

from continuity.distribution import downloads, wheel
from continuity.models import ClientCode, Team, User
from tests.web.world import browser


def line_of(page: bytes) -> str:
    found = re.search(rb'<pre id="line">(.*?)</pre>', page, re.DOTALL)
    assert found
    return found[1].decode().replace("&amp;", "&")


def test_it_works(team: Team, teammate: User) -> None:
    client = browser(teammate)
    assert "Make a line that logs me in" in client.get("/client/").content.decode()
    line = line_of(client.post("/client/").content)
    base = "http://testserver"
    begin = f"curl -fsSo continuity.pyz {base}/client/continuity.pyz && python3 continuity.pyz setup {base} --code "
    assert line.startswith(begin)


def test_who_is_not_signed_in_gets_the_client_and_no_code(db: None) -> None:
    page = Client().get("/client/")
    assert page.status_code == 200
    assert "--code" not in line_of(page.content)
    sent = Client().post("/client/")
    assert (sent.status_code, sent.headers["Location"]) == (302, "/login?next=/client/")
    assert not ClientCode.objects.exists()


def test_the_address_is_the_one_that_the_browser_used(team: Team, settings: Any) -> None:
    settings.ALLOWED_HOSTS = ["continuity.example"]
    settings.SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    page = Client().get("/client/", headers={"host": "continuity.example:8443", "x-forwarded-proto": "https"})
    assert "https://continuity.example:8443/client/continuity.pyz" in line_of(page.content)
    assert Client().get("/client/", headers={"host": "elsewhere.example"}).status_code == 400


def test_a_form_of_another_site_makes_no_code(team: Team, teammate: User) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(teammate)
    assert client.post("/client/").status_code == 403
    assert not ClientCode.objects.exists()


@pytest.mark.parametrize("name", downloads.NAMES)
def test_a_file_is_what_its_checksum_says(db: None, name: str) -> None:
    answer = Client().get(f"/client/{name}")
    known = downloads.file(name)
    assert known
    assert answer.status_code == 200
    assert hashlib.sha256(answer.content).hexdigest() == known.digest
    again = Client().get(f"/client/{name}", headers={"if-none-match": answer.headers["ETag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert not answer.cookies


def test_the_sums_stand_on_the_page(db: None) -> None:
    page = Client().get("/client/").content.decode()
    for name in ("continuity.pyz", wheel.FILE):
        known = downloads.file(name)
        assert known
        assert known.digest in page
        assert f'href="{name}"' in page


def test_who_is_in_the_demo_is_told_where_sessions_would_go(team: Team, teammate: User) -> None:
    assert b"You are in the demo" not in browser(teammate).get("/client/").content
    Team.objects.filter(id=team.id).update(demo=True)
    for page in (browser(teammate).get("/client/"), browser(teammate).post("/client/")):
        assert b"You are in the demo" in page.content
