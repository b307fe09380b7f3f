"""What evidence becomes in a package: trees, looks, checks, definitions, finished lists, names, and what anchors are worth."""

from __future__ import annotations

from dataclasses import replace

from continuity.knowledge.evidence import ChangedFile, Keeping, MadeOutside, RefusedCall
from continuity.knowledge.model import (
    AnchorType,
    CommandRun,
    FileAction,
    FileTouch,
    Quote,
    Ref,
    Request,
    RequestKind,
    Situation,
    Task,
    TaskStatus,
    Truth,
    Turn,
)
from handoffs.budgeting.limits import limits_for
from handoffs.contract.model import Options
from handoffs.directive.lines.anchors import anchor_candidates, worth
from handoffs.directive.lines.checks import check_candidates
from handoffs.directive.lines.coming.next_steps import next_candidates
from handoffs.directive.lines.evidence import evidence_candidates
from handoffs.directive.lines.files import file_candidates
from handoffs.directive.lines.goal import goal_candidates
from handoffs.directive.lines.last_words import last_words_candidates
from handoffs.directive.lines.tasks import task_candidates
from handoffs.directive.lines.work_place import work_place_candidates
from handoffs.directive.past.history import history_candidates
from handoffs.directive.references import References
from tests.packages.samples import KNOWLEDGE, anchor, quote, rows_of

LIMITS = limits_for(4000)


def state(situation: Situation, *files: FileTouch) -> list[tuple[str, str]]:
    known = replace(KNOWLEDGE, situation=situation, files=files)
    return [(c.item.label, c.item.text) for c in work_place_candidates(known, LIMITS)]


def checks(situation: Situation, *files: FileTouch) -> list[tuple[str, str]]:
    found = check_candidates(replace(KNOWLEDGE, situation=situation, files=files), LIMITS)
    return [(c.item.label, c.item.text) for c in found]


def test_it_works() -> None:
    assert state(Situation(trees=(quote("clean", 2),))) == [("tree", "clean")]


def test_the_last_tree_commits_and_changes_outside_are_told() -> None:
    told = state(
        Situation(
            trees=(quote("not staged: a.py", 2), quote("clean", 9)),
            commits=(quote("[main abc1234] One", 3), quote("[main abc1235] Two", 4)),
            outside=("gh pr merge 42",),
        )
    )
    assert told == [
        ("earlier commit", "abc1234 (on main) One"),
        ("commit", "abc1235 (on main) Two"),
        ("tree", "clean"),
        ("outside", "gh pr merge 42"),
    ]


def test_a_tree_that_a_commit_has_overtaken_is_not_told() -> None:
    seen = (quote("not staged: a.py", 2), quote("not staged: b.py", 5))

    told = [text for label, text in state(Situation(trees=seen, commits=(quote("[main abc1234] One", 7),))) if label.startswith("tree")]

    assert told == []


def test_a_tree_that_an_edit_has_overtaken_is_not_told() -> None:
    edited = FileTouch("jobs/nightly.py", FileAction.MODIFIED, 6, 6)

    assert state(Situation(trees=(quote("clean", 5),)), edited) == []
    assert state(Situation(trees=(quote("clean", 7),)), edited) == [("tree", "clean")]


def test_what_was_agreed_to_is_told_as_answered_once_it_was() -> None:
    offer, report = quote("Shall I rename the index?", 8), quote("Renamed.", 12)
    turns = (Turn(3, quote("Look at the indexes.", 3), offer), Turn(9, quote("yes", 9), report))

    def labels(situation: Situation) -> list[str]:
        found = next_candidates(replace(KNOWLEDGE, situation=situation, turns=turns, requests=()), Options(), LIMITS)
        return [c.item.label for c in found if c.item.text == offer.text]

    assert labels(Situation(latest_request=offer, waiting=False)) == ["agreed"]
    assert labels(Situation(latest_request=offer, waiting=True, waiting_for=report)) == ["agreed before"]


def test_a_narrow_check_does_not_hide_a_wider_one() -> None:
    whole, part = CommandRun("pytest", 3, 1, False, "2 failed"), CommandRun("pytest tests/a.py -q | tail -3", 5, 0, True, "4 passed")
    checked = (whole, replace(part, command="pytest tests/a.py -q"))
    told = dict(checks(Situation(verification=part, checks=checked)))
    assert told["check"].startswith("`pytest tests/a.py -q | tail -3` passed")
    assert told["also checked"].startswith("`pytest` failed")


