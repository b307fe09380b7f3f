"""Each thing in one place: facts with the answer that claimed them, a decision with the request, a refused commit in its line."""

from __future__ import annotations

from dataclasses import replace

import pytest

from continuity.knowledge.evidence import CodeEdit, Failure
from continuity.knowledge.model import (
    Anchor,
    AnchorType,
    CommandRun,
    FileAction,
    FileTouch,
    Quote,
    Ref,
    Request,
    RequestKind,
    RequestState,
    RequestStep,
    Situation,
    Truth,
)
from handoffs.contract.model import SectionKind
from tests.knowledge.talk import agent, call, distil, person, ran, result
from tests.packages.samples import KNOWLEDGE, anchor, prepared

ANSWER = "The importer is slow for two reasons. " + "It reads each file from its beginning to its end. " * 6
FACT = "Each worker opens a connection of its own to the invoice store."
ASKED = Request(
    2,
    RequestKind.QUESTION,
    Quote("Why is the importer slow?", Ref(2)),
    6,
    outcome=Quote(f"{ANSWER}\n\n{FACT}", Ref(6)),
    tells=True,
    state=RequestState.ANSWERED,
)
MORE = replace(ASKED, seq=8, text=Quote("And which files are the largest of them all today?", Ref(8)), last_seq=10, outcome=None)
WORK = Request(12, RequestKind.REQUEST, Quote("Now share the connections among the workers of one machine.", Ref(12)), 18)


def claimed(text: str, seq: int, method: str = "fact.report") -> Anchor:
    return anchor(AnchorType.FACT, text, seq, truth=Truth.CLAIMED, method=method)


def sections(*anchors: Anchor, requests: tuple[Request, ...] = (ASKED, MORE, WORK)) -> dict[SectionKind, list[str]]:
    package = prepared(replace(KNOWLEDGE, anchors=anchors, superseded=(), requests=requests), budget=4000).package
    return {section.kind: [item.text for item in section.items] for section in package.sections}


def test_it_works() -> None:
    known = claimed("The pool of the store allows twelve connections at most.", 6)
    told = sections(known)
    assert known.text in told[SectionKind.RECENT], "beside the rest of the answer"
    assert known.text not in told.get(SectionKind.FACTS, [])


def test_what_was_claimed_in_no_answer_has_a_line_of_its_own() -> None:
    known = claimed("The root cause is a lock that nobody gives back.", 15, "fact.cause")
    assert known.text in sections(known)[SectionKind.FACTS]


def test_a_decision_in_the_words_of_the_request_is_a_part_of_it() -> None:
    chosen = anchor(AnchorType.DECISION, WORK.text.text, 12, rationale="What should come next?", method="decision.asked")
    told = sections(chosen)
    assert told.get(SectionKind.DECISIONS, []) == []
    (goal,) = (text for text in told[SectionKind.NEXT] if text == WORK.text.text)
    assert goal


def test_a_refused_commit_is_told_in_one_line_and_by_its_subject() -> None:
    message = "git commit -m \"$(cat <<'EOF'\nShare the connections\n\nCo-Authored-By: Some Agent <noreply@example.org>\nEOF\n)\""
    refused = CommandRun(message, 16, 1, False, "hook: two files are too long")
    before = replace(refused, seq=14)
    now = Situation(blocked=(refused,), recent_commands=(before, refused), cwd="/srv/billing")
    text = prepared(replace(KNOWLEDGE, requests=(WORK,), situation=now), budget=4000).text
    assert text.count("git commit") == 1
    assert 'Refused and not done: `git commit -m "Share the connections"` failed (exit 1): “hook: two files are too long”' in text


def test_an_announcement_is_over_once_a_later_step_was_told() -> None:
    step = RequestStep("Add the pool to the settings", 16, ("settings.py",))
    now = Situation(next_step=Quote("Now let me look for the settings.", Ref(14)), begun=True, waiting=False)
    told = prepared(replace(KNOWLEDGE, requests=(replace(WORK, files=("settings.py",), steps=(step,)),), situation=now)).text
    assert "let me look for the settings" not in told
    earlier = replace(WORK, files=("settings.py",), steps=(replace(step, seq=13),))
    assert "let me look for the settings" in prepared(replace(KNOWLEDGE, requests=(earlier,), situation=now)).text


