"""All that can be told of messages, piece by piece."""

from __future__ import annotations

import pytest

from continuity.segments.chunks import pieces_of
from continuity.segments.fault_isolation import Material
from continuity.transcripts.base.model import Message, Part, PartKind, Role, Voice
from tests.knowledge.talk import call

FARES = "a2 fares are 3.40 from March"


def shown(tool: str) -> str:
    part = Part(PartKind.TOOL_RESULT, Voice.TOOL, FARES, name=tool, call_id="c1")
    messages = [call(tool), Message(Role.TOOL, (part,), external_id="r1")]
    return " ".join(unit.text for unit in pieces_of([Material(list(enumerate(messages, start=1)), [], "Fares", 50)]))


def test_it_works() -> None:
    assert FARES in shown("Bash")


@pytest.mark.parametrize("tool", ["Read", "read_file"])
def test_a_file_that_was_read_can_be_read_again(tool: str) -> None:
    assert FARES not in shown(tool)
