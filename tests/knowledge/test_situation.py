"""Objective, next step, waiting or going on: what a successor must know first."""

from __future__ import annotations

import json

import pytest

from continuity.knowledge import RULES_VERSION, OutdatedState, outline_of, outline_to_json, request_from_json
from continuity.knowledge.model import Quote, TaskStatus
from continuity.transcripts.base.model import Message
from tests.knowledge.talk import agent, call, distil, harness, person, ran, result


def words(quote: Quote | None) -> str:
    return quote.text if quote else ""


def test_it_works() -> None:
    now = distil(
        person("Add a retry to the payment client"), *ran("pytest", "1 passed"), agent("Done. The client retries three times.")
    ).knowledge.situation
    assert words(now.objective) == "Add a retry to the payment client"
    assert now.waiting is True
    assert words(now.waiting_for) == "Done."


@pytest.mark.parametrize(
    ("end", "waiting"),
    [
        ((agent("Shall I also update the docs?"),), True),
        ((agent("Fixed. All tests pass."),), True),
        ((agent("Now let me run the tests."),), False),
        ((agent("I'll run the tests:"),), False),
        ((agent("Now let me check `parse` — does it keep the order of the fields?"),), False),
        ((agent("Let me know: shall I check the parser as well?"),), True),
        ((agent("Spec saved. Please review it before we write the plan."),), True),
        ((agent("The banner is in. Let me know which colour it gets."),), True),
        ((agent("I saw it. Let me know if you have any questions."),), False),
        ((call("Bash", command="pytest"),), False),
        ((call("Bash", command="pytest"), result("ok")), False),
        ((person("wait, one more thing: also lint it"),), False),
        ((agent("Now let me run the tests."), harness("[Request interrupted by user]")), False),
    ],
)
def test_whose_move_it_is(end: tuple[Message, ...], waiting: bool) -> None:
    start = (person("Fix the cart total"), *ran("ls", call_id="c0"))
    assert distil(*start, *end).knowledge.situation.waiting is waiting


def test_nothing_said_is_unknown() -> None:
    now = distil().knowledge.situation
    assert (now.waiting, now.objective, now.next_step) == (None, None, None)


def test_how_to_work_does_not_change_the_objective() -> None:
    talk = [
        person("Add a retry to the payment client"),
        agent("Done."),
        person("Good. I prefer short functions with type annotations everywhere, please keep to that in jobs.py as well."),
    ]
    assert words(distil(*talk).knowledge.situation.objective) == "Add a retry to the payment client"


def test_short_answers_do_not_change_the_objective() -> None:
    done = distil(
        person("Add a retry to the payment client"),
        agent("Shall I use tenacity for the retries?"),
        person("yes"),
        agent("Done."),
        person("continue"),
    )
    assert words(done.knowledge.situation.objective) == "Add a retry to the payment client"


def test_a_new_piece_of_work_is_the_objective() -> None:
    done = distil(person("Add a retry to the payment client"), agent("Done."), person("Now migrate the invoices table to the new schema"))
    assert words(done.knowledge.situation.objective) == "Now migrate the invoices table to the new schema"


def test_the_latest_request_is_the_last_with_words_of_its_own() -> None:
    done = distil(person("Add a retry to the payment client"), agent("Done."), person("commit it"))
    assert words(done.knowledge.situation.latest_request) == "commit it"
    assert words(done.knowledge.situation.objective) == "Add a retry to the payment client"


def test_a_yes_requests_what_was_asked() -> None:
    done = distil(person("Fix it"), agent("Want me to add a regression test for the cart?"), person("yes"))
    assert words(done.knowledge.situation.latest_request) == "Want me to add a regression test for the cart?"


def test_a_yes_after_an_answer_is_work_of_its_own() -> None:
    """The question is answered, and no name for what was agreed to."""
    done = distil(
        person("Do we save the agent's logs already?"),
        agent("Yes. A step before `write` has to count the tokens. Want me to do this?"),
        person("yes, please do"),
    )
    assert [(task.description, task.status) for task in done.knowledge.tasks] == [
        ("A step before `write` has to count the tokens. Want me to do this?", TaskStatus.NOT_STARTED)
    ]


def test_the_next_step_is_what_the_agent_announced() -> None:
    done = distil(
        person("Fix the cart"), agent("The total is rounded twice. Let me fix `cart.py` next."), call("Edit", file_path="cart.py")
    )
    assert words(done.knowledge.situation.next_step) == "Let me fix `cart.py` next."


@pytest.mark.parametrize(
    "announced",
    [
        "Als Nächstes schreibe ich die Dokumentation.",
        "Gut, jetzt prüfe ich den Export.",
        "Je vais corriger le test.",
        "Ensuite, je regarde le journal.",
        "Voy a corregir la prueba.",
    ],
)
def test_it_is_announced_in_other_languages_too(announced: str) -> None:
    now = distil(person("Räum den Export auf."), agent(f"Der Export ist langsam. {announced}")).knowledge.situation
    assert now.next_step is not None
    assert (now.next_step.text, now.waiting) == (announced, False)


@pytest.mark.parametrize(
    "told",
    [
        "Lass mich wissen, welche Variante du willst.",
        "Jetzt brauche ich deine Entscheidung.",
        "Nun habe ich alles erledigt.",
        "Ich werde auf deine Antwort warten.",
        "Laissez-moi savoir ce que vous préférez.",
    ],
)
def test_who_waits_in_another_language_announces_nothing(told: str) -> None:
    now = distil(person("Räum den Export auf."), agent(f"Der Export ist langsam. {told}")).knowledge.situation
    assert (now.next_step, now.waiting) == (None, True)