def test_the_offer_begins_at_no_later_point_of_a_list() -> None:
    points = "\n".join(f"{number}. Step {number} of the work, which is told in quite a few words of its own" for number in range(1, 9))
    plan = f"This is how it goes:\n\n{points}\n\nAll data is there already. Want me to implement this?"
    told = prepared(distil(person("How would you count the tokens?"), agent(plan), person("yes, please do")).knowledge, budget=4000).text
    (offer,) = (line for line in told.splitlines() if "said yes to" in line)
    assert "“All data is there already. Want me to implement this?”" in offer


def test_a_correction_stands_with_the_answer_that_it_corrects() -> None:
    answer = "The dashboard lists the runs of the last week, and it never shows a session of the command line."
    known = distil(
        person("I cannot see any sessions in the dashboard."),
        *ran("ls runs", "a\nb"),
        agent(f"{answer} A run is listed once its summary is written. Recover those that stopped, and start the dashboard again."),
        person("no, I mean the sessions of the recorder that is set up in .recorder"),
        *ran("cat .recorder/settings.json", "{}", call_id="c2"),
    ).knowledge
    text = prepared(known, budget=4000).text
    assert "I mean the sessions of the recorder" in text
    assert answer in text


def test_a_call_without_a_result_is_told_with_what_it_would_change() -> None:
    known = distil(
        person("Rename the limit."),
        call("Edit", "e1", file_path="/home/ada/shop/limits.py", old_string="LIMIT = 5", new_string="MOST = 5"),
    ).knowledge
    text = prepared(known, budget=4000).text
    assert "limits.py (the call that has no result: look whether the file holds it)" in text
    assert "+MOST = 5" in text
    done = distil(
        person("Rename the limit."),
        call("Edit", "e1", file_path="/home/ada/shop/limits.py", old_string="LIMIT = 5", new_string="MOST = 5"),
        result("ok", "e1"),
    ).knowledge
    assert "has no result" not in prepared(done, budget=4000).text


def test_commits_that_a_pull_brought_are_not_told_as_done_for_the_request() -> None:
    known = distil(
        person("Please start with the export."),
        *ran("git pull", "Updating 1a2b3c4d..d222bd0b\nFast-forward\n a.py | 2 +-\n 1 file changed, 1 insertion(+), 1 deletion(-)"),
        *ran("git commit -am 'Begin the export'", "[main 3fa91c2] Begin the export\n 1 file changed, 2 insertions(+)", call_id="g1"),
    ).knowledge
    assert known.requests[-1].commits == ("[main 3fa91c2] Begin the export",)
    assert [commit.text for commit in known.situation.commits] == ["d222bd0b (fast-forward)", "[main 3fa91c2] Begin the export"]


def test_a_claim_of_what_was_wrong_with_a_file_is_over_once_the_file_was_changed_and_nothing_fails() -> None:
    wrong = claimed("The issue is that cart.py holds the total twice.", 13, "fact.cause")
    row = replace(WORK, files=("cart.py",))
    file = FileTouch("cart.py", FileAction.MODIFIED, 15, 15)
    known = replace(KNOWLEDGE, anchors=(wrong,), superseded=(), requests=(row,))
    assert wrong.text in prepared(replace(known, files=()), budget=4000).text
    assert wrong.text not in prepared(replace(known, files=(file,)), budget=4000).text
    failing = Situation(failures=(Failure("pytest", 16, test="test_cart"),), verification=CommandRun("pytest", 16, 1, False, "1 failed"))
    assert wrong.text in prepared(replace(known, files=(file,), situation=failing), budget=4000).text


