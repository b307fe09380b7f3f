"""Asking for packs: what is kept under which key, what sessions taught, what arrives, and what a team's mode lets through."""

import hashlib
from dataclasses import replace
from uuid import uuid4

import pytest

from continuity.core.errors import GateClosed, Invalid, NotFound
from continuity.models import Team, Tier
from handoffs.models import FileSummary, PackSession, RankedSearch, Repository, StoredPack
from handoffs.services.packs import measures, pack_answers, pack_caches, pack_policies
from handoffs.services.packs.pack_answers import PackArrival
from tests.packs.server.world import PLACE, ROOT, RULE, asks, earlier, found, give, recorded
from tests.words import said

pytestmark = pytest.mark.django_db


def test_it_works(team):
    earlier(team)
    give(team)
    session = asks(team)
    first = session.ask()
    assert (first.wanted, first.pack, first.gives) == (True, None, True)
    assert first.paths == ("src/parser.py",)
    assert [each.edited for each in first.sessions] == [("src/parser.py",)]
    made = session.make()
    assert (made.wanted, made.hit, made.parts) == (False, False, ("anchor", "context", "delta"))
    assert RULE.rstrip(".") in made.pack.anchor and "src/parser.py" in made.pack.anchor
    assert "1. src/parser.py (its name matches)" in made.pack.context
    assert "+ b" in made.pack.delta
    again = session.ask()
    assert (again.hit, again.pack.id) == (True, made.pack.id)
    assert (StoredPack.objects.count(), RankedSearch.objects.count(), Repository.objects.count()) == (1, 1, 1)


def test_a_lesson_names_the_message_that_says_it(team):
    session = earlier(team)
    give(team)
    assert f"[{session.id.hex[:8]}#m1]" in asks(team).make().pack.anchor


@pytest.mark.parametrize("changed", ["head", "changed"])
def test_what_changed_in_the_repository_misses(team, changed):
    give(team)
    session = asks(team)
    session.make()
    setattr(session, changed, "a" * 40)
    assert session.ask().wanted


def test_what_sessions_taught_since_misses_and_needs_nothing_of_the_client_again_only_where_its_files_are_known(team):
    give(team)
    session = asks(team)
    session.make()
    earlier(team)
    told = session.ask()
    assert told.wanted and not told.hit
    assert RULE.rstrip(".") in session.make().pack.anchor


def test_another_budget_is_rendered_from_what_was_found(team):
    give(team)
    session = asks(team)
    made = session.make()
    told = session.ask(limited=True)
    assert (told.wanted, told.hit, told.low_token) == (False, False, True)
    assert told.pack.profile == "low-token" and told.pack.id != made.pack.id
    assert session.ask().low_token  # for the rest of the session


def test_what_arrived_is_not_given_again(team):
    give(team)
    session = asks(team)
    made = session.make()
    arrival = PackArrival(made.pack.id, made.parts, 900)
    assert session.ask(arrivals=[arrival]).parts == ("delta",)
    session.head = "a" * 40
    session.ask()
    assert session.make().parts == ("context", "delta")
    assert session.ask(emptied=True).parts == ("anchor", "context", "delta")
    row = PackSession.objects.get()
    assert (row.given_bytes, row.calls) == (900, [900])


def test_an_anchor_that_was_given_at_the_start_is_not_given_again(team):
    give(team)
    session = asks(team)
    made = session.make()
    text, _ = pack_answers.anchor_of(team=team, machine=PLACE.machine, root=ROOT)
    assert text == made.pack.anchor
    name = hashlib.sha256(text.encode()).hexdigest()[:24]
    assert session.ask(emptied=True, anchored=name).parts == ("context", "delta")
    assert session.ask(emptied=True, anchored="0" * 24).parts == ("anchor", "context", "delta")


def test_an_arrival_of_another_teams_pack_says_nothing(team, other_team):
    for each in (team, other_team):
        give(each)
    theirs = asks(other_team).make()
    session = asks(team)
    session.make()
    assert session.ask(arrivals=[PackArrival(theirs.pack.id, theirs.parts, 5)]).parts == ("anchor", "context", "delta")


