"""Keeps the most valuable units of a conversation as its messages arrive: no later reading goes over all of it again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from hashlib import blake2b
from itertools import chain, islice

from continuity.knowledge.coverage.carried import Carried, KeptUnit, Source, TermWeight
from continuity.knowledge.coverage.chance import Judge
from continuity.knowledge.coverage.greedy import chosen
from continuity.knowledge.coverage.term_uses import TermUses
from continuity.knowledge.coverage.terms import MOST, READ_FIRST, READ_LAST, excerpt, terms_in, told_to_tool
from continuity.knowledge.coverage.units import Span, stretches_in, units_in
from continuity.knowledge.extractors.tools import tool_names
from continuity.knowledge.state.bounded_maps import BoundedMap
from continuity.knowledge.state.codec import cost
from continuity.secrets.finding import find
from continuity.transcripts.base.model import Message, Part, PartKind, Voice

OF_TEXT = {Source.PERSON: 8, Source.AGENT: 8, Source.THOUGHT: 8, Source.OUTPUT: 2}  # units kept of one text
SHOWN = 700  # characters that are read of what a tool printed: its beginning and its end
LONGEST = 700  # characters of a unit
JUDGED = 60  # units of one text that are judged
LIGHT = 0.05  # a term that weighs less tells nothing
STAYS = 0.7  # of the room that is kept when it is full
_OVERHEAD = 60  # bytes of a unit beside its text


class KeptUnits(BoundedMap[KeptUnit]):
    """A bounded map of units by their place. Full, it forgets those that add least to the others."""

    __slots__ = ()

    def __init__(self, count: int, size: int) -> None:
        super().__init__(KeptUnit, count, size)

    def full_with(self, unit: KeptUnit) -> bool:
        return len(self) >= self.count or self._spent + self._price("", unit) > self.size

    def weed(self, judge: Judge) -> None:
        """Keep the units that together tell most, in less than the room, so that some is free."""
        units = self.values()
        costs = [self._costs[key] for key in self]
        places = chosen([judge.weighed(terms_in(unit.text)) for unit in units], costs, int(self.size * STAYS), most=int(self.count * STAYS))
        kept = {units[place].place for place in places}
        for key, unit in self.items():
            if unit.place not in kept:
                self.pop(key)

    def _twin(self) -> KeptUnits:
        return KeptUnits(self.count, self.size)

    def _price(self, key: str, value: KeptUnit) -> int:
        return cost(value.text) + _OVERHEAD


def count(uses: TermUses, message: Message, seq: int) -> None:
    """Count the terms of message `seq`, one of the main conversation: what is said, and what tools are called with."""
    for person, texts in ((True, _said(message, Voice.PERSON)), (False, [*_said(message, Voice.AGENT), *_called(message)])):
        if texts:
            terms = dict.fromkeys(chain.from_iterable(map(terms_in, texts)))
            uses.count_all(islice(terms, MOST), seq, person=person)


def used_terms(message: Message) -> set[str]:
    """The terms that the person or a call uses in a message: what shows that a term was needed."""
    texts = [*_said(message, Voice.PERSON), *_called(message)]
    return {term for text in texts for term in terms_in(text)}


def read(uses: TermUses, units: KeptUnits, message: Message, seq: int) -> None:
    """Count the terms of message `seq`, one of the main conversation, and keep its best units."""
    count(uses, message, seq)
    judge = Judge(uses, seq)
    for number, part in enumerate(message.parts):
        for source, text, spans in _told(part):
            best = _best(judge, text, spans, OF_TEXT[source])
            for span in _without_secrets(text, best):
                _keep(units, judge, KeptUnit(text[span.start : span.end], seq, number, span.start, span.end, source))


def _without_secrets(text: str, best: list[Span]) -> list[Span]:
    """The units in which no secret stands: in a part of a command nobody would find it again."""
    secrets = find(text) if best else ()
    return [span for span in best if not any(secret.start < span.end and span.start < secret.end for secret in secrets)]


def _keep(units: KeptUnits, judge: Judge, unit: KeptUnit) -> None:
    if units.full_with(unit):
        units.weed(judge)
    units.put(blake2b(unit.text.encode("utf-8", "surrogatepass"), digest_size=6).hexdigest(), unit)


def _told(part: Part) -> Iterator[tuple[Source, str, Iterable[Span]]]:
    """The text of a part with its units, where some may be kept. A file that was read can be read again."""
    if _is_said(part):
        yield Source.PERSON if part.voice is Voice.PERSON else Source.AGENT, part.text, _units(part.text)
    elif part.kind is PartKind.REASONING:
        yield Source.THOUGHT, part.text, _units(part.text)
    elif part.kind is PartKind.TOOL_RESULT and tool_names.plain_name(part.name) not in tool_names.READ:
        yield Source.OUTPUT, part.text, _stretches(part.text)


def carried(uses: TermUses, units: KeptUnits, seq: int) -> Carried:
    """What is kept, as packages use it, with what each term weighs after message `seq`."""
    judge = Judge(uses, seq)
    terms = {term: None for unit in units.values() for term in terms_in(unit.text)}
    weighed = ((term, round(judge.weight(term), 2)) for term in sorted(terms))
    weights = tuple(TermWeight(term, weight) for term, weight in weighed if weight >= LIGHT)
    return Carried(tuple(sorted(units.values(), key=lambda unit: unit.place)), weights)


def _said(message: Message, voice: Voice) -> list[str]:
    return [excerpt(part.text) for part in message.parts if _is_said(part) and part.voice is voice]


def _called(message: Message) -> Iterator[str]:
    return (text for part in message.parts if part.kind is PartKind.TOOL_CALL for text in told_to_tool(part.input))


def _is_said(part: Part) -> bool:
    return part.kind is PartKind.TEXT and part.voice in (Voice.PERSON, Voice.AGENT) and bool(part.text.strip())


def _best(judge: Judge, text: str, spans: Iterable[Span], most: int) -> list[Span]:
    """The units of a text that tell most together, in its order."""
    found = [span for span in spans if span.end - span.start <= LONGEST]
    if len(found) <= most:
        return found
    texts = [text[span.start : span.end] for span in found]
    places = chosen([judge.weighed(terms_in(each)) for each in texts], [len(each) for each in texts], len(text), most=most)
    return [found[place] for place in sorted(places)]


def _units(text: str) -> Iterator[Span]:
    """The units of a text, of a long one those at its beginning and its end."""
    if len(text) <= READ_FIRST + READ_LAST:
        yield from units_in(text)[-JUDGED:]
        return
    later = text.find("\n", len(text) - READ_LAST) + 1 or len(text) - READ_LAST
    yield from units_in(text[:READ_FIRST])[: JUDGED // 2]
    yield from (Span(later + span.start, later + span.end) for span in units_in(text[later:])[-JUDGED // 2 :])


def _stretches(text: str) -> Iterator[Span]:
    """The runs of lines at the beginning and the end of what a tool printed."""
    if len(text) <= 2 * SHOWN:
        yield from stretches_in(text)
        return
    later = len(text) - SHOWN
    yield from stretches_in(text[:SHOWN])
    yield from (Span(later + span.start, later + span.end) for span in stretches_in(text[later:]))
