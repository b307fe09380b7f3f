from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from continuity.knowledge.model import Task, TaskStatus
from handoffs.policy import EVENT_APPROACHING, Decision, Hold, Policy, Recent, WindowUsage, decide
from handoffs.policy.decision import in_plain_words

NOW = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)


def task(steps_left: int, status: TaskStatus = TaskStatus.IN_PROGRESS) -> Task:
    return Task("t", "Move the API", status, 1, 2, "todo", steps_left=tuple(f"step {n}" for n in range(steps_left)))


def decided(total: int, tasks: tuple[Task, ...] = (), *, per_turn: float = 1000.0, **recent: object) -> Decision:
    return decide(WindowUsage(total, average_per_turn=per_turn), 100_000, tasks, Policy(), NOW, recent=Recent(**recent))  # type: ignore[arg-type]


def test_it_works() -> None:
    decision = decided(86_000)

    assert decision.should_handoff
    assert decision.due
    assert decision.reason == "Context window utilization exceeded 85% threshold"


@pytest.mark.parametrize(
    ("current_tokens", "max_tokens", "expected", "reason_contains"),
    [(85_000, 100_000, True, "85%"), (70_000, 100_000, False, "Sufficient"), (90_000, 100_000, True, "85%")],
)
def test_cont06_should_handoff_triggers_at_correct_threshold(
    current_tokens: int, max_tokens: int, expected: bool, reason_contains: str
) -> None:
    decision = decide(WindowUsage(current_tokens), max_tokens, (), Policy(), NOW)

    assert decision.should_handoff is expected
    assert reason_contains in decision.reason


@pytest.mark.parametrize(
    ("total", "steps_left", "expected"),
    [
        (0, 0, False),
        (69_999, 6, False),
        (70_000, 5, False),
        (70_000, 6, True),
        (84_999, 6, True),
        (84_999, 5, False),
        (85_000, 0, True),
        (100_000, 0, True),
    ],
)
def test_thresholds_hold_to_the_token(total: int, steps_left: int, expected: bool) -> None:
    assert decided(total, (task(steps_left),)).should_handoff is expected


def test_a_long_task_names_its_steps_in_the_reason() -> None:
    assert decided(72_000, (task(2), task(9))).reason == "Context window utilization exceeded 70% and a task has 9 steps remaining"


def test_a_completed_task_keeps_no_steps_open() -> None:
    assert not decided(72_000, (task(9, TaskStatus.COMPLETED),)).should_handoff


@pytest.mark.parametrize(
    ("total", "per_turn", "event"),
    [
        (74_999, 20_000, ""),
        (75_000, 5_000, EVENT_APPROACHING),
        (75_000, 4_167, EVENT_APPROACHING),
        (75_000, 4_166, ""),
        (84_999, 3_000, EVENT_APPROACHING),
        (85_000, 3_000, ""),
        (80_000, 0, ""),
    ],
)
def test_the_limit_approaches_from_75_percent_with_5_turns_left(total: int, per_turn: float, event: str) -> None:
    decision = decided(total, per_turn=per_turn)

    assert decision.event == event
    assert ("approaching" in decision.reason) is bool(event)


def test_enough_room_is_said_in_the_specified_words() -> None:
    decision = decided(50_000)

    assert decision.reason == "Sufficient context remaining"
    assert (decision.remaining_tokens, decision.remaining_turns, decision.utilization) == (50_000, 50, 0.5)


def test_turns_are_unknown_without_an_average() -> None:
    assert decided(50_000, per_turn=0).remaining_turns is None


@pytest.mark.parametrize("total", [100_001, 1_360_000])
def test_usage_above_the_window_is_clamped_flagged_and_never_acted_on(total: int) -> None:
    decision = decided(total, (task(9),), task_finished=True)

    assert decision.above_window
    assert decision.utilization == 1.0
    assert not decision.should_handoff
    assert not decision.due
    assert decision.event == ""


def test_an_unknown_window_decides_nothing() -> None:
    decision = decide(WindowUsage(50_000), 0, (), Policy(), NOW)

    assert (decision.should_handoff, decision.due, decision.reason) == (False, False, "Context window unknown")


