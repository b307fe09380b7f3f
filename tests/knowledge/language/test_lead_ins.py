"""A lead-in and what it leads to: neither says anything without the other."""

from __future__ import annotations

from continuity.knowledge.model import AnchorType
from tests.knowledge.talk import agent, distil, person

COMMAND = "You MUST use this EXACT command to submit:\n\n```bash\necho DONE && cat patch.txt\n```"


def constraints(text: str) -> list[str]:
    return distil(person(text)).texts(AnchorType.CONSTRAINT)


def test_it_works() -> None:
    assert constraints(f"Fix the totals.\n\n{COMMAND}\n\nThanks.") == [COMMAND]


def test_items_that_are_no_rules_themselves_belong_to_it() -> None:
    rule = "Never change any of the following files:\n- the reproduction\n- pyproject.toml"
    assert constraints(f"{rule}\n\nFix the totals.") == [rule]


def test_items_that_are_rules_stand_for_themselves() -> None:
    found = constraints("You must keep to these points:\n- Never push to main.\n- Always run the linter.")
    assert found[-2:] == ["Never push to main.", "Always run the linter."]


def test_long_code_is_not_taken_in() -> None:
    lines = "x = 1\n" * 200
    assert constraints(f"You must always begin with this:\n\n```\n{lines}```") == ["You must always begin with this:"]


def test_what_an_agent_leads_to_stays_apart() -> None:
    found = distil(person("Go on."), agent("We must always run this command:\n\n```\nmake check\n```"))
    assert not any("make check" in anchor.text for anchor in found.current())


def test_an_apology_is_no_content_of_a_correction() -> None:
    done = distil(person("No, that is wrong."), agent("You are absolutely right! My apologies. The total is rounded too early."))
    assert not any("apologies" in text for text in done.texts(AnchorType.CORRECTION))
