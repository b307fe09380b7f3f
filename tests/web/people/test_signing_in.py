"""Who gets in: nobody without signing in, and nobody by another's door."""

from django.test import Client

from continuity.models import Role
from continuity.services.accounts import accounts
from tests.cast import PASSWORD, person
from tests.web.world import browser

HTMX = {"HX-Request": "true"}


def sign_in(client, email, password=PASSWORD, **more):
    return client.post("/login", {"username": email, "password": password, **more})


def test_it_works(client, team, owner):
    assert sign_in(client, owner.email).headers["Location"] == "/"
    assert b"Welcome to Ours" in client.get("/").content
    assert b"Nothing is recorded yet" in client.get("/conversations").content


def test_the_address_counts_in_upper_case_too(client, team, owner):
    assert sign_in(client, "OWNER@Example.COM").status_code == 302


def test_a_wrong_password_says_so_and_gives_no_session(client, team, owner):
    answer = sign_in(client, owner.email, "something else")
    assert b"No account has this address and password" in answer.content
    assert client.get("/conversations").headers["Location"].startswith("/login")


def test_one_comes_back_to_where_one_was_sent_from_but_to_no_other_site(client, team, owner):
    assert sign_in(client, owner.email, next="/handoffs").headers["Location"] == "/handoffs"
    assert sign_in(Client(), owner.email, next="https://elsewhere.example/").headers["Location"] == "/"


def test_signing_out_takes_a_post(client, team, owner):
    client.force_login(owner)
    looked_at = client.get("/logout")
    assert looked_at.status_code == 405
    assert b"A button or a form sends to it" in looked_at.content
    client.post("/logout")
    assert client.get("/conversations").headers["Location"] == "/login?next=/conversations"


def test_a_fragment_asks_the_browser_to_go_to_the_login(client, team, owner):
    answer = client.get("/conversations", headers=HTMX | {"HX-Current-URL": "http://testserver/conversations?q=x"})
    assert answer.headers["HX-Redirect"] == "/login?next=/conversations%3Fq%3Dx"
    assert not answer.content


def test_without_a_team_one_is_told_whom_to_ask(db):
    answer = browser(person("newcomer")).get("/conversations")
    assert answer.status_code == 403
    assert b"Ask an owner of your team" in answer.content


def test_one_acts_in_the_team_that_one_chose(team, owner, other_team):
    accounts.add_member(team=other_team, user=owner, role=Role.VIEWER)
    client = browser(owner)
    assert b"Owner in Ours" in client.get("/conversations").content
    assert client.post("/team", {"team": "theirs"}).headers["Location"] == "/"
    assert b"Viewer in Theirs" in client.get("/conversations").content


def test_a_team_that_one_is_not_in_can_not_be_chosen(team, owner, other_team):
    client = browser(owner)
    assert client.post("/team", {"team": "theirs"}).status_code == 404
    assert b"Owner in Ours" in client.get("/conversations").content
