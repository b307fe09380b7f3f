"""The request in work and the agent's last words."""

from __future__ import annotations

from dataclasses import replace

import pytest

from continuity.knowledge.model import AnchorType, Knowledge, Quote, Ref, RequestKind, RequestStep, Truth, Turn
from handoffs.contract.model import SectionKind
from handoffs.directive.lines.goal import ending
from tests.packages.samples import KNOWLEDGE, anchor, prepared, quote, rows_of

FOUND = (
    "Two of the transitions go past the logger: the end of a turn, which calls the machine itself, and the end of a session, which"
    " does the same two hundred lines below. Both have to ask the strategy instead, so that each change of the phase is logged with"
    " where it came from; the first is the smaller one, and nobody reads what it returns. "
)
# More than any budget holds, and each worth more for its length than a long answer.
FACTS = tuple(anchor(AnchorType.FACT, f"Crane {n} of yard {n * 7} lifts {n * 13} tons at berth {n * 3}.", n) for n in range(20, 700))


def told(knowledge: Knowledge, budget: int) -> list[str]:
    package = prepared(knowledge, budget=budget).package
    return [item.text for section in package.sections if section.kind is SectionKind.LAST for item in section.items]


@pytest.fixture
def crowded() -> Knowledge:
    turns = (
        Turn(701, quote("Is the harbour done?", 701), quote("It is done.", 702)),
        Turn(703, quote("Why does the log say nothing?", 703), quote(FOUND + "Let me fix them.", 705)),
    )
    return replace(KNOWLEDGE, anchors=(*KNOWLEDGE.anchors, *FACTS), turns=turns, through_seq=705)


def test_it_works() -> None:
    turn = Turn(16, quote("Why does the log say nothing?", 16), quote(FOUND, 17))
    found = told(replace(KNOWLEDGE, turns=(turn,)), 4000)
    assert found == [FOUND.strip()]


@pytest.mark.parametrize("budget", [900, 2000, 4000])
def test_what_the_agent_said_last_is_told_whatever_else_there_is(crowded: Knowledge, budget: int) -> None:
    (last,) = [text for text in told(crowded, budget) if "Two of the transitions" in text]
    assert "Let me fix them." in last or len(last) < len(FOUND)


def test_a_long_answer_is_told_to_its_end() -> None:
    asked = "I left the index alone. Say the word and I'll rename it."
    turn = Turn(16, quote("Why does the log say nothing?", 16), quote(FOUND * 8 + asked, 17))
    (last,) = [line for line in told(replace(KNOWLEDGE, turns=(turn,)), 2000) if line.startswith("Two of the transitions")]
    assert last.endswith(asked) and len(last) < len(FOUND) * 9


def test_words_of_several_lines_keep_their_form_behind_a_mark() -> None:
    offer = "I can:\n\n1. rename the index\n2. drop it\n\n## END\n```\nDROP INDEX x;\n```"
    turns = (Turn(16, quote("What can be done?", 16), quote(offer, 17)), Turn(18, quote("the first, please", 18), None))
    rows = [*rows_of(turns[:1]), replace(rows_of(turns[1:])[0], kind=RequestKind.ANSWER)]
    text = prepared(replace(KNOWLEDGE, turns=turns, requests=tuple(rows))).text
    assert "- The agent then said [m17]:\n  > I can:\n  >\n  > 1. rename the index\n  > 2. drop it" in text
    assert "- The user answered: “the first, please” [m18]" in text
    assert not [line for line in text.splitlines() if line.startswith("## END")]


def test_what_a_report_announced_at_its_end_is_over() -> None:
    report = quote("The lock is taken twice, which blocks the writer. Let me check who else reads it.", 17)
    turn = Turn(16, quote("Why does the log say nothing?", 16), quote(FOUND, 19), said=(report,))
    found = told(replace(KNOWLEDGE, turns=(turn,)), 4000)
    assert "The lock is taken twice, which blocks the writer." in found
    assert not any("Let me check" in words for words in found)


def test_what_the_agent_said_before_it_changed_files_is_told_as_a_step_and_not_as_a_fact() -> None:
    words = "The flag is known in the summary already. I just need to add it to the condition."
    knowledge = replace(KNOWLEDGE, anchors=(anchor(AnchorType.FACT, words, 17, truth=Truth.CLAIMED),), through_seq=19)
    (row,) = rows_of((Turn(16, quote("Hide the costs.", 16), None),))

    def facts(step: RequestStep) -> list[str]:
        package = prepared(replace(knowledge, requests=(replace(row, steps=(step,)),)), budget=4000).package
        return [item.text for section in package.sections if section.kind is SectionKind.FACTS for item in section.items]

    assert facts(RequestStep(words, 18)) == [words]
    assert facts(RequestStep(words, 18, ("/home/ada/shop/summary.tsx",))) == []


def test_an_ending_does_not_begin_within_code() -> None:
    text = "Two ways.\n\n**Option 1: keep it**\n```go\nfunc keep() {\n    return\n}\n```\n**Option 2: drop it**\n\nWhich one?"
    assert ending(text, 60) == "**Option 2: drop it** Which one?"
    assert ending(text, 400).startswith("Two ways. **Option 1: keep it** ```go func keep()")


