"""What the agent thinks and does not say, and what its words close."""

from __future__ import annotations

import pytest

from continuity.knowledge.anchors.thoughts import is_thought, rule_of
from continuity.knowledge.model import AnchorState, AnchorType, TaskStatus
from continuity.knowledge.state.recent_turns import THOUGHT
from continuity.transcripts.base.model import Message, Part, PartKind, Role, Voice
from tests.knowledge.talk import agent, call, distil, person, ran, result

CAUSE = "The root cause is a missing index on `orders.customer_id`."
EARLY, LATE = "I decided to use Redis for the queue.", "I decided to use Postgres for the queue."


def thought(text: str) -> Message:
    return Message(Role.ASSISTANT, (Part(PartKind.REASONING, Voice.AGENT, text),), "")


def created(number: int, subject: str) -> tuple[Message, Message]:
    return call("TaskCreate", f"t{number}", subject=subject), result(f"Task #{number} created successfully: {subject}", f"t{number}")


def statuses(*messages: Message | tuple[Message, ...]) -> list[TaskStatus]:
    done = distil(*created(1, "Fix the rounding of totals"), *created(2, "Write the release notes"), *messages)
    return [task.status for task in sorted(done.memory.tasks.values(), key=lambda task: task.seq) if task.tool_id]


def test_it_works() -> None:
    (anchor,) = distil(thought(CAUSE)).current()
    assert anchor.text == CAUSE
    assert is_thought(anchor)
    assert rule_of(anchor.method) == distil(agent(CAUSE)).current()[0].method


def test_what_was_thought_and_said_is_no_thought() -> None:
    (anchor,) = distil(thought(CAUSE), agent(CAUSE)).current()
    assert not is_thought(anchor)
    (anchor,) = distil(agent(CAUSE), thought(CAUSE)).current()
    assert not is_thought(anchor)


def test_a_thought_weighs_less_than_words() -> None:
    (inside,), (said,) = distil(thought(CAUSE)).current(), distil(agent(CAUSE)).current()
    assert inside.importance < said.importance
    assert not inside.critical


def test_a_thought_promises_and_asks_nothing() -> None:
    done = distil(thought("I'll update the docs once you merged it. Which store should it be, Redis or Postgres?"))
    assert done.texts(AnchorType.COMMITMENT, AnchorType.QUESTION) == []
    assert (done.knowledge.situation.waiting, done.knowledge.turns) == (None, ())


def test_a_thought_supersedes_a_thought_only() -> None:
    assert distil(thought(EARLY), thought(LATE)).texts(AnchorType.DECISION) == [LATE]
    assert distil(agent(EARLY), thought(LATE)).texts(AnchorType.DECISION) == [EARLY, LATE]
    assert distil(thought(EARLY), agent(LATE)).texts(AnchorType.DECISION) == [LATE]


def test_words_that_are_thought_again_stay_words() -> None:
    assert distil(agent(EARLY), thought(EARLY), thought(LATE)).texts(AnchorType.DECISION) == [EARLY, LATE]


def test_a_thought_that_is_said_becomes_words() -> None:
    (anchor,) = distil(thought(CAUSE), agent(CAUSE)).current()
    assert anchor.ref.seq == 2
    assert anchor.importance > distil(thought(CAUSE)).current()[0].importance


@pytest.mark.parametrize(
    "words",
    [
        "That's the fix for task #1.",
        "This closes task 1, the tests are green.",
        "Task #1 is now complete.",
        "Task 1 has been fixed.",
    ],
)
def test_a_task_that_words_tell_by_number_is_closed(words: str) -> None:
    assert statuses(agent(words)) == [TaskStatus.COMPLETED, TaskStatus.NOT_STARTED]


@pytest.mark.parametrize(
    "words",
    [
        "Is task 1 done?",
        "I haven't fixed task #1 yet.",
        "Once I've finished task 1, the notes follow.",
        "Task 1 is not done.",
        "Nothing can be released until task 1 is done.",
        "Task 7 is done.",
    ],
)
def test_questions_conditions_and_negations_close_no_task(words: str) -> None:
    assert statuses(agent(words)) == [TaskStatus.NOT_STARTED, TaskStatus.NOT_STARTED]


