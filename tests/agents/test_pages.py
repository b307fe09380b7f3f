"""The pages about agents: who sees what, who may order, what is asked before."""

from __future__ import annotations

import pytest
from django.test import Client

from continuity.charts import beats as strip
from continuity.models import Agent, AgentOrder, Role, Team, User
from continuity.services.accounts import accounts
from continuity.services.agents import agent_status
from tests.agents.runner import Runner, status
from tests.cast import person
from tests.web.world import browser


@pytest.fixture
def operator(team: Team) -> Client:
    somebody = person("operator")
    accounts.add_member(team=team, user=somebody, role=Role.OPERATOR)
    return browser(somebody)


def read(client: Client, address: str) -> str:
    answer = client.get(address)
    assert answer.status_code == 200
    return answer.content.decode()


def test_it_works(runner: Runner, operator: Client) -> None:
    runner.start("billing", role="Answers questions", threshold=0)
    runner.start("books")
    runner.beat()
    runner.dies("billing")
    page = read(operator, "/agents")
    assert page.index("billing") < page.index("books")  # who needs somebody comes first
    assert "books: 1 beat in the last minute" in page
    assert "failed" in page and "Answers questions" in page
    one = read(operator, "/agents/billing")
    assert "signal 9" in one and "give up" in one and "Restart" in one


def test_under_htmx_it_is_the_list_only(runner: Runner, operator: Client) -> None:
    runner.start("billing")
    for address, shown, around in (("/agents", "billing", "<h1"), ("/agents/billing", "Instances", "Give an order")):
        assert "<html" in (whole := read(operator, address)) and around in whole
        part = operator.get(address, headers={"HX-Request": "true"}).content.decode()
        assert shown in part and "<html" not in part and around not in part, address


def test_of_many_it_shows_the_first_and_says_that_there_are_more(runner: Runner, operator: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(agent_status, "SHOWN", 2)
    runner.start("a", "b")
    assert "Showing the first" not in read(operator, "/agents")
    runner.start("c")
    page = read(operator, "/agents")
    assert "Showing the first 2" in page and "/agents/c" not in page


def test_members_see_and_operators_order(runner: Runner, team: Team, teammate: User, operator: Client) -> None:
    runner.start("billing")
    member = browser(teammate)
    assert "Give an order" not in read(member, "/agents/billing")
    assert "Give an order" in read(operator, "/agents/billing")
    assert member.post("/agents/billing/orders", {"kind": "save_state"}).status_code == 403
    assert operator.post("/agents/billing/orders", {"kind": "save_state"}).status_code == 302
    assert AgentOrder.objects.get().asked_by == "operator@example.com"


@pytest.mark.parametrize("kind", ["restart", "stop", "replace"])
def test_what_ends_an_instance_is_asked_first(runner: Runner, team: Team, operator: Client, kind: str) -> None:
    runner.start("billing", "books")
    asked = operator.post("/agents/billing/orders", {"kind": kind, "backup": "books"})
    assert asked.status_code == 200 and f"{kind.capitalize()} billing" in asked.content.decode()
    assert status(team, "billing") == "ready"
    done = operator.post("/agents/billing/orders", {"kind": kind, "backup": "books", "confirmed": "yes"})
    assert done.status_code == 302
    assert AgentOrder.objects.filter(agent__name="billing", kind=kind).count() == 1


def test_an_order_that_is_none_is_refused(runner: Runner, operator: Client) -> None:
    runner.start("billing")
    assert operator.post("/agents/billing/orders", {"kind": "dance"}).status_code == 422
    assert operator.post("/agents/nobody/orders", {"kind": "stop"}).status_code == 404


def test_another_teams_agent_is_not_there(runner: Runner, outsider: User, other_team: Team) -> None:
    runner.start("billing")
    assert browser(outsider).get("/agents/billing").status_code == 404
    assert "billing" not in read(browser(outsider), "/agents")


def test_home_tells_operators_of_one_that_failed(runner: Runner, team: Team, teammate: User, operator: Client) -> None:
    runner.start("billing", threshold=0)
    runner.dies("billing")
    Agent.objects.update(failures=3)
    told = operator.get("/", headers={"HX-Request": "true"}).content.decode()
    assert "It failed 3 times in a row" in told
    assert "It failed 3 times" not in browser(teammate).get("/", headers={"HX-Request": "true"}).content.decode()


def test_a_strip_shows_the_last_minute() -> None:
    assert strip.strip([], now_ms=100_000) == ""
    assert strip.strip([100_000, 70_000, 39_999, 130_000], now_ms=100_000) == "M50.0 4V24M100.0 4V24"
