"""All that can be told of messages, piece by piece: what was said and done, and stretches of what tools printed and calls wrote."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Protocol, TypeVar

from continuity.knowledge.extractors.tools import tool_names
from continuity.segments.fault_isolation import Material, without_faults
from continuity.segments.pairs import paired
from continuity.segments.reading import WRITTEN, units_of
from continuity.segments.tool_summaries import says_nothing
from continuity.segments.units import Speaker, Unit
from continuity.transcripts.base.model import Message, Part, PartKind

# Characters of a stretch and of a line in it, and those of a text that are divided into stretches.
STRETCH, LINE, READ = 400, 240, 6000
PRINTED_WORTH, WRITTEN_WORTH = 0.12, 0.1
_NOTHING: list[Unit] = []
_SHOWN = (Speaker.OUTPUT, Speaker.WRITTEN)


class ChunkRun(Protocol):
    """Messages whose length in tokens is known."""

    @property
    def tokens(self) -> int: ...


R = TypeVar("R", bound=ChunkRun)


def pieces_of(materials: Iterable[Material]) -> list[Unit]:
    """The pieces of each material, in the order of the conversation."""
    return [unit for material in materials for unit in without_faults(material, _pieces, _NOTHING)]


def newest(runs: Sequence[R], tokens: int) -> Sequence[R]:
    """The last of the runs that hold `tokens` together, or all."""
    for place in range(len(runs) - 1, -1, -1):
        tokens -= runs[place].tokens
        if tokens <= 0:
            return runs[place:]
    return runs


def _pieces(material: Material) -> list[Unit]:
    quiet = paired(material.messages, says_nothing).quiet
    said = [unit for unit in units_of(material.messages, material.anchors) if unit.speaker not in _SHOWN]
    shown = [unit for seq, message in material.messages for unit in _shown(seq, message) if (unit.seq, unit.part) not in quiet]
    return sorted((*said, *shown), key=lambda unit: (unit.seq, unit.part, unit.start))


def _shown(seq: int, message: Message) -> Iterator[Unit]:
    for index, part in enumerate(message.parts):
        text, speaker, worth = _words(part)
        for start, lines in _stretches(text[:READ]):
            yield Unit(seq, index, start, speaker, lines, worth)


def _words(part: Part) -> tuple[str, Speaker, float]:
    # A file that was read can be read again.
    if part.kind is PartKind.TOOL_RESULT and tool_names.plain_name(part.name) not in tool_names.READ:
        return part.text, Speaker.OUTPUT, PRINTED_WORTH
    written = tool_names.first(part.input, *WRITTEN) if part.kind is PartKind.TOOL_CALL else ""
    return written, Speaker.WRITTEN, WRITTEN_WORTH


def _stretches(text: str) -> Iterator[tuple[int, str]]:
    """Runs of whole lines with the number of their first one; a line that is too long is cut."""
    run: list[str] = []
    first = length = 0
    for number, line in enumerate(text.splitlines(), start=1):
        words = " ".join(line.split())[:LINE]
        if run and (length + len(words) > STRETCH):
            yield first, " / ".join(run)
            run, length = [], 0
        if words:
            first = first if run else number
            run.append(words)
            length += len(words)
    if run:
        yield first, " / ".join(run)