def test_what_a_check_printed_before_changes_that_were_checked_since_is_not_told() -> None:
    lint, test = (
        CommandRun("make lint", 3, 0, True, "0 issues in 214 rows of the whole project, and no warning."),
        CommandRun("make test", 9, 0, True, "4 passed"),
    )
    now, file = Situation(verification=test, checks=(lint,)), FileTouch("a.py", FileAction.MODIFIED, 5, 5)
    assert "also checked" not in dict(checks(now, file))
    assert dict(checks(now))["also checked"].endswith("no warning.” — before this request")


def test_a_command_that_begins_like_a_check_is_still_told() -> None:
    run = Situation(
        checks=(CommandRun("make", 17, 0, True),),
        recent_commands=(CommandRun("make 2>&1", 17), CommandRun("make deploy", 18, 0, True, "done")),
    )
    assert [text for _, text in state(run)] == ["`make deploy` passed (exit 0): “done”"]


def test_changes_that_nobody_checked_are_called_so() -> None:
    changed, read = FileTouch("a.py", FileAction.MODIFIED, 2, 2), FileTouch("b.py", FileAction.READ, 2, 2)
    assert [label for label, _ in checks(Situation(), changed)] == ["never checked"]
    assert checks(Situation(), read) == []
    assert [label for label, _ in checks(Situation(checks=(CommandRun("make", 3, 0, True),)), changed)] == ["also checked"]


def test_files_tell_the_latest_names_they_define_unless_deleted() -> None:
    names = tuple(f"name_{i}" for i in range(9))
    files = (FileTouch("src/a.py", FileAction.MODIFIED, 2, 4, symbols=names), FileTouch("b.py", FileAction.DELETED, 3, 3, symbols=names))
    knowledge = replace(KNOWLEDGE, files=files)
    told = [c.item.text for c in file_candidates(knowledge, References(knowledge))]
    assert told == ["src/a.py — defines name_3, name_4, name_5, name_6, name_7, name_8", "b.py"]


def test_finished_lists_tell_their_last_steps() -> None:
    steps = tuple(f"step {i}." for i in range(9))
    task = Task("t", "Move the job", TaskStatus.COMPLETED, 1, 2, "todo", (*steps, "Move the job"))
    knowledge = replace(KNOWLEDGE, tasks=(task,))
    (told,) = task_candidates(knowledge, References(knowledge), LIMITS)
    assert told.item.text == "Move the job — done: step 0; step 1; step 2; step 3; step 4; step 5; step 6; step 7; step 8"


def test_a_nod_is_not_told() -> None:
    turns = (Turn(1, quote("Okay.", 1), quote("Shall I go on?", 2)), Turn(3, quote("Okay, with the second one.", 3), None))
    known = replace(KNOWLEDGE, requests=rows_of(turns))
    told = [c.item.text for c in (*history_candidates(known, LIMITS), *goal_candidates(known, LIMITS))]
    assert "Okay." not in told
    assert "Okay, with the second one." in told


def test_what_a_person_said_keeps_more_of_its_worth() -> None:
    early = [anchor(AnchorType.FACT, "x", 1, truth=truth) for truth in (Truth.STATED, Truth.OBSERVED, Truth.CLAIMED)]
    worths = [worth(each, 100) / each.importance for each in early]
    assert worths == sorted(worths, reverse=True)
    assert worth(replace(early[0], ref=quote("x", 100).ref), 100) == early[0].importance


def test_what_a_tool_printed_that_says_nothing_by_itself_is_left_out() -> None:
    torn = "To determine this, you parse the ledger of the shop by hand."
    said = ((3, torn), (5, "The ledger holds all sales of the shop."))
    facts = tuple(anchor(AnchorType.FACT, text, seq, truth=Truth.OBSERVED, critical=False) for seq, text in said)
    known = replace(KNOWLEDGE, anchors=facts)
    found = anchor_candidates(known, References(known), LIMITS)
    told = "\n".join(c.item.text for c in found)
    assert "ledger holds" in told and "To determine" not in told


def test_the_last_thought_is_told_of_the_last_turn_only() -> None:
    turns = tuple(replace(Turn(seq, quote("Why so?", seq), None), thought=quote(f"It is since {seq}.", seq + 1)) for seq in (1, 5))
    found = last_words_candidates(replace(KNOWLEDGE, turns=turns, requests=rows_of(turns), files=()), LIMITS)
    assert [(c.item.label, c.item.text) for c in found if c.item.label == "thought"] == [("thought", "It is since 5.")]


