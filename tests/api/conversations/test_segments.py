"""Segments by API: page by page at a level, expanded down to the original, never by another team."""

from __future__ import annotations

import pytest

from continuity.models import CompressedSegment, Team, Tier
from continuity.services.knowledge import fold_runner
from tests.api.caller import Caller, agent, person

KEY = "sk-ant-" + "api03-" + "q8Zr5Tn2Wm7Kc4Vb" * 4


@pytest.fixture
def conversation(api: Caller) -> str:
    made = api.open()
    for n in range(12):
        api.say(made, person(f"Next task: build widget_{n} for screen_{n} with key {KEY}."), agent("I did."), agent(f"widget_{n} works."))
    fold_runner.catch_up(conversation_id=made)  # type: ignore[arg-type]
    return made


def test_it_works(api: Caller, conversation: str) -> None:
    found = api.get(f"/conversations/{conversation}/segments", level=2).json()["items"]
    assert [(row["first_seq"], row["last_seq"]) for row in found] == [(n, n + 2) for n in range(1, 36, 3)]
    assert [row["closed"] for row in found] == [True] * 11 + [False]
    assert (found[0]["level"], found[0]["topic"].startswith("Next task: build widget_0")) == (2, True)
    assert "widget_0" in found[0]["content"]


def test_without_a_level_only_the_segments_are_told(api: Caller, conversation: str) -> None:
    row = api.get(f"/conversations/{conversation}/segments").json()["items"][0]
    assert (row["level"], row["content"], row["content_tokens"], row["markers"]) == (None, None, None, [])
    assert not CompressedSegment.objects.exists()


def test_pages_follow_one_another(api: Caller, conversation: str) -> None:
    first = api.get(f"/conversations/{conversation}/segments", limit=7).json()
    second = api.get(f"/conversations/{conversation}/segments", limit=7, cursor=first["next_cursor"]).json()
    assert [row["first_seq"] for row in first["items"] + second["items"]] == list(range(1, 36, 3))
    assert second["next_cursor"] is None


def test_tags_expand_to_the_original(api: Caller, conversation: str) -> None:
    tags = api.get(f"/conversations/{conversation}/segments", level=3).json()["items"][0]
    path = f"/conversations/{conversation}/segments/{tags['id']}/expand"
    (marker,) = tags["markers"]
    brief = api.get(path, level=marker["level"], first_seq=marker["first_seq"], last_seq=marker["last_seq"]).json()
    assert brief["level"] == 2
    original = api.get(path, level=0).json()
    assert "[m3] Agent: widget_0 works." in original["content"]
    assert (original["level"], original["markers"]) == (0, [])


def test_no_level_shows_a_secret(api: Caller, conversation: str) -> None:
    row = api.get(f"/conversations/{conversation}/segments").json()["items"][0]
    told = [api.get(f"/conversations/{conversation}/segments/{row['id']}/expand", level=level).content.decode() for level in range(4)]
    assert all(KEY not in text for text in told)
    assert "[secret: anthropic-key]" in told[0]


def test_an_outsider_finds_nothing(api: Caller, stranger: Caller, conversation: str) -> None:
    row = api.get(f"/conversations/{conversation}/segments").json()["items"][0]
    assert stranger.get(f"/conversations/{conversation}/segments").status_code == 404
    assert stranger.get(f"/conversations/{conversation}/segments/{row['id']}/expand").status_code == 404


def test_a_segment_of_another_conversation_is_not_found(api: Caller, conversation: str) -> None:
    row = api.get(f"/conversations/{conversation}/segments").json()["items"][0]
    assert api.get(f"/conversations/{api.open()}/segments/{row['id']}/expand").status_code == 404


def test_tags_are_refused_below_their_tier_by_name(api: Caller, conversation: str, team: Team) -> None:
    Team.objects.filter(id=team.id).update(tier=Tier.WRITER_PRO)
    refused = api.get(f"/conversations/{conversation}/segments", level=3)
    assert (refused.status_code, refused.json()["gate"]) == (403, "Agents.Compression.Tags")
    assert api.get(f"/conversations/{conversation}/segments", level=2).status_code == 200


@pytest.mark.parametrize(
    ("query", "field"),
    [({"level": 4}, "level"), ({"level": "x"}, "level"), ({"first_seq": 0}, "first_seq"), ({"last_seq": 99}, "first_seq")],
)
def test_what_cannot_be_expanded_is_refused_by_name(api: Caller, conversation: str, query: dict[str, object], field: str) -> None:
    row = api.get(f"/conversations/{conversation}/segments").json()["items"][0]
    refused = api.get(f"/conversations/{conversation}/segments/{row['id']}/expand", **query)
    assert (refused.status_code, refused.json()["field"]) == (422, field)


def test_the_course_stays_within_its_budget_and_shifts_when_one_is_expanded(api: Caller, conversation: str) -> None:
    def course(**query: object) -> dict[str, int]:
        told = api.get(f"/conversations/{conversation}/course", **query).json()
        assert told["used"] == sum(row["content_tokens"] for row in told["items"]) <= told["budget"]
        return {row["id"]: row["level"] for row in told["items"]}

    everything, tight = course(budget=4000), course(budget=160)
    oldest = next(iter(everything))
    assert len(everything) == 11
    assert 0 < len(tight) < 11
    assert oldest not in tight
    shifted = course(budget=160, expanded=oldest)
    assert shifted[oldest] == 1
    assert set(shifted) != set(tight)


def test_the_course_of_another_teams_conversation_is_not_found(stranger: Caller, conversation: str) -> None:
    assert stranger.get(f"/conversations/{conversation}/course").status_code == 404