def test_a_finished_task_solves_the_problem_it_was_about() -> None:
    failing = ran("pytest -q", "FAILED tests/test_cart.py::test_rounding_totals - AssertionError: rounding totals 3 != 4", 1, "p1")
    title = "Fix AssertionError of test_rounding_totals in tests/test_cart.py rounding totals"
    made = created(1, title)
    done = distil(failing, made, call("TaskUpdate", "u1", taskId="1", status="completed"))
    assert done.texts(AnchorType.ERROR) == []
    assert distil(failing, made, call("TaskUpdate", "u1", taskId="1", status="in_progress")).texts(AnchorType.ERROR) != []


def test_what_only_the_person_can_tell_stays_open_while_the_agent_goes_on() -> None:
    asked = "Have you already rotated the staging key?"
    going = distil(agent(asked), *ran("ls"))
    assert going.texts(AnchorType.QUESTION) == [asked]
    assert distil(agent(asked), *ran("ls"), person("Yes, I rotated it this morning.")).texts(AnchorType.QUESTION) == []


def test_a_question_of_choice_is_over_when_the_agent_goes_on() -> None:
    done = distil(agent("Should the queue use Redis or Postgres?"), *ran("ls"))
    assert done.texts(AnchorType.QUESTION) == []
    (anchor,) = [a for a in done.memory.anchors.values() if a.type is AnchorType.QUESTION]
    assert anchor.state is AnchorState.RESOLVED


def test_words_that_ask_for_nothing_are_no_finished_work() -> None:
    done = distil(
        person("The totals on the invoice page looked quite strange yesterday"),
        agent("They come from the cache."),
        person("Fix the rounding of the totals on the invoice page."),
        *ran("ls"),
        agent("Done, the rounding is fixed."),
        person("Now add a test for the rounding of totals."),
    )
    told = [(task.description, task.status) for task in done.knowledge.tasks]
    assert told == [
        ("Now add a test for the rounding of totals.", TaskStatus.NOT_STARTED),
        ("Fix the rounding of the totals on the invoice page.", TaskStatus.COMPLETED),
    ]


PLAN = (
    "The report's totals are rounded twice. First I keep the raw amounts in `collect_rows`. Then `print_totals` rounds them once, at the"
    " end, and the tests of both follow."
)


def last_thought(*messages: Message | tuple[Message, ...]) -> str | None:
    (*_, turn) = distil(person("Fix the rounding of totals."), *messages).knowledge.turns
    return turn.thought.text if turn.thought else None


def test_where_the_last_thought_arrived_is_kept_while_its_turn_lasts() -> None:
    assert last_thought(thought(PLAN), agent("I'll change the rounding now.")) == PLAN
    assert last_thought(thought("An old idea. " * 20), *ran("ls"), thought(PLAN), *ran("ls", call_id="c2")) == PLAN
    assert last_thought(thought(PLAN), person("Wait.")) is None


def test_a_report_says_what_came_of_the_last_thought() -> None:
    report = "The totals are rounded once now. " * 20
    assert last_thought(thought(PLAN), *ran("pytest tests -q", "3 passed"), agent(f"{report}\n\n- done\n- tested\n- told")) is None


def test_of_a_long_thought_the_end_is_kept_from_a_sentence_on_and_a_short_one_tells_nothing() -> None:
    kept = last_thought(thought("Perhaps the cause is elsewhere. " * 100 + PLAN))
    assert kept is not None
    assert len(kept) <= THOUGHT
    assert kept.startswith("Perhaps the cause")
    assert kept.endswith(PLAN)
    assert last_thought(thought(PLAN), thought("Now the tests.")) == PLAN


@pytest.mark.parametrize("unit", ["a", "`", "<", "task #1 ", "fixed ", "have you ", "?", "i will "])
def test_hostile_thoughts_and_words_end(unit: str) -> None:
    text = unit * (100_000 // len(unit))
    assert distil(thought(text), agent(text)).state.through_seq == 2
