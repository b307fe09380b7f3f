"""A message that can't be told costs its segment its own words."""

from __future__ import annotations

from typing import Any

import pytest

from continuity.segments import Level, Material, levels, message_units
from continuity.segments.levels import summarise_all
from tests.knowledge.talk import agent, person
from tests.whole_way import COUNTER

WORDS = (person("Never push to main."), person("Always ask Kassandra before a deployment."), agent("The index on `orders.id` is missing."))
SAID = list(enumerate(WORDS, 1))
MATERIAL = Material(SAID, [], "Orders", 400)
LEVELS = (Level.TAGS, Level.BRIEF, Level.DETAILED)


@pytest.fixture
def poison(monkeypatch: pytest.MonkeyPatch) -> None:
    read = message_units.units_of

    def units_of(messages: Any, anchors: Any) -> Any:
        if any("Kassandra" in part.text for _, message in messages for part in message.parts):
            raise ValueError("Kassandra")
        return read(messages, anchors)

    monkeypatch.setattr(levels, "units_of", units_of)


def test_it_works(poison: None) -> None:
    told = summarise_all(MATERIAL, LEVELS, COUNTER)
    without = summarise_all(Material([SAID[0], SAID[2]], [], "Orders", 400), LEVELS, COUNTER)
    assert told == without
    assert "Never push to main." in told[-1].content


def test_where_nothing_can_be_told_there_is_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    def units_of(messages: Any, anchors: Any) -> Any:
        raise ValueError("Kassandra")

    monkeypatch.setattr(levels, "units_of", units_of)
    assert [each.content for each in summarise_all(MATERIAL, LEVELS, COUNTER)] == ["", "", ""]
