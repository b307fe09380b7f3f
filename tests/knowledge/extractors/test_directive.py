"""A directive of ours in a session is carried knowledge, wherever it stands in the user's, a prompt's or a hook's words."""

from __future__ import annotations

import pytest

from continuity.knowledge.model import AnchorType, FileAction, TaskStatus, Truth
from continuity.transcripts.base.model import Message, Part, PartKind, Role, Voice
from tests.knowledge.talk import agent, call, distil, harness, person, result, said

INNER = """## Goal
- Move the importer of the shop to the new queue. [m1]

## Rules and preferences
- Never touch the billing module. [a1!]
- Preference: Keep functions short. [a2]

## Decisions
- Use Postgres instead of Redis for the queue — Because: it is there already [a3!]
- Not: Use Redis for the queue. (replaced by a3) [a4]

## Facts
- The queue holds 40 jobs. · The worker listens on port 9001. [a5?, a6]

## Errors and failed approaches
- Error: “ImportError: no module named shop.queue” [a7]

## Files
- Created: shop/queue.py (f1)
- Modified: shop/importer.py (f2), shop/settings.py (f3)

## Work
- [x] Write the schema [t1]
- [ ] Write the worker (in progress, 1 of 2 steps) — done: read the docs — left: test it [t2]
- [ ] Add metrics to the worker (not started) [t3]

## Last exchanges
- User: “Please go on with the worker.” [m7]

## State
- Working directory: /home/ada/shop
- Branch: feature/queue

## Check
- Last check: `pytest tests` failed (exit 1): “1 failed” — files changed since, so it must run again [m8]

## Next
- Latest request of the user: “Please go on with the worker.” [m7]
- Go on without waiting: nothing is asked of the user.
- Next step: “Next I test the worker.” [m9]
"""
DIRECTIVE = f"--- SESSION CONTINUATION ---\n{INNER}--- END CONTINUATION ---\n"
RULE = "Never touch the billing module."


def test_it_works() -> None:
    done = distil(person(DIRECTIVE))
    (rule,) = done.current(AnchorType.CONSTRAINT)
    assert (rule.text, rule.truth, rule.critical, rule.method) == (RULE, Truth.STATED, True, "directive.a1")
    assert DIRECTIVE[rule.ref.start : rule.ref.end] == RULE
    assert {a.text: a.truth for a in done.current(AnchorType.FACT)} == {
        "The queue holds 40 jobs.": Truth.CLAIMED,
        "The worker listens on port 9001.": Truth.STATED,
    }
    (error,) = done.current(AnchorType.ERROR)
    assert (error.text, error.truth) == ("ImportError: no module named shop.queue", Truth.OBSERVED)
    (decision,) = done.current(AnchorType.DECISION)
    assert (decision.rationale, decision.critical) == ("it is there already", True)


def test_tasks_files_and_situation_come_back() -> None:
    done = distil(person(DIRECTIVE, cwd=""))
    now = done.knowledge.situation
    assert {t.description: (t.status, t.steps_done, t.steps_left) for t in done.knowledge.tasks} == {
        "Write the schema": (TaskStatus.COMPLETED, (), ()),
        "Write the worker": (TaskStatus.IN_PROGRESS, ("read the docs",), ("test it",)),
        "Add metrics to the worker": (TaskStatus.NOT_STARTED, (), ()),
    }
    assert done.paths() == {"shop/queue.py": "created", "shop/importer.py": "modified", "shop/settings.py": "modified"}
    assert (now.cwd, now.branch, now.waiting) == ("/home/ada/shop", "feature/queue", False)
    assert now.next_step is not None
    assert now.next_step.text == "Next I test the worker."
    assert now.verification is not None
    assert (now.verification.command, now.verification.passed, now.verification.exit_code) == ("pytest tests", False, 1)