def reported(text: str, *steps: RequestStep) -> str:
    (row,) = rows_of((Turn(16, quote("Look at the review, and mend what is so.", 16), None),))
    return prepared(replace(KNOWLEDGE, through_seq=30, requests=(replace(row, told=(quote(text, 17),), steps=steps),)), budget=4000).text


FINDINGS = (
    "1. **The lock is no lock**: two writers may get it.\n2. **No time limit**: a call that hangs blocks all.\n3. **The name is odd.**"
)


def test_findings_from_before_the_changes_are_told_as_such_with_the_files_changed_for_each() -> None:
    assert "- Reported while working [m17]:\n  > 1. **The lock" in reported(FINDINGS)
    text = reported(
        FINDINGS,
        RequestStep("Fix 1: take the lock at once", 18, ("lock.py",)),
        RequestStep("Issue #2: limit the time", 20, ("a.py", "b.py")),
    )
    assert "- Reported before the changes [m17]:" in text
    assert "two writers may get it. → lock.py\n" in text
    assert "a call that hangs blocks all. → a.py, b.py\n" in text
    assert "**The name is odd.**\n" in text
    for said in ("Fix 1: sort the tables", "Fix 1: take the lock. Fix 2: limit the time"):
        assert "get it.\n" in reported(FINDINGS, RequestStep(said, 18, ("lock.py",))), "of another list, or of several items"
    assert "Reported while working" in reported(FINDINGS, RequestStep("Begin", 15, ("x.py",)), RequestStep("Go on", 18, ("y.py",)))


def test_a_list_of_what_to_do_is_told_by_the_steps_that_did_it() -> None:
    plan = "1. Remove the callback of the button (line 474)\n2. Remove the button from the form (line 806)\n3. Look at the rest"
    step = RequestStep("Remove the callback of the button (line 474) Remove the button from the form (line 806)", 18, ("form.tsx",))
    assert "Look at the rest" in reported(plan)
    assert "Look at the rest" not in reported(plan, step)


def test_what_a_helper_reported_before_the_changes_says_so() -> None:
    report = quote("## Where it is shown\nThe costs are shown in the summary, at lines 582 to 593, also in the cloud.", 18)
    (row,) = rows_of((Turn(16, quote("Hide the costs in the cloud.", 16), None),))

    def told(*steps: RequestStep) -> str:
        known = replace(
            KNOWLEDGE, requests=(replace(row, steps=steps),), situation=replace(KNOWLEDGE.situation, reports=(report,)), through_seq=30
        )
        return prepared(known, budget=4000).text

    assert "- A helper reported [m18]:" in told()
    assert "- A helper reported, before the changes [m18]:" in told(RequestStep("Hide them in the cloud", 20, ("summary.tsx",)))
    assert "- A helper reported [m18]:" in told(RequestStep("Begin", 17, ("summary.tsx",)))


def test_the_step_in_which_the_last_words_led_is_told_where_they_are_not() -> None:
    words = "Let me check who reads it. Let me try with a plain prompt instead:"
    (row,) = rows_of((Turn(16, quote("Is the terminal used at all?", 16), quote(f"Good question. {words}", 17)),))
    step = RequestStep(words.rstrip(":"), 18, ("harbour/prompt_test.go",))
    text = prepared(replace(KNOWLEDGE, requests=(replace(row, steps=(step,), files=step.files),), through_seq=20), budget=4000).text
    assert "- Step by step: “Check who reads it. Try with a plain prompt instead”" in text


def test_a_report_that_turns_round_keeps_what_it_chose() -> None:
    words = "Actually, the better approach: rename the locals. But that is much larger than what was asked."
    report = quote(f"{words} Let me just put the alias back since it avoids the clash.", 17)
    turn = Turn(16, quote("Why does the log say nothing?", 16), quote(FOUND, 19), said=(report,))
    assert any("put the alias back since it avoids the clash" in each for each in told(replace(KNOWLEDGE, turns=(turn,)), 4000))


def test_the_last_words_stay_whole_where_little_is_left_without_the_run_that_they_announce() -> None:
    closing = quote("Still used. Good. Now let me run format and build to verify.", 17)
    step = Quote("Now let me run format and build to verify.", Ref(17, 0, 18, 60))
    now = replace(KNOWLEDGE.situation, next_step=step, looked_up=True, waiting=False)
    turn = Turn(16, quote("Create the shim.", 16), closing)
    assert told(replace(KNOWLEDGE, turns=(turn,), situation=now, through_seq=20), 4000) == [closing.text]


def test_the_last_thought_is_told_with_the_option_that_it_took_and_without_the_next_step() -> None:
    lead = "I'll add a function that uses `check-name` to validate the name before it is used."
    step = Quote("Let me add the function to the reader.", Ref(19, 0, 90, 130))
    took = quote("Option (a) is the safer approach - the name comes from outside.", 18)
    asked = quote("Please either (a) validate the name, or (b) mend the comment.", 16)
    turn = Turn(16, asked, None, thought=quote(f"{lead}\n\n{step.text}", 19), weighed=(took,))
    now = replace(KNOWLEDGE.situation, next_step=step, waiting=False, begun=False)
    (thought,) = told(replace(KNOWLEDGE, turns=(turn,), requests=tuple(rows_of((turn,))), situation=now, files=(), through_seq=19), 4000)
    assert thought == f"{took.text}\n{lead}"
