"""Each type of anchor has its row, and its place in a directive: whoever adds one is told where."""

from collections.abc import Mapping

import pytest

from continuity.client.commands.sessions import decide
from continuity.knowledge.anchor_types import LAID_DOWN, TRAITS
from continuity.knowledge.directive_parser import grammar
from continuity.knowledge.model import AnchorType

TABLES: dict[str, Mapping[AnchorType, object]] = {
    "knowledge/anchor_types.TRAITS": TRAITS,
    "knowledge/directive_parser/grammar.PLACES": grammar.PLACES,
}


def test_it_works():
    assert {AnchorType.DECISION, AnchorType.CONSTRAINT} <= LAID_DOWN


@pytest.mark.parametrize("name", TABLES)
def test_no_type_is_missing(name):
    assert set(TABLES[name]) == set(AnchorType), f"{name} has no entry for a type"


def test_the_words_of_each_type_are_its_own():
    assert len({traits.words for traits in TRAITS.values()}) == len(TRAITS)


def test_what_people_record_by_hand_can_be_replaced():
    assert all(TRAITS[AnchorType(kind)].replaceable for kind in decide.KINDS.values())
