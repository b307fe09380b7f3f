"""A long request as its first lines and its points."""

from __future__ import annotations

from continuity.knowledge.directive_parser.grammar import CLIP
from handoffs.directive.lines.blocks import outlined, pointed
from tests.knowledge.requests.test_document_points import PLAN

LONG = f"Implement this:\n\n# Clean up\n\n## Context\n\nThe branches stay, and pile up.\n{PLAN}\n## Notes\n{'Nobody sees it. ' * 80}"


def test_it_works() -> None:
    told = pointed(LONG, 400)
    assert told.startswith("Implement this:\n# Clean up\n## Context\nThe branches stay, and pile up.\n")
    assert f"{CLIP}\n- Bug 1: Logs: Root cause: `init()` is never called." in told
    assert len(told) <= 2 * 400


def test_other_words_stay_as_they_are() -> None:
    assert pointed("Round the totals", 400) == "Round the totals"
    without = LONG.replace("**", "")
    assert pointed(without.replace("Scope note", "More"), 400) == without.replace("Scope note", "More")


def test_an_earlier_one_is_told_by_its_points_and_not_by_its_headings() -> None:
    told = outlined(LONG, 300, opening=400)
    assert told.startswith("Implement this:\nClean up\n")
    assert "- Fix: Call it at the start of the command." in told
    assert " · " not in told


def test_a_plan_without_points_is_told_by_why_it_is_wanted_and_by_how_it_is_to_be_checked() -> None:
    middle = "".join(f"### Call {n}\n\nIt asks for the state of the tree in file {n}, by itself.\n\n" for n in range(20))
    check = "## Verification\n\n```bash\nmake check\n```\n\nBy hand: the sum of the index stays the same.\n"
    plan = f"Implement this:\n\n# Read the state\n\n## Context\n\nIt rewrites the index. {'That breaks it. ' * 9}\n\n{middle}"
    told = pointed(plan + check, 400)
    assert told.startswith("Implement this:\n# Read the state\n## Context\nIt rewrites the index.")
    assert told.endswith(f"{CLIP}\n## Verification\n```bash\nmake check\n```\nBy hand: the sum of the index stays the same.")
    assert len(told) <= 400 * 1.25
    assert pointed(plan, 400) == plan
