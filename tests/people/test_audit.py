"""The audit log: who did what, from where; nothing in it can be changed."""

from __future__ import annotations

import re
from uuid import UUID, uuid4

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from continuity.models import AuditEntry, Role, Team, User
from continuity.services.accounts import accounts, apikeys, invitations
from continuity.services.events import events
from handoffs.models import Handoff
from handoffs.services.chains import offers
from handoffs.services.packages.authors import Author
from tests.api.caller import Caller
from tests.cast import PASSWORD
from tests.web.world import browser, world


def latest(**wanted: object) -> AuditEntry:
    return AuditEntry.objects.filter(**wanted).order_by("-created_at").first() or pytest.fail(f"no entry {wanted}")


def test_it_works(team: Team, owner: User, teammate: User) -> None:
    browser(owner).post(f"/team/members/{teammate.id}/role", {"role": 2}, headers={"X-Forwarded-For": "203.0.113.9"})
    entry = latest(action="member.changed")
    assert (entry.actor, entry.user_id, entry.subject, entry.details) == (owner.email, owner.id, teammate.email, {"role": 2})
    assert entry.address == "127.0.0.1"  # Nobody said that there is a proxy to believe.
    page = browser(owner).get("/team/audit").content.decode()
    assert '<a href="/team">changed a role</a>: teammate@example.com' in page


def test_each_row_leads_to_what_it_names(team: Team, owner: User) -> None:
    there, agent = world(team, owner), uuid4()
    conversation, handoff = there.conversation.id, there.handoff.id
    published: list[tuple[str, UUID, dict[str, str], str, str]] = [
        ("handoff.withdrawn", handoff, {}, "", f"/handoffs/{handoff}"),
        ("rating.taken_back", handoff, {}, "", f"/handoffs/{handoff}"),
        ("task.changed", conversation, {}, "", f"/conversations/{conversation}"),
        ("anchor.recorded", conversation, {"key": "k1"}, "", f"/conversations/{conversation}/anchors/k1"),
        ("policy.changed", team.id, {}, "", "/team/policy"),
        ("agent.ordered", agent, {}, "worker", "/agents/worker"),
        ("agent.removed", agent, {}, "worker", ""),
        ("state.erased", uuid4(), {}, "", ""),
    ]
    with transaction.atomic():
        for name, subject, payload, about, _ in published:
            events.publish(name=name, team=team, subject_id=subject, payload=payload, about=about)
    told = browser(owner).get("/team/audit").context["told"]
    found = {row.entry.action: row.address for row in told}
    for name, _, _, _, address in published:
        assert found[name] == address, name


def test_what_was_done_to_an_erased_conversation_leads_nowhere(team: Team, owner: User) -> None:
    caller, (kept, gone) = Caller.of(team), (Caller.of(team).open(), Caller.of(team).open())
    for conversation in (kept, gone):
        caller.say(conversation, {"role": "user", "content": "Use Postgres, never SQLite."})
        caller.post(f"/conversations/{conversation}/erase", {"text": "never SQLite"})
    caller.post(f"/conversations/{gone}/anchors", {"text": "Use Postgres, never SQLite."})
    caller.post(f"/conversations/{gone}/erase", {})
    page = browser(owner).get("/team/audit")
    rows = [row for row in page.context["told"] if str(row.entry.subject_id) in (kept, gone)]
    assert {(str(row.entry.subject_id), bool(row.address), row.erased) for row in rows} == {(kept, True, False), (gone, False, True)}
    assert f"{gone[:8]}, erased" in page.content.decode()


def test_two_keys_of_one_name_are_told_apart(team: Team, owner: User, teammate: User) -> None:
    accounts.add_member(team=team, user=teammate, role=Role.OWNER)
    for maker in (owner, teammate):
        caller = Caller(apikeys.issue(team=team, name="vm", created_by=maker)[1])
        caller.post(f"/conversations/{caller.open()}/invalidate")
    told = browser(owner).get("/team/audit?action=conversation.invalidated").context["told"]
    assert [row.who for row in told] == [f"{teammate}’s key vm", f"{owner}’s key vm"]


def test_a_person_is_found_by_what_their_keys_did_too(team: Team, owner: User, teammate: User) -> None:
    accounts.add_member(team=team, user=teammate, role=Role.OWNER)
    for maker in (owner, teammate):
        caller = Caller(apikeys.issue(team=team, name="vm", created_by=maker)[1])
        caller.post(f"/conversations/{caller.open()}/invalidate")
    browser(teammate).post("/team/name", {"name": "Tide crew"})

    def found(who: str) -> set[tuple[str, str]]:
        told = browser(owner).get("/team/audit", {"who": who}).context["told"]
        return {(row.who, row.entry.action) for row in told if row.entry.action in ("conversation.invalidated", "team.renamed")}

    hers, his = f"{teammate}’s key vm", f"{owner}’s key vm"
    themselves = {(hers, "conversation.invalidated"), (teammate.email, "team.renamed")}
    assert found(teammate.email.upper()) == themselves
    User.objects.filter(id=teammate.id).update(name="Ada Lind")
    renamed = {(who.replace(str(teammate), "Ada Lind"), action) for who, action in themselves}
    assert found("ada lind") == renamed
    assert found("Ada Lind’s key vm") == {("Ada Lind’s key vm", "conversation.invalidated")}
    assert {who for who, _ in found("vm")} == {who for who, _ in found("key vm")} == {"Ada Lind’s key vm", his}


