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