def test_an_answer_that_only_says_what_comes_next_is_no_answer() -> None:
    words = "The strategy files were changed by the linter, and not by us. Let me revert those changes first:"
    row = replace(ASKED, outcome=Quote(words, Ref(6)))
    text = prepared(replace(KNOWLEDGE, requests=(row, MORE, WORK)), budget=4000).text
    assert "The strategy files were changed by the linter, and not by us.”" in text
    assert "Let me revert" not in text


@pytest.mark.parametrize(
    "words", ["This is a restriction that can't be overridden.", "Calls follow with paths from the root:", "But it has two tables."]
)
def test_a_claim_that_says_nothing_by_itself_is_not_told(words: str) -> None:
    assert not any(words in text for lines in sections(claimed(words, 15, "fact.cause")).values() for text in lines)
    assert any(
        "The `root` is a" in text for text in sections(claimed("The `root` is a link to the disk.", 15, "fact.cause"))[SectionKind.FACTS]
    )


def test_what_fails_at_one_place_or_in_one_file_for_one_reason_is_told_together() -> None:
    here = Failure("go test ./...", 14, "TestEnable/manual", "setup_test.go:52", cause="Expected enabled, got Enabled (manual)")
    there, else_where = (
        replace(here, test=test, at=at) for test, at in (("TestDisable", "setup_test.go:75"), ("TestEnd", "end_test.go:5"))
    )
    case = replace(here, test="TestEnable/auto", cause="Expected enabled, got Enabled (auto)")
    now = Situation(failures=(here, case, there, else_where, replace(there, test="TestOther", at="setup_test.go:90", cause="timed out")))
    text = prepared(replace(KNOWLEDGE, requests=(WORK,), situation=now), budget=4000).text
    assert text.count("Failing: ") == 3
    together = (
        "Failing: “TestEnable/manual”, “TestEnable/auto” at setup_test.go:52, “TestDisable” at setup_test.go:75; because “Expected enabled"
    )
    assert together in text
    assert "Failing: “TestEnd” at end_test.go:5; because" in text and "Failing: “TestOther” at setup_test.go:90; because" in text


def test_those_that_failed_for_the_same_cause_are_told_together() -> None:
    here = Failure("go test ./...", 14, "TestOpen", "store_test.go:52", cause="git status failed: exit status 128")
    now = Situation(failures=(here, replace(here, test="TestClose", at="store_test.go:75")))
    text = prepared(replace(KNOWLEDGE, requests=(WORK,), situation=now), budget=4000).text
    assert "Failing: “TestOpen” at store_test.go:52, “TestClose” at store_test.go:75; because “git status failed: exit status 128”" in text


def test_an_edit_that_was_made_alike_in_several_files_is_told_once() -> None:
    one = CodeEdit("cli/status.go", 14, "-\tstate.LastInteractionAt = &now\n+\tstate.LastInteractionTime = &now")
    now = Situation(edits=(one, replace(one, path="cli/status_test.go", seq=15)), unwritten=(replace(one, path="cli/hooks.go", seq=16),))
    text = prepared(replace(KNOWLEDGE, requests=(WORK,), situation=now), budget=4000).text
    assert "status.go, status_test.go\n" in text
    assert "hooks.go (the call that has no result" in text
    assert text.count("state.LastInteractionTime = &now") == 2


def test_what_the_person_says_is_not_so_is_no_fact() -> None:
    def told(words: str) -> str:
        answer = "The root cause is the summary of the run, for which the dashboard waits. Recover those that stopped, and start it again."
        known = distil(
            person("I cannot see any sessions."), *ran("ls runs", "a"), agent(answer), person(words), *ran("ls", "b", call_id="c2")
        )
        return prepared(known.knowledge, budget=4000).text

    for words in ("i meant the sessions of the recorder", "no, I mean those of the recorder", "das ist falsch"):
        assert told(words).count("The root cause is the summary") == 1
        assert "- The agent had said, before the user corrected it: “The root cause is the summary" in told(words)
    assert "corrected it" not in told("start it again, and tell me how long it takes")