def test_behind_a_proxy_the_address_is_what_the_proxy_saw(team: Team, owner: User, teammate: User, settings: object) -> None:
    settings.CONTINUITY_PROXIES = 1  # type: ignore[attr-defined]
    forwarded = "198.51.100.7, 203.0.113.9"
    browser(owner).post(f"/team/members/{teammate.id}/role", {"role": 2}, headers={"X-Forwarded-For": forwarded})
    assert latest(action="member.changed").address == "203.0.113.9"


def test_what_a_key_does_is_told_with_its_name(team: Team, owner: User) -> None:
    _, full = apikeys.issue(team=team, name="build", created_by=owner)
    caller = Caller(full)
    conversation = caller.open()
    caller.post(f"/conversations/{conversation}/invalidate")
    entry = latest(action="conversation.invalidated")
    assert (entry.actor, str(entry.subject_id), entry.user_id) == ("key build", conversation, owner.id)


def test_signing_in_is_kept_in_the_log_of_each_team(team: Team, owner: User, other_team: Team, client: object) -> None:
    accounts.add_member(team=other_team, user=owner, role=Role.VIEWER)
    client.post("/login", {"username": owner.email, "password": PASSWORD})  # type: ignore[attr-defined]
    assert latest(action="sign_in.succeeded").actor == owner.email
    assert set(AuditEntry.objects.filter(action="sign_in.succeeded").values_list("team", flat=True)) == {team.id, other_team.id}


def test_what_is_done_to_handoffs_is_kept(team: Team, owner: User, teammate: User) -> None:
    there = world(team, owner)
    Handoff.objects.update(status="ready")
    offers.offer(team=team, handoff_id=there.handoff.id, to=teammate.email, author=Author(owner))
    assert latest(action="handoff.offered").subject_id == there.handoff.id


def test_nothing_that_was_said_is_kept(team: Team, owner: User) -> None:
    caller = Caller.of(team)
    conversation = caller.open(title="Quiet hours")
    caller.say(conversation, {"role": "user", "content": "The password is hunter2hunter2, never tell."})
    caller.post(f"/conversations/{conversation}/erase", {"text": "never tell"})
    caller.post(f"/conversations/{conversation}/anchors", {"text": "Use Postgres, never SQLite."})
    kept = str(list(AuditEntry.objects.values()))
    assert "conversation.erased" in kept
    assert not re.search("hunter2|never tell|SQLite|Quiet", kept)


@pytest.mark.parametrize("change", ["update", "delete"])
def test_the_database_refuses_to_change_it(team: Team, change: str) -> None:
    with pytest.raises(IntegrityError, match="append-only"), transaction.atomic():
        rows = AuditEntry.objects.filter(team=team)
        rows.update(actor="somebody else") if change == "update" else rows.delete()
    assert AuditEntry.objects.filter(team=team, action="team.founded").exists()


def test_it_outlives_its_team(team: Team) -> None:
    founded = AuditEntry.objects.get(team=team, action="team.founded")
    team.delete()
    founded.refresh_from_db()
    assert (founded.team, founded.subject) == (None, "Ours")


def test_it_stands_and_falls_with_the_deed(team: Team, owner: User) -> None:
    before = AuditEntry.objects.count()
    with pytest.raises(ZeroDivisionError), transaction.atomic():
        invitations.create(team=team, role=Role.MEMBER, by=owner, now=timezone.now())
        raise ZeroDivisionError
    assert AuditEntry.objects.count() == before


def test_members_and_other_teams_do_not_read_it(team: Team, owner: User, teammate: User, outsider: User, other_team: Team) -> None:
    assert browser(teammate).get("/team/audit").status_code == 403
    assert b"owner@example.com" not in browser(outsider).get("/team/audit").content


def test_it_is_filtered_by_who_what_and_day(team: Team, owner: User, teammate: User) -> None:
    client = browser(owner)
    client.post("/team/name", {"name": "Tide crew"})

    def told(**query: str) -> bytes:
        return bytes(client.get("/team/audit", query, headers={"HX-Request": "true"}).content)

    assert b"renamed the team" in told(who="OWNER@example.com")
    assert b"renamed the team" not in told(who="teammate@example.com")
    assert b"renamed the team" not in told(action="member.added")
    assert b"renamed the team" in told(since="2000-01-01")
    assert b"renamed the team" not in told(until="2000-01-01")
    assert b"renamed the team" in told(since="nonsense")


def test_it_is_read_page_by_page(team: Team, owner: User) -> None:
    with transaction.atomic():
        for number in range(70):
            events.publish(name="team.renamed", team=team, subject_id=team.id, about=f"Name {number:03}")
    client = browser(owner)
    seen: list[str] = []
    address = "/team/audit?action=team.renamed"
    while address:
        page = client.get(address).content.decode()
        seen += re.findall(r"Name \d{3}", page)
        found = re.search(r'href="(\?[^"]*after=[^"]+)"[^>]*>Next page', page)
        address = "/team/audit" + found[1].replace("&amp;", "&") if found else ""
    assert sorted(seen) == [f"Name {number:03}" for number in range(70)]