def test_another_team_sees_nothing_of_it(team, other_team):
    earlier(team)
    for each in (team, other_team):
        give(each)
    asks(team).make()
    theirs = asks(other_team)
    assert theirs.ask().wanted and theirs.ask().paths == ()
    assert RULE.rstrip(".") not in theirs.make().pack.anchor
    with pytest.raises(NotFound):
        replace(theirs, team=team).ask()


def test_passive_measures_and_gives_nothing(team):
    session = asks(team)
    assert not session.ask().gives
    session.make()
    assert not session.ask().gives
    assert session.ask().parts == ("delta",)  # as if it had arrived
    row = PackSession.objects.get()
    assert row.given_bytes == 0 < row.would_bytes < row.baseline_bytes
    figures = measures.of_repository(row.repository)
    assert figures.hit_rate == 2 / 3 and (figures.saved or 0) > 0


def test_off_does_nothing(team):
    give(team, "off")
    session = asks(team)
    assert (session.ask().wanted, session.make().pack) == (False, None)
    assert not Repository.objects.exists()


def test_giving_takes_the_tier(team):
    Team.objects.filter(id=team.id).update(tier=Tier.CORE)
    team.refresh_from_db()
    with pytest.raises(GateClosed):
        give(team)
    with pytest.raises(Invalid):
        give(team, "on")
    assert pack_policies.mode_of(team, pack_policies.effective(team)) == "passive"


def test_a_file_that_is_gone_is_not_named(team):
    earlier(team)
    give(team)
    made = asks(team).make(found(ranked=(), facts=type(found().facts)(), present=(), changes=type(found().changes)()))
    assert made.pack.anchor == ""  # the only lesson is about a file of which nothing says that it is there


def test_secrets_are_masked_before_anything_is_kept(team):
    key = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    give(team)
    change = type(found().changes)((type(found().changes.files[0])("src/parser.py", None, f'token = "{key}"\n'),), 0, (f"Use {key}",))
    facts = type(found().facts)((f"- src/: {key}",), (), ())
    made = asks(team, f"Never print {key} in the log, please, ever.").make(found(changes=change, facts=facts))
    stored = f"{RankedSearch.objects.get().found}{made.pack.anchor}{made.pack.context}{made.pack.delta}"
    assert key not in stored


def test_the_anchor_of_a_work_tree_is_made_of_what_was_found_last(team):
    earlier(team)
    give(team)
    asks(team).make()
    text, paths = pack_answers.anchor_of(team=team, machine=PLACE.machine, root=ROOT)
    assert RULE.rstrip(".") in text and "src/parser.py" in paths
    with pytest.raises(NotFound):
        pack_answers.anchor_of(team=team, machine="other", root=ROOT)
    give(team, "passive")
    assert pack_answers.anchor_of(team=team, machine=PLACE.machine, root=ROOT) == ("", ())


def test_a_folder_without_a_repository_is_known_by_its_place(team):
    give(team)
    session = asks(team)
    place = replace(PLACE, key="", remote="", roots=())
    session.ask(place=place, head="")
    session.make(place=place, head="")
    assert Repository.objects.get().name == "mail"


def test_rows_are_bounded(team, monkeypatch):
    monkeypatch.setattr(pack_caches, "PACKS", 2)
    monkeypatch.setattr(pack_caches, "SEARCHES", 2)
    session = asks(team)
    for number in range(5):
        session.head = f"{number}" * 40
        session.make()
    assert (StoredPack.objects.count(), RankedSearch.objects.count()) == (2, 2)


def test_summaries_are_kept_by_version(team):
    session = asks(team)
    question = session.question(begun=False)
    for blob in ("aa", "bb", "bb"):
        pack_answers.make(team=team, question=question, material=found(), blobs=[pack_caches.FileVersion("src/parser.py", blob, 3)])
    assert sorted(FileSummary.objects.values_list("blob", flat=True)) == ["aa", "bb"]
    assert FileSummary.objects.values_list("symbols", flat=True)[0] == [[1, "def parse_header(line)"]]


def test_a_session_of_another_folder_teaches_nothing_here(team):
    recorded(team, said("Never change src/other.py at all, please."), cwd="/home/me/elsewhere", name="x")
    give(team)
    assert "Never change" not in asks(team).make().pack.anchor


def test_an_unknown_session_is_refused(team):
    session = asks(team)
    session.conversation.id = uuid4()
    with pytest.raises(NotFound):
        session.ask()