def test_else_the_next_step_of_the_list() -> None:
    items = [{"content": "Read the code", "status": "completed"}, {"content": "Fix the rounding", "status": "in_progress"}]
    done = distil(person("Fix the cart"), call("TodoWrite", todos=items), result("ok"))
    assert words(done.knowledge.situation.next_step) == "Fix the rounding"


def test_after_the_persons_word_the_next_step_is_theirs() -> None:
    done = distil(person("Fix the cart"), agent("Let me read it."), call("Read", file_path="a"), person("no, do the invoice page first"))
    assert words(done.knowledge.situation.next_step) == "no, do the invoice page first"


def test_a_reports_next_steps_are_known() -> None:
    report = "Done: the cart is fixed and its tests pass.\n\nNext steps:\n- Run the migration on staging\n- Remove the flag"
    assert words(distil(person("Fix the cart"), agent(report)).knowledge.situation.next_step) == "Run the migration on staging"


def test_the_brief_of_a_long_message_is_its_task() -> None:
    text = "Some background on the shop. " * 30 + "\n\nYour task: wire the transition function into the hook handlers.\n\nThanks."
    assert words(distil(person(text)).knowledge.situation.objective) == "Your task: wire the transition function into the hook handlers."


def test_recent_turns_are_kept_shortened() -> None:
    talk = [m for i in range(20) for m in (person(f"Question number {i}: " + "x" * 3000), agent(f"Answer {i}. " + "y" * 3000))]
    turns = distil(*talk).knowledge.turns
    assert 8 <= len(turns) <= 12
    assert all(t.request and len(t.request.text) <= 2000 for t in turns)
    assert [len(t.answer.text) for t in turns if t.answer] == [1500] * (len(turns) - 2) + [3000] * 2
    assert turns[-1].answer is not None
    assert turns[-1].answer.text.startswith("Answer 19.")


def test_of_earlier_answers_the_options_are_left_out() -> None:
    offer = agent("Two ways lead to port 8080\n\n1. Keep the cookies\n2. Use Redis\n\nMy vote is 2. Which one?")
    listed = agent("What I changed:\n\n1. The parser\n2. The lexer\n\nAll tests pass.")
    talk = [person("Fix the login."), offer, person("1"), listed, person("Now the docs."), agent("Done."), person("And the index.")]
    answers = [turn.answer.text for turn in distil(*talk).knowledge.turns if turn.answer]
    assert answers == ["Two ways lead to port 8080", listed.parts[0].text, "Done."]


def test_a_bare_verb_takes_what_it_is_about_along() -> None:
    log = "\n".join(f"2026-03-01T10:00:0{n} INFO cart.total sum={n}" for n in range(9)) + "\n2026-03-01T10:00:09 INFO cart.total sum=9" * 20
    now = distil(person(f"so, testing this build:\n```\n{log}\n```\n\nwhat's happened to the cart total here? debug")).knowledge.situation
    assert words(now.objective) == "what's happened to the cart total here? debug"


def test_the_task_in_work_of_a_tools_list_is_the_next_step() -> None:
    done = distil(
        person("Please move the ledger into a journal table, import the old file and run the tests."),
        call("TaskCreate", "t1", subject="Write the import", description="Read the old file once"),
        result("Task #1 created successfully: Write the import", "t1"),
        call("TaskUpdate", "t2", taskId="1", status="in_progress"),
        result("Updated task #1 status", "t2"),
        agent("### Step 2"),
        call("Read", "t3", file_path="ledger.py"),
    )
    assert words(done.knowledge.situation.next_step).startswith("Write the import")


def test_what_the_agent_told_in_a_turn_stays_while_the_turn_lasts() -> None:
    finding = "The stale rows come from `find_sessions`, which returns all of the folder's sessions without a filter."
    asides = [
        agent(finding),
        *ran("ls", call_id="c1"),
        agent("Now let me look at the caller of the finder, and at what it does with them."),
        *ran("ls", call_id="c2"),
        agent("This is probably because somebody forgot the filter when the finder was moved last year."),
        *ran("ls", call_id="c3"),
        agent("Now let me add the filter."),
    ]
    talk = distil(person("Find out where the stale rows come from"), *asides)
    assert [said.text for said in talk.knowledge.turns[-1].said] == [finding]
    assert distil(person("Find out where the stale rows come from"), *asides, person("go on")).knowledge.turns[0].said == ()


@pytest.mark.parametrize("tool", ["Grep", "Glob", "WebSearch", "grep_search"])
def test_a_search_whose_result_came_begins_what_was_announced(tool: str) -> None:
    asked, told = person("Where is the retry made?"), agent("Let me look for the retry:")
    assert distil(asked, told, call(tool, pattern="retry")).knowledge.situation.begun is False
    assert distil(asked, told, call(tool, pattern="retry"), result("a.py:3")).knowledge.situation.begun is True


def test_one_row_of_the_ledger_is_read_without_the_rest_of_an_outline() -> None:
    state = distil(person("Round the totals."), agent("By the cent, or by five?"), person("By the cent."), agent("Done.")).state
    outline = outline_of(state)
    raw = json.loads(json.dumps(outline_to_json(outline)))
    assert outline.requests and [request_from_json(raw, row.seq) for row in outline.requests] == list(outline.requests)
    assert request_from_json(raw, 999) is None
    with pytest.raises(OutdatedState):
        request_from_json({**raw, "rules_version": RULES_VERSION - 1}, 1)