@pytest.mark.parametrize(
    ("seconds", "held"), [(-1, None), (-3600, None), (0, Hold.COOLDOWN), (119, Hold.COOLDOWN), (120, None), (4000, None)]
)
def test_after_a_resume_the_act_waits_and_the_answer_does_not(seconds: int, held: Hold | None) -> None:
    decision = decided(90_000, resumed_at=NOW - timedelta(seconds=seconds))

    assert decision.should_handoff
    assert (decision.held, decision.due) == (held, held is None)


@pytest.mark.parametrize(("freed", "held"), [(0.0, Hold.STALLED), (0.049, Hold.STALLED), (0.05, None), (0.6, None), (None, None)])
def test_a_handoff_that_freed_too_little_is_not_repeated(freed: float | None, held: Hold | None) -> None:
    decision = decided(90_000, last_freed=freed)

    assert decision.should_handoff
    assert (decision.held, decision.due) == (held, held is None)


def test_a_team_may_switch_automatic_handoffs_off() -> None:
    decision = decide(WindowUsage(90_000), 100_000, (), Policy(automatic=False), NOW)

    assert (decision.should_handoff, decision.due, decision.held) == (True, False, Hold.SWITCHED_OFF)


@pytest.mark.parametrize(("total", "due"), [(79_999, False), (80_000, True), (84_999, True)])
def test_a_task_boundary_advances_the_act_and_never_the_answer(total: int, due: bool) -> None:
    before, after = decided(total), decided(total, task_finished=True)

    assert after.due is due
    assert not before.due
    assert (before.should_handoff, before.reason) == (after.should_handoff, after.reason) == (False, "Sufficient context remaining")


@pytest.mark.parametrize(("total", "fold"), [(79_999, False), (80_000, True), (95_000, True)])
def test_knowledge_is_folded_from_80_percent(total: int, fold: bool) -> None:
    assert decided(total).fold_now is fold


@pytest.mark.parametrize(
    "bad", [{"handoff_at": 0.0}, {"long_task_at": 1.5}, {"approaching_at": -1}, {"boundary_at": 0.9}], ids=lambda bad: next(iter(bad))
)
def test_a_policy_out_of_range_is_refused_by_name(bad: dict[str, float]) -> None:
    with pytest.raises(ValueError, match=next(iter(bad))):
        Policy(**bad)  # type: ignore[arg-type]


@given(
    total=st.integers(-10, 300_000),
    window=st.integers(0, 200_000),
    per_turn=st.floats(0, 1e6),
    steps=st.integers(0, 20),
    finished=st.booleans(),
    freed=st.none() | st.floats(0, 1),
)
def test_an_act_always_has_a_cause_and_the_answer_no_memory(
    total: int, window: int, per_turn: float, steps: int, finished: bool, freed: float | None
) -> None:
    usage = WindowUsage(total, average_per_turn=per_turn)
    plain = decide(usage, window, (task(steps),), Policy(), NOW)
    decision = decide(usage, window, (task(steps),), Policy(), NOW, recent=Recent(task_finished=finished, last_freed=freed))

    assert (decision.should_handoff, decision.reason) == (plain.should_handoff, plain.reason)
    assert (decision.utilization is None) is (window == 0)
    assert 0.0 <= (decision.utilization or 0.0) <= 1.0
    assert not decision.due or decision.should_handoff or finished
    assert not (decision.due and decision.held)
    assert not (decision.above_window and decision.due)


@pytest.mark.parametrize(
    ("total", "steps_left", "per_turn", "told"),
    [
        (86_000, 0, 1000.0, "The context window is at least 85% full"),
        (72_000, 9, 1000.0, "The context window is at least 70% full, and a task has 9 steps left"),
        (76_000, 0, 8000.0, "The context window has room for 3 turns more"),
        (10_000, 0, 1000.0, "There is enough room in the context window"),
    ],
)
def test_pages_tell_the_reason_in_plain_words(total: int, steps_left: int, per_turn: float, told: str) -> None:
    assert in_plain_words(decided(total, (task(steps_left),), per_turn=per_turn).reason) == told
    assert in_plain_words("A task was finished") == "A task was finished"