def test_later_requests_weigh_more_and_are_told_longer() -> None:
    said = "The word stands in `cart.py`. " * 60
    turns = tuple(Turn(seq, quote("word " * 900, seq), quote(said, seq)) for seq in range(1, 30))
    told = [c.item for c in history_candidates(replace(KNOWLEDGE, requests=rows_of(turns)), LIMITS) if c.item.label == "agent"]
    first, last = min(told, key=lambda item: item.seq), max(told, key=lambda item: item.seq)
    assert last.importance > first.importance
    assert len(first.text) < len(last.text)


def test_a_file_that_was_made_and_deleted_again_is_not_left_to_commit() -> None:
    made, gone = FileTouch("entire", FileAction.CREATED, 3, 3), FileTouch("entire", FileAction.DELETED, 5, 5)
    situation = Situation(changed=(ChangedFile("entire", Keeping.UNCOMMITTED, 5),))

    def uncommitted(*files: FileTouch) -> list[str]:
        found = work_place_candidates(replace(KNOWLEDGE, situation=situation, files=files), LIMITS)
        return [c.item.text for c in found if c.item.label == "uncommitted"]

    assert uncommitted(made, gone) == []
    assert uncommitted(made) == uncommitted(gone, replace(made, seq=7, last_seq=7)) == ["entire"]
    assert uncommitted(gone) == ["entire (deleted)"]


def test_of_what_was_made_elsewhere_each_is_named_those_of_one_kind_together() -> None:
    made = (*(MadeOutside("comment", str(number), number) for number in range(1, 8)), MadeOutside("issue", "90", 9))
    known = replace(KNOWLEDGE, situation=Situation(made=made))
    (told,) = (c.item.text for c in work_place_candidates(known, LIMITS) if c.item.label == "made outside")
    assert told == "7 comments: 1, 2, 3, 4, 5, 6, 7; issue 90"
    place = "https://git.example/ada/shop/pull/7"
    replies = tuple(MadeOutside("comment", str(number), number, f"{place}#discussion_r{number}") for number in (11, 12))
    sent = ("gh api repos/ada/shop/pulls/7/comments/3/replies, repos/ada/shop/pulls/7/comments/4/replies", "gh pr merge 7")
    found = work_place_candidates(replace(KNOWLEDGE, situation=Situation(made=replies, outside=sent)), LIMITS)
    assert [c.item.text for c in found if c.item.label in ("made outside", "outside")] == [
        f"2 comments at {place}: 11, 12",
        "gh pr merge 7",
    ]


def test_a_refusal_whose_words_the_history_tells_as_a_request_is_told_there() -> None:
    said = "Log it instead of printing it."
    row = Request(5, RequestKind.CORRECTION, Quote(said, Ref(5)), 6, files=("a.py",))
    late = Request(12, RequestKind.REQUEST, Quote("Now write it down.", Ref(12)), 12)
    refused = (RefusedCall(5, "Edit", "a.py", said), RefusedCall(7, "Bash", "rm -r data", "Not that."))
    known = replace(KNOWLEDGE, requests=(row, late), situation=Situation(refusals=refused))
    assert [c.item.text for c in evidence_candidates(known, LIMITS) if c.item.label == "refused"] == [
        "Bash “rm -r data”, and said instead: “Not that.”"
    ]
    change = replace(refused[0], target="a.py: - print(row) + print(row, 2)")
    known = replace(known, situation=Situation(refusals=(change,)))
    (told,) = (c.item.text for c in evidence_candidates(known, LIMITS) if c.item.label == "refused")
    assert told == f"Edit “{change.target}”, and said instead: “{said}”"


def test_a_refused_look_was_stopped_for_the_words_that_the_history_tells() -> None:
    said = "The test fails because of the message, see above."
    row = Request(5, RequestKind.REQUEST, Quote(said, Ref(5)), 6)
    late = Request(12, RequestKind.REQUEST, Quote("Now write it down.", Ref(12)), 12)
    for target, told in (("cd app && git log --all --oneline", 0), ("cd app && git push --force", 1)):
        known = replace(KNOWLEDGE, requests=(row, late), situation=Situation(refusals=(RefusedCall(5, "Bash", target, said),)))
        assert sum(c.item.label == "refused" for c in evidence_candidates(known, LIMITS)) == told
