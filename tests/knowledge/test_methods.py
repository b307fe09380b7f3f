"""By what an anchor was found is told in words, also where no rule of the catalogue found it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from continuity.knowledge.language.sections import SECTIONS
from continuity.knowledge.methods import METHODS, found_in_words
from continuity.knowledge.rules.catalogue import RULES

KNOWLEDGE = Path(__file__).parents[2] / "continuity" / "knowledge"
PLACE = 6  # of the method among what `recording.found` is given


def entered() -> Iterator[str]:
    """The methods that extractors enter anchors by, as far as they stand in the call."""
    for path in KNOWLEDGE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call) and ast.unparse(node.func) == "recording.found":
                method = node.args[PLACE]
                if isinstance(method, ast.Constant):
                    yield str(method.value)


def test_it_works() -> None:
    assert found_in_words("decision.accepted") == "The agent proposed it, and the person agreed"


@pytest.mark.parametrize("method", sorted({*entered(), *(section.name for section in SECTIONS)}))
def test_each_method_of_an_extractor_is_told(method: str) -> None:
    assert method in METHODS


def test_what_goes_on_behind_a_method_is_told_by_its_beginning() -> None:
    assert found_in_words("project.rule@docs/AGENTS.md") == METHODS["project.rule"]
    assert found_in_words("directive.proposed.a12") == METHODS["directive"]
    assert found_in_words("system.constraint.never") == METHODS["system"]


def test_what_a_rule_found_is_told_by_the_rule() -> None:
    assert [rule.name for rule in RULES.rules if found_in_words(rule.name)] == []
    assert found_in_words("") == ""
