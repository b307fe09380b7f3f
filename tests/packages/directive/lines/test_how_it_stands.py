"""How the work stands: the work place behind *Now*, what is not committed once, and the checks as a ladder."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from continuity.knowledge.directive_parser.grammar import SectionKind
from continuity.knowledge.directive_parser.lines import read_lines
from continuity.knowledge.evidence import UNDER_WAY, ChangedFile, CodeEdit, Keeping, MadeOutside
from continuity.knowledge.model import CommandRun, FileAction, FileTouch, Knowledge, Quote, Ref, Request, RequestKind, Situation
from handoffs.contract.model import Prepared
from handoffs.directive.lines.checks import shows_code
from handoffs.directive.lines.wording import one_line
from tests.knowledge.talk import distil, person
from tests.packages.samples import KNOWLEDGE, prepared

ASKED = Quote("Round the totals of the cart.", Ref(20))


def file(path: str, seq: int, *symbols: str, action: FileAction = FileAction.MODIFIED) -> FileTouch:
    return FileTouch(path, action, seq, seq, symbols=symbols)


def at(*rows: Request, files: tuple[FileTouch, ...] = (), **situation: Any) -> Knowledge:
    asked = rows or (Request(20, RequestKind.REQUEST, ASKED, 40, files=tuple(each.path for each in files)),)
    now = Situation(cwd="/home/ada/shop", branch="fix", waiting=False, **situation)
    return replace(KNOWLEDGE, requests=asked, files=files, situation=now, through_seq=40, anchors=(), tasks=(), turns=())


def told(known: Knowledge, budget: int = 4000) -> Prepared:
    return prepared(known, budget=budget)


CHANGED = (
    ChangedFile("/home/ada/shop/cart.py", Keeping.UNCOMMITTED, 30),
    ChangedFile("/home/ada/shop/pay.py", Keeping.UNKNOWN, 12),
)


def test_it_works() -> None:
    made = MadeOutside("pull request", "7", 31)
    text = told(at(commits=(Quote("[fix abc1234] Split totals", Ref(25)),), made=(made,), changed=CHANGED)).text
    place = [
        "## How it stands",
        "- Working directory: /home/ada/shop",
        "- Branch: fix",
        "- Last commit: “abc1234 Split totals”",
        "- Not committed: cart.py; probably, as no commit of it was seen: pay.py",
        "- Made outside the files: pull request 7",
    ]
    assert "\n".join(place) in text
    assert text.index("The user asked: “Round") < text.index("Go on: it is your turn.") < text.index("## How it stands")
    assert "## Work place" not in text, "nothing is left for it"
    read = [entry.label for entry in read_lines(text, 0, len(text)) if entry.kind is SectionKind.NEXT]
    assert {"cwd", "branch", "commit", "uncommitted", "made outside"} <= set(read)


def test_a_small_directive_tells_what_binds_beside_it() -> None:
    made = told(replace(at(changed=CHANGED), anchors=KNOWLEDGE.anchors), budget=1000)
    assert all(one_line(anchor.text) in made.text for anchor in KNOWLEDGE.anchors if anchor.critical)
    assert "- Not committed: cart.py" in made.text


def test_the_last_commit_is_told_once() -> None:
    row = Request(20, RequestKind.REQUEST, ASKED, 40, commits=("[fix abc1233] Round", "[fix abc1234] Split totals"))
    commits = (Quote("[fix abc1233] Round", Ref(24)), Quote("[fix abc1234] Split totals", Ref(25)))
    text = told(at(row, commits=commits)).text
    assert "Done for it so far: committed “abc1233 Round”; made the last commit" in text
    assert text.count("Split totals") == 1


def test_files_of_which_nothing_else_is_told_stand_in_the_list_alone() -> None:
    files = (
        file("/home/ada/shop/cart.py", 30),
        file("/home/ada/shop/pay.py", 12, "total"),
        file("/home/ada/shop/new.py", 13, action=FileAction.CREATED),
    )
    made = told(at(files=files, changed=(*CHANGED, ChangedFile("/home/ada/shop/new.py", Keeping.UNCOMMITTED, 13))))
    below = made.text.partition("## Files")[2]
    assert "cart.py" not in below
    assert "pay.py (f2) — defines total" in below or "defines total" in below
    assert "Created: new.py" in below
    assert {each.path for each in made.package.files} == {each.path for each in files}, "the package has them all"
    after = distil(person(made.text)).knowledge
    assert {each.path: each.action for each in after.files} == {
        "cart.py": FileAction.MODIFIED,
        "pay.py": FileAction.MODIFIED,
        "new.py": FileAction.CREATED,
    }


def run(command: str, seq: int, passed: bool = True) -> CommandRun:
    return CommandRun(command, seq, 0 if passed else 1, passed, "")


def test_each_kind_of_check_stands_once_with_what_was_changed_since() -> None:
    files = (file("cart.py", 26), file("pay.py", 34), file("tests/test_cart.py", 36))
    checks = (run("make build", 24), run("make lint", 30), run("pytest tests/test_pay.py", 31), run("pytest", 35))
    text = told(at(files=files, checks=checks, verification=run("pytest", 35))).text
    assert "- Last check: `pytest` passed (exit 0) — only tests changed since, not run again" in text
    assert "- Also checked with `make lint` passed (exit 0) — 2 files changed since, not run again" in text
    assert "- Also checked with `make build` passed (exit 0) — 3 files changed since, not run again" in text
    assert "with `pytest tests/test_pay.py`" not in text, "the later run is of its kind"
    assert text.index("## How it stands") < text.index("Last check") < text.index("Also checked with") < text.index("## Files")


def test_what_was_checked_before_the_request_stands_below() -> None:
    text = told(at(checks=(run("make lint", 8), run("pytest", 35)), verification=run("pytest", 35))).text
    assert "- Also checked with `make lint` passed" in text.partition("## Work place")[2]


@pytest.mark.parametrize(("runs", "missing"), [((run("pytest", 35),), True), ((run("pytest", 35), run("make lint", 36)), False)])
def test_a_usual_check_that_did_not_run_since_the_changes_is_named(runs: tuple[CommandRun, ...], missing: bool) -> None:
    before = tuple(Request(seq, RequestKind.REQUEST, quote, seq, files=("a.py",), check="`make lint` passed") for seq, quote in EARLIER)
    row = Request(20, RequestKind.REQUEST, ASKED, 40, files=("cart.py",))
    known = at(*before, row, files=(file("cart.py", 30),), checks=(run("make lint", 9), *runs), verification=runs[0])
    text = told(known).text
    assert ("- Not run since the changes: `make lint`" in text) is missing
    assert not missing or [e.label for e in read_lines(text, 0, len(text)) if e.text == "`make lint`"][:1] == ["not run"]


EARLIER = tuple((seq, Quote(f"Do the thing number {seq}.", Ref(seq))) for seq in (4, 8))


def test_a_tree_that_was_clean_before_an_edit_whose_result_is_out_is_not_told() -> None:
    clean = (Quote("clean", Ref(36)),)
    assert "Working tree as last seen: “clean”" in told(at(trees=clean)).text
    assert "Working tree" not in told(at(trees=clean, unwritten=(CodeEdit("cart.py", 38, "+import decimal"),))).text


SCRAPS = ["return none, failed(%w) … }", "+ // so they survive … + if lines == 0 {", "- old line", "x = 1;", "def f(x):"]


@pytest.mark.parametrize("shown", SCRAPS)
def test_a_scrap_of_code_is_no_result_of_a_command(shown: str) -> None:
    assert shows_code(shown)
    looked = CommandRun("gh api repos/x/pulls/3/files", 30, 0, True, shown)
    text = told(at(recent_commands=(looked,))).text
    assert "gh api" not in text.partition("## Work place")[2] and shown not in text


@pytest.mark.parametrize("result", ["3 passed in 2s", "0 issues.", '{"id": 3, "state": "open"}', "import finished: 3 rows", "→ 201", "-5"])
def test_what_a_command_printed_is_one(result: str) -> None:
    assert not shows_code(result)
    assert result in told(at(recent_commands=(CommandRun("gh api repos/x/pulls/3", 30, 0, True, result),))).text


def test_what_git_says_of_a_merge_and_of_deleted_files_is_told() -> None:
    merging = CommandRun(UNDER_WAY, 22, None, None, "All conflicts fixed but you are still merging.")
    gone = (file("/home/ada/shop/old.py", 30, action=FileAction.DELETED),)
    changed = (ChangedFile("/home/ada/shop/old.py", Keeping.UNKNOWN, 30), ChangedFile("/home/ada/shop/cart.py", Keeping.EDITED_AGAIN, 31))
    text = told(at(files=gone, changed=changed, blocked=(merging,))).text
    assert "- Working tree as last seen: “All conflicts fixed but you are still merging.”" in text
    assert "Not committed: cart.py (staged and edited since); probably, as no commit of it was seen: old.py (deleted)" in text
    assert "Refused and not done" not in text and "Resolve the conflicts" not in text


def test_of_a_long_list_of_changes_those_of_the_session_are_named() -> None:
    changed = tuple(ChangedFile(f"/home/ada/shop/part{n}.py", Keeping.STAGED, 21) for n in range(30))
    text = told(at(files=(file("/home/ada/shop/part7.py", 30),), changed=changed)).text
    assert "- Not committed: part7.py (staged) and 29 more" in text
