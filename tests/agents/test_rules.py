"""The pure part: statuses, what is done about failures, who is silent, who hangs, when a team is in degradation."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as some

from continuity.agents import degradation, statuses, strategies
from continuity.agents.liveness import EVERY, Liveness, ProbeState
from continuity.agents.names import is_name
from continuity.agents.silence import Silence
from continuity.agents.statuses import LIVE, AgentStatus
from continuity.agents.strategies import RecoveryAction, Strategy

NOW = datetime(2026, 11, 24, 12, tzinfo=UTC)
SECOND = timedelta(seconds=1)


def test_it_works() -> None:
    assert statuses.may_become(AgentStatus.READY, AgentStatus.ACTIVE)
    assert not statuses.may_become(AgentStatus.STOPPED, AgentStatus.READY)


def test_every_status_has_its_steps_and_none_leads_to_itself() -> None:
    assert set(statuses.TRANSITIONS) == set(AgentStatus)
    assert not any(statuses.may_become(each, each) for each in AgentStatus)
    assert all(AgentStatus.REGISTERED in steps for before, steps in statuses.TRANSITIONS.items() if before != AgentStatus.REGISTERED)


@pytest.mark.parametrize("before", [AgentStatus.FAILED, AgentStatus.STOPPED])
def test_what_is_over_does_not_come_alive_without_an_instance_that_begins(before: AgentStatus) -> None:
    assert not any(statuses.may_become(before, after) for after in LIVE | {AgentStatus.DISCONNECTED})


@pytest.mark.parametrize(
    ("before", "working", "after"),
    [
        (AgentStatus.ACTIVE, None, AgentStatus.ACTIVE),
        (AgentStatus.ACTIVE, False, AgentStatus.READY),
        (AgentStatus.READY, True, AgentStatus.ACTIVE),
        (AgentStatus.DEGRADED, True, AgentStatus.DEGRADED),
        ("", None, AgentStatus.READY),
    ],
)
def test_who_is_heard_of_again_is_what_it_was(before: str, working: bool | None, after: AgentStatus) -> None:
    assert statuses.status_when_back(before, working=working) == after


def test_back_off_doubles_to_a_minute() -> None:
    assert [strategies.pause_of(number).seconds for number in range(1, 10)] == [1, 2, 4, 8, 16, 32, 60, 60, 60]
    assert strategies.pause_of(10**9).seconds == 60


def choice(**changed: Any) -> RecoveryAction:
    known: dict[str, Any] = {"strategy": Strategy.RESTART, "failures": 1, "threshold": 3, "has_runner": True, "backup_is_there": False}
    return strategies.choose(**{**known, **changed}).action


def test_strategies() -> None:
    assert choice() == RecoveryAction.RESTART
    assert choice(failures=3) == RecoveryAction.RESTART
    assert choice(failures=4) == RecoveryAction.GIVE_UP
    assert choice(threshold=0) == RecoveryAction.GIVE_UP
    assert choice(has_runner=False) == RecoveryAction.ALERT
    assert choice(strategy=Strategy.ALERT, failures=9) == RecoveryAction.ALERT
    assert choice(strategy=Strategy.REPLACE, backup_is_there=True, has_runner=False) == RecoveryAction.REPLACE
    assert choice(strategy=Strategy.REPLACE) == RecoveryAction.GIVE_UP


def test_failures_are_forgiven_after_a_while_of_being_ready() -> None:
    window = timedelta(seconds=60)
    counted = [
        strategies.failures_now(before=3, ready_at=ready, now=NOW, window=window) for ready in (None, NOW - 59 * SECOND, NOW - 60 * SECOND)
    ]
    assert counted == [4, 4, 1]


def looks(silence: Silence, beats: dict[float, set[str]], *, until: float, step: float = 0.5, watched: set[str]) -> list[tuple[float, str]]:
    """Looks every `step` seconds; `beats` are who beat since the look before. When each was lost."""
    lost: dict[str, float] = {}
    clock = 0.0
    while clock <= until:
        for who in silence.look(clock=clock, watched=watched - lost.keys(), heard=beats.get(clock, set())):
            lost[who] = clock
        clock += step
    return sorted((when, who) for who, when in lost.items())


def test_who_falls_silent_is_lost_within_five_seconds_of_the_last_beat() -> None:
    beats = {clock: {"a", "b"} if clock <= 10 else {"a"} for clock in (2.0, 4.0, 6.0, 8.0, 10.0, 12.0, 14.0, 16.0, 18.0)}
    assert looks(Silence(5.0), beats, until=18, watched={"a", "b"}) == [(14.5, "b")]


def test_one_missed_beat_is_nothing() -> None:
    beats = {clock: {"a"} for clock in (2.0, 6.0, 10.0, 14.0, 18.0)}
    assert looks(Silence(5.0), beats, until=18, watched={"a"}) == []


def test_a_watcher_that_stood_still_gives_everybody_the_whole_time_again() -> None:
    silence = Silence(5.0)
    silence.look(clock=0.0, watched={"a"}, heard=())
    assert silence.look(clock=30.0, watched={"a"}, heard=()) == []
    assert [silence.look(clock=30.0 + half / 2, watched={"a"}, heard=()) for half in range(1, 10)] == [[]] * 9
    assert silence.look(clock=35.0, watched={"a"}, heard=()) == ["a"]


def test_an_outage_suspends_and_one_window_follows_it() -> None:
    silence = Silence(5.0)
    for half in range(120):
        assert silence.look(clock=half / 2, watched={"a"}, heard=(), away=half > 2) == []
    assert silence.look(clock=60.0, watched={"a"}, heard=()) == []
    for half in range(1, 9):
        assert silence.look(clock=60.0 + half / 2, watched={"a"}, heard=()) == []
    assert silence.look(clock=64.5, watched={"a"}, heard=()) == ["a"]


@given(some.lists(some.floats(0.05, 2.0), min_size=1, max_size=40), some.lists(some.booleans(), min_size=40, max_size=40))
def test_whoever_beats_at_every_look_is_never_lost(gaps: list[float], away: list[bool]) -> None:
    silence, clock = Silence(5.0), 0.0
    for gap, is_away in zip(gaps, away, strict=False):
        clock += gap
        assert silence.look(clock=clock, watched={"a", "b"}, heard={"a"}, away=is_away).count("a") == 0


def test_a_probe_that_is_answered_is_asked_again_after_ten_seconds() -> None:
    liveness = Liveness(timeout=5.0, interval=2.0)
    assert liveness.look(clock=0.0, watched={"a"}, states={}) == (["a"], [])
    assert liveness.look(clock=0.5, watched={"a"}, states={"a": ProbeState.ASKED}) == ([], [])
    assert liveness.look(clock=3.0, watched={"a"}, states={"a": ProbeState.ANSWERED}) == ([], [])
    assert liveness.look(clock=EVERY, watched={"a"}, states={"a": ProbeState.ANSWERED}) == (["a"], [])


@pytest.mark.parametrize(
    ("states", "clock", "zombie"),
    [
        (ProbeState.FAILED, 1.0, True),
        (ProbeState.HANDED, 9.5, False),
        (ProbeState.HANDED, 10.0, True),
        (ProbeState.ASKED, 9.9, False),
    ],
)
def test_who_was_handed_a_probe_and_does_not_answer_is_a_zombie(states: ProbeState, clock: float, zombie: bool) -> None:
    liveness = Liveness(timeout=5.0, interval=2.0)
    liveness.look(clock=0.0, watched={"a"}, states={})
    liveness.look(clock=1.0, watched={"a"}, states={"a": ProbeState.HANDED if states == ProbeState.HANDED else ProbeState.ASKED})
    assert liveness.look(clock=clock, watched={"a"}, states={"a": states})[1] == (["a"] if zombie else [])


def test_after_an_outage_a_probe_has_its_time_again() -> None:
    liveness = Liveness(timeout=5.0, interval=2.0)
    liveness.look(clock=0.0, watched={"a"}, states={})
    liveness.look(clock=1.0, watched={"a"}, states={"a": ProbeState.HANDED})
    liveness.excuse(clock=60.0)
    assert liveness.look(clock=60.5, watched={"a"}, states={"a": ProbeState.HANDED})[1] == []
    assert liveness.look(clock=69.0, watched={"a"}, states={"a": ProbeState.HANDED})[1] == ["a"]


def test_a_probe_that_the_broker_lost_is_asked_again() -> None:
    liveness = Liveness(timeout=5.0, interval=2.0)
    liveness.look(clock=0.0, watched={"a"}, states={})
    assert liveness.look(clock=20.0, watched={"a"}, states={}) == (["a"], [])


def test_more_than_three_are_an_incident() -> None:
    assert [degradation.begins(number) for number in (3, 4)] == [False, True]


def test_an_incident_ends_after_two_minutes_with_fewer_than_two_failed() -> None:
    calm = 0.0
    for _ in range(11):
        calm = degradation.calm_after(calm, failed=1, elapsed=10)
    assert not degradation.is_over(calm)
    assert degradation.is_over(degradation.calm_after(calm, failed=1, elapsed=10))
    assert degradation.calm_after(calm, failed=2, elapsed=10) == 0


def test_time_in_which_nobody_looked_does_not_count() -> None:
    assert degradation.calm_after(0, failed=0, elapsed=3600) == degradation.LONGEST_STEP
    assert degradation.calm_after(5, failed=0, elapsed=-3600) == 5


def test_half_of_the_conversations_remain() -> None:
    assert [degradation.limit_of(100, degraded=each) for each in (False, True)] == [100, 50]


@pytest.mark.parametrize("name", ["", ".", "..", "../x", "a/b", "a b", "-a", ".a", "heartbeats", "a" * 81, "a\n", "ä", "a\x00"])
def test_names_that_none_may_have(name: str) -> None:
    assert not is_name(name)


def test_names() -> None:
    assert all(map(is_name, ("billing", "a", "A-1_b.c", "9", "a" * 80)))


@pytest.mark.parametrize("asked", [True, False], ids=["its runner answers", "without a probe"])
@pytest.mark.parametrize("seconds", [3600, 600], ids=["an hour for its person", "ten minutes of tests"])
def test_a_session_that_waits_and_says_nothing_is_left_alone(seconds: int, asked: bool) -> None:
    """Its runner beats, and answers for it while its process runs: what it waits for is none of our business."""
    silence, liveness = Silence(5.0), Liveness(5.0, 2.0)
    states: dict[str, ProbeState] = {}
    questions = 0
    for step in range(2 * seconds):
        clock, beats = step / 2, step % 4 == 0
        if beats:
            states = dict.fromkeys(states, ProbeState.ANSWERED)
        assert silence.look(clock=clock, watched=["a"], heard=["a"] if beats else []) == []
        to_ask, zombies = liveness.look(clock=clock, watched=["a"] if asked else [], states=states)
        assert zombies == []
        states |= dict.fromkeys(to_ask, ProbeState.ASKED)
        questions += len(to_ask)
    assert questions == (seconds / EVERY if asked else 0)
