"""The pages of shared states: time travel, what changed, who chooses; and what waits on Home."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.utils import timezone

from continuity.models import Agent, Role, StateEntry, Team, User
from continuity.services.accounts import accounts
from continuity.services.recording import conversations
from continuity.shared_state.names import StateStrategy
from tests.cast import person
from tests.factories import ConversationFactory, MessageFactory
from tests.shared_state.sharing import Shared
from tests.web.world import browser


def page(user: User, address: str) -> str:
    answer = browser(user).get(address)
    assert answer.status_code == 200, answer.content[:500]
    return " ".join(re.sub(r"<[^>]+>", " ", answer.content.decode()).split())


def of(state: Shared) -> str:
    return f"/states/{state.row.id}"


def test_it_works(team: Team, owner: User) -> None:
    assert "Nothing is shared yet" in page(owner, "/states")
    plan = Shared(team)
    plan.put({"goal": "Ship it on Monday", "steps": [{"name": "draft"}]})
    plan.patch({"goal": "Ship it on Friday"}, 1, by="agent billing")
    assert "plan the team 2" in page(owner, "/states?scope=team&prefix=pl")
    assert "No value matches" in page(owner, "/states?scope=agent")
    now = page(owner, of(plan))
    assert "goal Ship it on Friday" in now
    assert "before: Ship it on Monday after: Ship it on Friday" in now
    then = page(owner, f"{of(plan)}?version=1")
    assert "As version 1" in then
    assert "goal Ship it on Monday" in then
    assert b"<mark>Friday</mark>" in browser(owner).get(of(plan)).content


def test_an_earlier_version_is_brought_back_unless_somebody_wrote_meanwhile(team: Team, owner: User) -> None:
    plan = Shared(team)
    plan.put(1)
    plan.put(2)
    assert browser(owner).post(f"{of(plan)}/restore", {"version": "1", "base": "1"}).status_code == 412
    assert browser(owner).post(f"{of(plan)}/restore", {"version": "1", "base": "2"}).status_code == 302
    assert (plan.value, plan.row.author) == (1, owner.email)


def test_a_conflict_waits_on_home_until_somebody_chooses(team: Team, owner: User) -> None:
    conversations.create(team=team)  # Without any, Home tells how to begin.
    plan = Shared(team)
    plan.put("base", strategy=StateStrategy.MANUAL)
    plan.put("first", 1)
    plan.put("second", 1, by="agent billing")
    assert "Two agents wrote different values: choose one “plan” of the team" in page(owner, "/")
    assert "waits for a choice" in page(owner, "/states?unresolved=yes")
    shown = page(owner, of(plan))
    assert re.search(
        r"The value from before version 1, by \S+, .* base Keep this value The value of \S+ version 2, .* first What it", shown
    )
    assert re.search(r"The value of agent billing version 3, .* second What it changes .* Take this value", shown)
    assert "Now: version 1" not in shown, "it is told once"
    assert browser(owner).post(f"{of(plan)}/resolve", {"take": "3", "base": "3"}).status_code == 302
    assert (plan.value, plan.row.unresolved) == ("second", False)
    assert "different values" not in page(owner, "/")
    chosen = page(owner, of(plan))
    assert "What version 4 changed since version 1, which was read before the whole value before: base after: second" in chosen
    rows = chosen.split("What became of it")[1]
    assert re.search(r"^ 4 .* version 3 was chosen 3 .* agent billing 1 chosen 2 .* 1 not chosen 1 ", rows)
    assert not re.search("merged|overwritten|Nothing differs|none missed", chosen)


def test_each_value_leads_to_what_its_writer_said_then(team: Team, owner: User) -> None:
    spoken = ConversationFactory.create(team=team, source_tool="group", last_seq=4)
    for seq, device in enumerate(("gauges", "journal", "gauges", "journal"), start=1):
        MessageFactory.create(conversation=spoken, seq=seq, device=device, at=timezone.now() - timedelta(minutes=10 * (seq > 2)))
    Agent.objects.create(team=team, name="gauges", status_at=timezone.now())
    plan = Shared(team, scope="conversation", owner=str(spoken.id))
    plan.put("base", strategy=StateStrategy.MANUAL)
    plan.put("first", 1, by="agent gauges")
    shown = browser(owner).get(of(plan)).content.decode()
    assert f'said then: <a href="/conversations/{spoken.id}/messages?at=1#m1">message 1</a>' in shown
    assert '<a href="/agents/gauges">agent gauges</a>' in shown
    plan.put("second", 2, by="agent a/b")
    assert "agent a/b" in page(owner, of(plan)), "an agent without a page is only named"


def test_who_may_only_read_gets_no_buttons(team: Team, owner: User) -> None:
    viewer = person("viewer")
    accounts.add_member(team=team, user=viewer, role=Role.VIEWER)
    conversations.create(team=team)
    plan = Shared(team)
    plan.put("base", strategy=StateStrategy.MANUAL)
    plan.put("first", 1)
    plan.put("second", 1)
    assert "this value" not in page(viewer, of(plan))
    assert "different values" not in page(viewer, "/")
    assert browser(viewer).post(f"{of(plan)}/resolve", {"take": "3", "base": "3"}).status_code == 403


def test_an_outsider_sees_nothing(team: Team, owner: User, outsider: User, other_team: Team) -> None:
    plan = Shared(team, "plan-of-ours")
    plan.put("ours")
    for address in (of(plan), f"{of(plan)}?version=1"):
        assert browser(outsider).get(address).status_code == 404
    assert "plan-of-ours" not in page(outsider, "/states")


@pytest.mark.parametrize(
    "value",
    [None, [], "", 0, {"a": []}, {"<script>": "<img>"}, [[[[1]]]], {"k": {str(n): n for n in range(1500)}}],
    ids=lambda value: str(value)[:30],
)
def test_any_value_is_shown(team: Team, owner: User, value: object) -> None:
    Shared(team).put(value)
    answer = browser(owner).get(of(Shared(team)))
    assert answer.status_code == 200
    assert b"<script>:" not in answer.content
    assert StateEntry.objects.get().value == value
