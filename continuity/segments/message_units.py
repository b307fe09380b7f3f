"""From messages to the units that a level chooses from."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from continuity.knowledge.directive_parser.parser import own_words
from continuity.knowledge.extractors.tools import tool_names
from continuity.knowledge.language.sentences import split
from continuity.knowledge.model import Anchor, AnchorState, Truth
from continuity.segments.pairs import Pairs, paired
from continuity.segments.salience import salience
from continuity.segments.tool_summaries import says_nothing, summaries
from continuity.segments.units import Speaker, Unit
from continuity.transcripts.base.model import Message, Part, PartKind, Voice

REPLACED = "(replaced later)"
SENTENCES = 400  # of one text, half at its beginning and half at its end
CHARS = 60_000
# Of an output a quarter is shown at most, within these characters.
EXCERPT_SHARE, EXCERPT, EXCERPT_AT_MOST = 4, 500, 3000
EXCERPT_WORTH, REPLACED_WORTH = 0.05, 0.3
ANCHOR_WORTH = 2.0
DEEDS_BEFORE = 8  # calls that one message makes, as a rule at most
# The arguments that hold what a call writes.
WRITTEN = ("content", "file_text", "new_string", "new_str", "newString", "input", "patch", "patchText", "diff")
ADDED = "added."  # how the method of an anchor begins that nobody said
_SPEAKERS = {Voice.PERSON: Speaker.PERSON, Voice.AGENT: Speaker.AGENT}


def units_of(messages: Sequence[tuple[int, Message]], anchors: Sequence[Anchor]) -> list[Unit]:
    """All that can be told, in order. An anchor's words are a unit of their own, in place of the sentences they overlap."""
    at: dict[tuple[int, int], list[Anchor]] = {}
    for anchor in sorted(anchors, key=lambda a: (a.ref.seq, a.ref.part, a.ref.start, a.key)):
        at.setdefault((anchor.ref.seq, anchor.ref.part), []).append(anchor)
    pairs = paired(messages, says_nothing)
    last = {_speaks(part): seq for seq, message in messages for part in message.parts if _speaks(part)}
    found: list[Unit] = []
    for seq, message in messages:
        for index, part in enumerate(message.parts):
            here = at.pop((seq, index), [])
            told = [] if (seq, index) in pairs.quiet else list(_part(seq, index, message, pairs, last, here))
            told = [unit for unit in told if unit.speaker is not Speaker.OUTPUT or not _stands(unit.text, found)]
            for anchor in here:
                _add_anchor(told, anchor, part)
            found += sorted(told, key=lambda unit: unit.start)
    return found


def _stands(output: str, before: Sequence[Unit]) -> bool:
    """Whether one of the last deeds tells the output already."""
    return any(output in unit.text for unit in before[-DEEDS_BEFORE:])


def _add_anchor(told: list[Unit], anchor: Anchor, part: Part) -> None:
    """Enter an anchor among the units of its part; a command is told with how it ended, where that holds its words."""
    if by_hand := _by_hand(anchor, part):
        told.append(_of_anchor(anchor, by_hand, anchor.text))
        return
    if part.kind is not PartKind.TOOL_CALL:
        told.append(_of_anchor(anchor, _speaks(part) or Speaker.OUTPUT, anchor.text))
        return
    own = replace(_of_anchor(anchor, Speaker.DEED, f"`{anchor.text}`"), verb="ran")
    place = next((n for n, unit in enumerate(told) if unit.speaker is Speaker.DEED and anchor.text in unit.text), None)
    if place is None:
        told.append(own)
    else:
        told[place] = replace(own, text=told[place].text, verb=told[place].verb)


def _by_hand(anchor: Anchor, part: Part) -> Speaker | None:
    """The person who set an anchor's words by hand, which nobody said at the message where it stands; None for what was said there."""
    if anchor.truth is Truth.STATED and anchor.text not in part.text:
        return Speaker.PERSON
    return Speaker.AGENT if anchor.method.startswith(ADDED) and anchor.text not in part.text else None


def _speaks(part: Part) -> Speaker | None:
    return _SPEAKERS.get(part.voice) if part.kind is PartKind.TEXT and part.text.strip() else None


def _part(
    seq: int, index: int, message: Message, pairs: Pairs, last: Mapping[Speaker | None, int], anchors: Sequence[Anchor]
) -> Iterator[Unit]:
    part = message.parts[index]
    speaker = _speaks(part)
    if part.kind is PartKind.TOOL_CALL:
        yield from summaries(seq, index, message, pairs.results.get((seq, index)))
        if words := _excerpt(tool_names.first(part.input, *WRITTEN)):
            yield Unit(seq, index, 0, Speaker.WRITTEN, f"“{words}”", EXCERPT_WORTH)
    elif part.kind is PartKind.TOOL_RESULT:
        if words := _excerpt(part.text):
            yield Unit(seq, index, 0, Speaker.OUTPUT, f"“{words}”", EXCERPT_WORTH)
    elif speaker is not None:
        spans = [(anchor.ref.start, anchor.ref.end) for anchor in anchors]
        # What a directive says was said before: its items are anchors, the rest of it would be quoted once more on each hop.
        sentences = split(own_words(part)[:CHARS])
        for sentence in sentences if len(sentences) <= SENTENCES else sentences[: SENTENCES // 2] + sentences[-SENTENCES // 2 :]:
            if not any(start < sentence.end and sentence.start < end for start, end in spans):
                words = " ".join(sentence.text.split())
                yield Unit(seq, index, sentence.start, speaker, words, salience(sentence, speaker, last=last[speaker] == seq))


def _of_anchor(anchor: Anchor, speaker: Speaker, text: str) -> Unit:
    """A current anchor stands verbatim; one that was replaced is told with a mark that says so, where there is room."""
    if anchor.state is AnchorState.SUPERSEDED:
        words = " ".join(text.split())
        return Unit(anchor.ref.seq, anchor.ref.part, anchor.ref.start, speaker, f"{REPLACED} {words}", REPLACED_WORTH)
    text = f"“{text}”" if speaker is Speaker.OUTPUT else text
    current = anchor.state is AnchorState.CURRENT
    weight = ANCHOR_WORTH if current else 1.0
    return Unit(
        *(anchor.ref.seq, anchor.ref.part, anchor.ref.start, speaker, text, weight),
        anchor=current,
        critical=current and anchor.critical,
    )


def _excerpt(text: str) -> str:
    """The first lines of an output and its last one, as many as a quarter of it holds."""
    if not text.strip():
        return ""
    room = min(EXCERPT_AT_MOST, max(EXCERPT, len(text) // EXCERPT_SHARE))
    lines = [" ".join(line.split()) for line in text[: 2 * room].splitlines() if line.strip()]
    last = text[-400:].rstrip().rsplit("\n", 1)[-1].strip()[:200] if len(text) > room else ""
    shown: list[str] = []
    for line in lines:
        room -= len(line) + 3
        if room < 0:
            break
        shown.append(line)
    told = [*(shown or lines[:1]), *(["…", last] if last and last not in shown else [])]
    return " / ".join(told)[:EXCERPT_AT_MOST]