@pytest.mark.parametrize("line", ["new.py (from old.py) (f1), b.py (f2)", "new.py (from old.py), b.py", "new.py → old.py (f1), b.py (f2)"])
def test_a_renamed_file_comes_back_under_its_new_path(line: str) -> None:
    done = distil(person(DIRECTIVE.replace("Created: shop/queue.py (f1)", f"Renamed: {line}")))
    assert {f.path: f.note for f in done.knowledge.files if f.action is FileAction.RENAMED} == {"new.py": "old.py", "b.py": ""}


def test_the_goal_of_a_directive_without_a_line_for_it_is_its_first_open_task() -> None:
    tight = f"--- SESSION CONTINUATION ---\nRule: {RULE}\n[ ] Write the worker (in progress) — left: test it\n--- END CONTINUATION ---\n"
    now = distil(person(f"{tight}\nContinue.")).knowledge.situation
    assert now.objective is not None
    assert now.objective.text == "Write the worker"


def test_the_question_that_a_decision_answers_comes_back() -> None:
    line = "- 30 days. — Answers: Should the queue be kept for 7 or 30 days? — Rejected: 7 days [a8!]\n"
    done = distil(person(DIRECTIVE.replace("- Not: Use Redis", f"{line}- Not: Use Redis")))
    decision = next(a for a in done.current(AnchorType.DECISION) if a.text == "30 days.")
    assert (decision.rationale, decision.rejected) == ("Should the queue be kept for 7 or 30 days?", "7 days")


def test_what_is_superseded_does_not_come_back() -> None:
    done = distil(person(DIRECTIVE))
    assert not any("Use Redis for the queue." in text for text in done.texts())
    assert [a.text for a in done.knowledge.superseded] == ["Use Redis for the queue."]


@pytest.mark.parametrize(
    "message",
    [
        harness(f"<system-reminder>\nSessionStart:startup hook additional context: {DIRECTIVE}</system-reminder>"),
        harness(f"You are a coding agent.\n\n{DIRECTIVE}", Role.SYSTEM),
        said(f"This session is being continued from a previous conversation.\n\n{DIRECTIVE}", Voice.SUMMARY),
        person(f"```\n{DIRECTIVE}```"),
        person(DIRECTIVE.replace("\n", "\r\n")),
    ],
)
def test_it_is_read_in_every_voice_that_instructs(message: Message) -> None:
    done = distil(message)
    assert done.texts(AnchorType.CONSTRAINT) == [RULE]
    assert len(done.knowledge.tasks) == 3


def test_words_around_the_brackets_are_the_persons_own() -> None:
    done = distil(person(f"Always run the linter before you commit.\n\n{DIRECTIVE}\nPlease write the metrics module now."))
    assert done.texts(AnchorType.CONSTRAINT) == [RULE, "Always run the linter before you commit."]
    request = done.knowledge.situation.latest_request
    assert request is not None
    assert request.text in ("Please write the metrics module now.", "Always run the linter before you commit.")
    assert done.state.turn_count == 1


def test_a_directive_alone_is_no_request() -> None:
    assert distil(person(DIRECTIVE)).state.turn_count == 0


@pytest.mark.parametrize(
    "messages",
    [
        (call("Read", file_path="x.md"), result(DIRECTIVE)),
        (agent(f"This is what I would hand over:\n\n{DIRECTIVE}"),),
        (harness(f"Called the Read tool with {{}}\nResult of calling the Read tool:\n{DIRECTIVE}"),),
        (harness(f"<bash-stdout>\n{DIRECTIVE}</bash-stdout>"),),
        (person(f'Look at this: <file_content path="x.md">\n{DIRECTIVE}</file_content>'),),
        (Message(Role.USER, (Part(PartKind.TEXT, Voice.HARNESS, DIRECTIVE, data={"attachment": "x.md"}),), ""),),
    ],
)
def test_in_data_it_is_no_directive(messages: tuple[Message, ...]) -> None:
    assert not any(a.method.startswith("directive") for a in distil(*messages).current())


