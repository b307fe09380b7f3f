"""Each type of anchor has its entry in every table by type: whoever adds one is told where."""

from collections.abc import Mapping

import pytest

from continuity.knowledge.directive_parser import anchors, grammar
from continuity.knowledge.model import AnchorType
from continuity.services.knowledge import curation

TABLES: dict[str, Mapping[AnchorType, object]] = {
    "services/knowledge/curation.IMPORTANCE": curation.IMPORTANCE,
    "knowledge/directive_parser/anchors.IMPORTANCE": anchors.IMPORTANCE,
    "knowledge/directive_parser/grammar.TYPE_WORDS": grammar.TYPE_WORDS,
    "knowledge/directive_parser/grammar.PLACES": grammar.PLACES,
}


def test_it_works():
    assert set(curation.IMPORTANCE) == set(AnchorType)


@pytest.mark.parametrize("name", TABLES)
def test_no_type_is_missing(name):
    assert set(TABLES[name]) == set(AnchorType), f"{name} has no entry for a type"
