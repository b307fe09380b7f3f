"""Questions are open from the asking to the answer, and no longer."""

from __future__ import annotations

import pytest

from continuity.knowledge.model import AnchorState, AnchorType, Truth
from tests.knowledge.talk import agent, call, distil, person, ran

QUESTION = AnchorType.QUESTION


def test_it_works() -> None:
    done = distil(person("Add the export."), agent("The export can be CSV or JSON.\n\nWhich format do you want for the export?"))
    assert done.texts(QUESTION) == ["Which format do you want for the export?"]
    (anchor,) = done.current(QUESTION)
    assert (anchor.truth, anchor.method) == (Truth.CLAIMED, "question.agent")


def test_an_answered_question_is_not_open() -> None:
    done = distil(person("Add the export."), agent("Which format do you want for the export?"), person("CSV, with a header line."))
    assert done.texts(QUESTION) == []
    assert [a.state for a in done.memory.anchors.values() if a.type is QUESTION] == [AnchorState.RESOLVED]


def test_a_question_back_leaves_the_question_open() -> None:
    done = distil(person("Add the export."), agent("Which format do you want for the export?"), person("What does the importer read?"))
    assert "Which format do you want for the export?" in done.texts(QUESTION)


def test_a_question_asked_anew_replaces_the_one_before() -> None:
    done = distil(
        person("Add the export."),
        agent("Which format do you want for the export?"),
        person("What does the importer read?"),
        agent("The importer reads CSV and JSON. Should the export be CSV, then?"),
    )
    assert done.texts(QUESTION) == ["Should the export be CSV, then?"]


def test_a_question_before_the_agent_goes_on_was_none() -> None:
    done = distil(person("Fix the test."), agent("Why does the fixture fail on Windows?"), *ran("pytest -q", "1 passed"))
    assert done.texts(QUESTION) == []


def test_the_persons_question_is_open_until_the_agent_answers() -> None:
    asked = person("Which module writes the audit log?")
    assert distil(asked).texts(QUESTION) == ["Which module writes the audit log?"]
    assert distil(asked, agent("Let me look."), call("Grep", pattern="audit")).texts(QUESTION) == ["Which module writes the audit log?"]
    answer = agent("The audit log is written by `shop/audit.py`, in the function `record_event`; nothing else opens that file.")
    assert distil(asked, answer).texts(QUESTION) == []


def test_a_request_in_the_form_of_a_question_is_no_question() -> None:
    assert distil(person("Can you add a retry to the client?")).texts(QUESTION) == []


def test_a_question_in_a_report_is_found_at_its_end_only() -> None:
    report = (
        "What is the cause? The cache key lacks the tenant.\n\n"
        + "I changed `cache.py` and its tests. " * 10
        + "\n\nShall I add a migration?"
    )
    assert distil(person("Fix it."), agent(report)).texts(QUESTION) == ["Shall I add a migration?"]


OPTIONS = "\n\nA) drop the call and count it\nB) wait up to two seconds\nC) put it back into the queue\nD) fail"


@pytest.mark.parametrize("ending", [OPTIONS, OPTIONS.replace(")", "."), f"{OPTIONS}\n\nI would take B.", OPTIONS.replace("\n", "\n- ")])
def test_a_question_before_its_options_is_asked(ending: str) -> None:
    report = "I added the bucket to `send()`. Its tests pass.\n\nShould a call that finds it full be dropped, or wait?"
    done = distil(person("Add a limit."), agent(report + ending))
    assert done.texts(QUESTION) == ["Should a call that finds it full be dropped, or wait?"]
    assert done.state.proposal is not None
    assert len(done.state.proposal.options) == 4


@pytest.mark.parametrize(
    "ending",
    ["\n\n- I read `queue.py`.\n- I ran its tests.\n\nLet me fix the lock now.", "\n\nThe lock was held twice.\n\n- one\n- two\n- three"],
)
def test_a_question_that_leads_to_something_else_is_not(ending: str) -> None:
    assert distil(person("Fix it."), agent("Why does it hang?" + ending)).state.asking is None


def test_questions_are_kept_in_bounded_number() -> None:
    asked = [person(f"Where does module number{i} keep its settings_{i}?") for i in range(300)]
    assert len(distil(*asked).state.questions) <= 80