def test_later_words_correct_and_complete_what_was_carried() -> None:
    done = distil(
        person(DIRECTIVE),
        person("Use Redis instead of Postgres after all."),
        agent("Done: I added the metrics to the worker, and all tests pass."),
    )
    assert "Use Postgres instead of Redis for the queue" not in done.texts(AnchorType.DECISION)
    status = {t.description: t.status for t in done.knowledge.tasks}
    assert status["Add metrics to the worker"] is TaskStatus.COMPLETED
    assert status["Write the worker"] is TaskStatus.IN_PROGRESS


def test_a_list_of_the_new_session_takes_up_the_carried_task() -> None:
    todos = [{"content": "read the docs", "status": "completed"}, {"content": "test it", "status": "completed"}]
    done = distil(person(DIRECTIVE), call("TodoWrite", todos=todos), result("ok"))
    assert {t.description: t.status for t in done.knowledge.tasks}["Write the worker"] is TaskStatus.COMPLETED
    assert len(done.knowledge.tasks) == 3


def test_the_later_of_two_wins() -> None:
    later = DIRECTIVE.replace("Use Postgres instead of Redis for the queue", "Use Kafka for the queue instead of Postgres")
    later = later.replace("- [ ] Add metrics to the worker (not started)", "- [x] Add metrics to the worker")
    later = later.replace(
        "Not: Use Redis for the queue. (replaced by a3)", "Not: Use Postgres instead of Redis for the queue (replaced by a3)"
    )
    done = distil(person(DIRECTIVE), person(later))
    assert done.texts(AnchorType.DECISION) == ["Use Kafka for the queue instead of Postgres"]
    assert {t.description: t.status for t in done.knowledge.tasks}["Add metrics to the worker"] is TaskStatus.COMPLETED
    assert len(done.texts(AnchorType.CONSTRAINT)) == 1


def test_read_twice_it_changes_nothing() -> None:
    once, twice = distil(person(DIRECTIVE)), distil(person(DIRECTIVE), person(DIRECTIVE))
    assert twice.changes == once.changes


@pytest.mark.parametrize("end", range(40, len(DIRECTIVE), 97))
def test_cut_anywhere_it_tells_what_is_left(end: int) -> None:
    done = distil(person(DIRECTIVE[:end]))
    assert (RULE in done.texts()) is (DIRECTIVE.find(RULE) + len(RULE) <= end)


def test_brackets_within_brackets_and_foreign_sections_do_no_harm() -> None:
    nested = f"--- SESSION CONTINUATION ---\n## Rules and preferences\n- Be kind. [a9!]\n{DIRECTIVE}--- END CONTINUATION ---\n"
    assert distil(person(nested)).texts(AnchorType.CONSTRAINT) == ["Be kind.", RULE]
    mangled = DIRECTIVE.replace("## Facts", "## Weather\n- sunny").replace("[a3!]", "[a3").replace("- [ ] ", "[ ] ")
    assert RULE in distil(person(mangled)).texts()


def test_the_bracket_line_alone_is_the_persons_own_word() -> None:
    done = distil(person("Never print this line:\n--- SESSION CONTINUATION ---\nin a log."))
    assert done.state.turn_count == 1


def test_a_huge_one_is_read_in_part() -> None:
    huge = DIRECTIVE.replace("## Facts\n", "## Facts\n" + "".join(f"- Fact number {n} is {n * 7}. [a{n + 10}]\n" for n in range(250_000)))
    assert len(huge) > 8_000_000
    done = distil(person(huge))
    assert RULE in done.texts()
    assert len(done.current()) < 5000


def test_the_agents_last_thought_is_read_back_as_such() -> None:
    plan = "First I test the worker, then I count its jobs."
    line = "- User: “Please go on with the worker.” [m7]\n"
    turn = distil(person(DIRECTIVE.replace(line, f"{line}- The agent’s last thought: “{plan}” [m8]\n"))).knowledge.turns[-1]

    assert turn.thought is not None
    assert (turn.thought.text, turn.request and turn.request.text) == (plan, "Please go on with the worker.")
