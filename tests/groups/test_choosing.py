"""Who is chosen, by each strategy; whoever may not speak never is, whatever else is true."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from continuity.groups import model_question, words
from continuity.groups.limits import BadLimit, GroupLimits, alternates, reached, remaining_lease, remaining_wait
from continuity.groups.model import GroupSituation, GroupSpeaker, PastTurn, RoutingAction, RoutingEffect, SelectionOutcome, StepDemand
from continuity.groups.selection import choose, wants_advice
from continuity.groups.strategies import STRATEGIES

START = datetime(2026, 11, 24, 12, tzinfo=UTC)
LIMITS = GroupLimits()
DBA = GroupSpeaker("dba", expertise=("postgres", "indexes"), place=0)
NETWORK = GroupSpeaker("network", expertise=("dns", "firewall"), place=1)
WRITER = GroupSpeaker("writer", expertise=("documentation",), priority=5, place=2)
ALL = (DBA, NETWORK, WRITER)


def test_it_works() -> None:
    chosen = choose(GroupSituation("expertise", ALL, asked="The firewall drops packets."), LIMITS)
    assert (chosen.outcome, chosen.speaker, chosen.fallback) == (SelectionOutcome.CHOSEN, "network", False)
    assert chosen.reason == "network knows of firewall"
    assert max(chosen.scores, key=lambda name: chosen.scores[name]) == "network"


def test_each_strategy() -> None:
    assert choose(GroupSituation("priority", ALL), LIMITS).speaker == "writer"
    assert choose(GroupSituation("round_robin", ALL), LIMITS).speaker == "dba"
    after = (GroupSpeaker("dba", last_turn=1), GroupSpeaker("network", last_turn=2, place=1))
    assert choose(GroupSituation("round_robin", after), LIMITS).speaker == "dba"
    assert choose(GroupSituation("llm", ALL, advice="writer"), LIMITS).reason == "a model named writer"
    late = choose(GroupSituation("llm", ALL, asked="postgres?"), LIMITS)
    assert (late.speaker, late.fallback) == ("dba", True)
    assert "had not answered in time" in late.reason


def test_a_model_names_only_who_may_speak() -> None:
    away = GroupSpeaker("ghost", status="failed", place=3)
    chosen = choose(GroupSituation("llm", (*ALL, away), asked="postgres?", advice="ghost"), LIMITS)
    assert (chosen.speaker, chosen.fallback, chosen.refused) == ("dba", True, {"ghost": "failed"})
    assert model_question.named(' "Writer".', ALL) == "writer"
    assert model_question.named("writer and dba", ALL) == ""
    assert model_question.named("ignore that; admin", ALL) == ""


def test_where_nobody_knows_who_spoke_longest_ago_is_asked() -> None:
    speakers = (GroupSpeaker("dba", last_turn=4), GroupSpeaker("network", last_turn=2, place=1))
    chosen = choose(GroupSituation("expertise", speakers, asked="Zebras?"), LIMITS)
    assert (chosen.speaker, chosen.fallback) == ("network", True)


def test_rules_that_are_unsure_say_so_and_take_the_models_word() -> None:
    both = "Is it the indexes or the firewall?"
    alone = choose(GroupSituation("expertise", ALL, asked=both), LIMITS)
    assert (alone.speaker, alone.reason) == ("dba", "dba knows of indexes; unsure, network is nearly as near")
    asked = GroupSituation("expertise", ALL, asked=both, advice="network")
    assert choose(asked, LIMITS).reason == "a model named network; the rules were unsure: dba or network"
    assert wants_advice(asked, ALL)
    sure = GroupSituation("expertise", ALL, asked="The firewall drops packets.", advice="dba")
    assert choose(sure, LIMITS).speaker == "network"
    assert not wants_advice(sure, ALL)
    assert not wants_advice(GroupSituation("llm", ALL, asked="@dba, is it you?"), ALL)
    assert wants_advice(GroupSituation("llm", ALL, asked="The firewall drops packets."), ALL)


@pytest.mark.parametrize(
    ("asked", "doubt"),
    [
        ("postgres?", ""),
        ("The firewall drops packets.", ""),
        ("The indexes of the postgres replica are bloated after the vacuum", ""),
        ("Our guests wrote that the table by the window wobbles and the soup was cold", "only one word speaks for it"),
        ("Zebras?", "nobody's expertise is about it"),
        ("Is it the indexes or the firewall?", "network is nearly as near"),
    ],
)
def test_the_rules_are_sure_only_where_enough_words_speak_for_one(asked: str, doubt: str) -> None:
    situation = GroupSituation("expertise", ALL, asked=asked)
    chosen = choose(situation, LIMITS)
    assert chosen.doubt == doubt
    assert doubt in chosen.reason
    assert wants_advice(situation, ALL) == bool(doubt)
    assert not choose(GroupSituation("expertise", (DBA,), asked=asked), LIMITS).doubt


def test_what_the_step_asks_for_is_enough_by_itself() -> None:
    asked = "Our guests wrote that the chair by the window wobbles and the soup was cold"
    step = StepDemand("look", expertise=("firewall",))
    chosen = choose(GroupSituation("expertise", ALL, asked=asked, step=step), LIMITS)
    assert (chosen.speaker, chosen.doubt) == ("network", "")


def test_words_of_a_field_that_nobody_declared() -> None:
    nurse = GroupSpeaker("nurse", role="Looks after patients on the ward", place=0)
    cook = GroupSpeaker("cook", role="Runs the restaurant's kitchen", place=1)
    assert choose(GroupSituation("expertise", (nurse, cook), asked="The fever won't go down"), LIMITS).speaker == "nurse"
    assert choose(GroupSituation("expertise", (nurse, cook), asked="Is there gluten in the soup?"), LIMITS).speaker == "cook"


def test_the_owner_of_a_step_does_it_and_else_who_knows() -> None:
    step = StepDemand("write", owner="writer", title="Fix the dns")
    assert choose(GroupSituation("expertise", ALL, step=step), LIMITS).reason == "writer owns the step write"
    gone = (DBA, NETWORK, GroupSpeaker("writer", status="disconnected", place=2))
    chosen = choose(GroupSituation("expertise", gone, step=step), LIMITS)
    assert (chosen.speaker, chosen.fallback) == ("network", True)


def test_nobody_speaks_more_than_three_times_in_a_row() -> None:
    past = tuple(PastTurn("dba") for _ in range(3))
    chosen = choose(GroupSituation("expertise", ALL, past=past, asked="postgres?"), LIMITS)
    assert chosen.speaker != "dba"
    assert chosen.refused == {"dba": "spoke 3 times in a row"}


def test_two_in_circles_end_with_a_person_and_two_who_find_something_do_not() -> None:
    def past(*news: bool) -> tuple[PastTurn, ...]:
        return tuple(PastTurn("ab"[number % 2], new) for number, new in enumerate(news))

    assert alternates(past(True, True, False, False))
    assert not alternates(past(True, True, False, True))
    assert not alternates(past(True, True, False))
    chosen = choose(GroupSituation("expertise", ALL, past=past(True, True, False, False)), LIMITS)
    assert (chosen.outcome, chosen.reason) == (SelectionOutcome.PERSON, "a and b say nothing new to each other")


def test_rules_raise_lower_and_skip() -> None:
    def effect(action: RoutingAction, agent: str) -> RoutingEffect:
        return RoutingEffect(action, agent, "e1", 10.0)

    asked = "The firewall?"
    raised = choose(GroupSituation("expertise", ALL, asked=asked, effects=(effect(RoutingAction.RAISE, "dba"),)), LIMITS)
    assert (raised.speaker, raised.events) == ("dba", ("e1",))
    assert raised.reason.endswith("raised by a rule")
    skipped = choose(GroupSituation("expertise", ALL, asked=asked, effects=(effect(RoutingAction.SKIP, "network"),)), LIMITS)
    assert skipped.refused["network"] == "skipped by a rule"
    lowered = choose(GroupSituation("priority", ALL, effects=(effect(RoutingAction.LOWER, "writer"),)), LIMITS)
    assert lowered.speaker != "writer"


names = st.sampled_from(["dba", "network", "writer", "chief", "api"])
speakers = st.builds(
    GroupSpeaker,
    name=names,
    status=st.sampled_from(["ready", "active", "degraded", "failed", "disconnected", "registered"]),
    excluded=st.booleans(),
    priority=st.integers(-1000, 1000),
    failures=st.integers(0, 20),
    last_turn=st.integers(0, 9),
    expertise=st.lists(st.sampled_from(["postgres", "dns", "\u202e", ""]), max_size=3).map(tuple),
)
effects = st.builds(RoutingEffect, st.sampled_from(list(RoutingAction)), names, st.just("e"), st.floats(1.1, 10))


@settings(max_examples=300, deadline=None)
@given(
    st.sampled_from(sorted(STRATEGIES)),
    st.lists(speakers, max_size=10, unique_by=lambda each: each.name),
    st.lists(st.builds(PastTurn, names, st.booleans()), max_size=8),
    st.text(max_size=200),
    st.lists(effects, max_size=5),
    st.none() | names,
)
def test_only_who_may_speak_is_ever_chosen(
    strategy: str, some: list[GroupSpeaker], past: list[PastTurn], asked: str, ruled: list[RoutingEffect], advice: str | None
) -> None:
    situation = GroupSituation(strategy, tuple(some), past=tuple(past), asked=asked, effects=tuple(ruled), advice=advice)
    chosen = choose(situation, LIMITS)
    assert chosen == choose(situation, LIMITS)
    there = {each.name for each in some if each.status in ("ready", "active") and not each.excluded}
    if chosen.outcome == SelectionOutcome.CHOSEN:
        assert chosen.speaker in there
        assert chosen.speaker not in chosen.refused
    assert (chosen.outcome == SelectionOutcome.NOBODY) == (not there)


def test_limits() -> None:
    assert reached(LIMITS, turns=40, tokens=0, since=START, now=START) == "40 turns since a person spoke"
    assert reached(LIMITS, turns=0, tokens=200_000, since=START, now=START) == "200,000 tokens since a person spoke"
    assert reached(LIMITS, turns=0, tokens=0, since=START, now=START) == ""
    assert remaining_wait(LIMITS, selected_at=START + LIMITS.lease * 99, now=START) == LIMITS.gap  # a clock was set back
    assert remaining_lease(LIMITS, until=START + LIMITS.lease * 99, now=START) == LIMITS.lease


@pytest.mark.parametrize("given", [{"turns": 0}, {"turns": True}, {"gap_ms": 1}, {"lease_seconds": "30"}, {"speed": 1}], ids=str)
def test_limits_that_can_not_be(given: dict[str, object]) -> None:
    with pytest.raises(BadLimit):
        GroupLimits.of(given)


def test_words_of_any_length_and_who_is_addressed() -> None:
    assert len(words.terms("abc " * 100_000)) <= words.MOST_TERMS
    assert words.addressed("@dba-2 and @DBA!", ["dba", "dba-2"]) == "dba-2"
    assert words.addressed("mail me at x@example.com", ["dba"]) == ""
    assert words.addressed("@" * 20_000, ["dba"]) == ""
    assert words.has_news("The lock is gone.", ["The lock holds."])
    assert not words.has_news("The lock!", ["It is the lock."])
