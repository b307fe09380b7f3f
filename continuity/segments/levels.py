"""A segment at a level: extracts in the words of the conversation, the most telling first, told in their order.

What is decided where demands conflict: the words of every current anchor stand verbatim at levels 1 and 2, whatever they
take; at level 3 only those of critical anchors may exceed the ratio, others stand as far as it has room. A title always stands, so
very short segments are told at less than their ratio. Calls and outputs are told shorter than they were even where there
is room, so a segment that is mostly output is told at more than it.
"""

from __future__ import annotations

from collections import Counter as Tally
from collections.abc import Sequence
from itertools import groupby

from continuity.core.isolation import MessageSkipped
from continuity.knowledge.language.content_words import is_identifier, tokens
from continuity.segments import tool_summaries
from continuity.segments.fault_isolation import Material, without_faults
from continuity.segments.full_level import full
from continuity.segments.message_units import units_of
from continuity.segments.model import RATIOS, Level, Levelled, Marker
from continuity.segments.topics import shortened
from continuity.segments.units import Speaker, Unit
from continuity.usage.tokens import Counter

MARKERS = 20  # at most; of more gaps, those with the most left out are marked
LEAST = 12  # tokens at any level
TAGS = 24
# What is worth less (excerpts of outputs, looking around) is told at level 1 only.
NEGLIGIBLE = 0.15
_ENDS = tuple(".!?:;…”`)")


def summarise(material: Material, level: Level, counter: Counter) -> Levelled:
    """The material at one level."""
    return summarise_all(material, (level,), counter)[0]


def summarise_all(
    material: Material, levels: Sequence[Level], counter: Counter, skipped: list[MessageSkipped] | None = None
) -> list[Levelled]:
    """The material at several levels, read once; without the messages that can't be told, which `skipped` gets."""
    nothing = [Levelled(level, "", (), 0) for level in levels]
    return without_faults(material, lambda some: _summarise_all(some, levels, counter), nothing, skipped)


def _summarise_all(material: Material, levels: Sequence[Level], counter: Counter) -> list[Levelled]:
    units = units_of(material.messages, material.anchors) if any(level is not Level.FULL for level in levels) else []
    costs = [counter.count(unit.text) + 1 for unit in units] if units else []
    return [_level(material, level, units, costs, counter) for level in levels]


def _level(material: Material, level: Level, units: Sequence[Unit], costs: Sequence[int], counter: Counter) -> Levelled:
    if level is Level.FULL:
        content = full(material.messages)
        return Levelled(level, content, (), counter.count(content))
    room = max(LEAST, material.tokens // RATIOS[level])
    if level is Level.TAGS:
        content, markers = _tags(material, units, costs, room, counter)
    else:
        chosen = _chosen(units, costs, room, least=0.0 if level is Level.DETAILED else NEGLIGIBLE)
        content, markers = _extract(units, chosen, Level(level - 1))
    return Levelled(level, content, tuple(markers), counter.count(content))


def _chosen(units: Sequence[Unit], costs: Sequence[int], room: int, *, least: float) -> set[int]:
    """The places of the units that are told: anchors whatever they take, then others by what they are worth, each said once."""
    chosen = {place for place, unit in enumerate(units) if unit.anchor}
    room -= sum(costs[place] for place in chosen)
    said = {units[place].text for place in chosen}
    others = (place for place, unit in enumerate(units) if place not in chosen and unit.weight >= least)
    for place in sorted(others, key=lambda place: (-units[place].weight, -place)):
        if costs[place] <= room and units[place].text not in said:
            chosen.add(place)
            said.add(units[place].text)
            room -= costs[place]
    return chosen


def _extract(units: Sequence[Unit], chosen: set[int], below: Level) -> tuple[str, list[Marker]]:
    """The chosen units as lines by speaker, with a marker where others were left out; a line goes on behind a gap with “…”."""
    content = ""
    speaking: Speaker | None = None
    gaps: list[tuple[int, Marker]] = []
    for (told, speaker), places in groupby(range(len(units)), key=lambda place: (place in chosen, units[place].speaker)):
        run = [units[place] for place in places]
        if not told:
            gaps = _with_gap(gaps, run, below, len(content))
        else:
            goes_on = speaker is speaking and speaker in (Speaker.PERSON, Speaker.AGENT)
            content += f" … {_joined(run)}" if goes_on else f"{chr(10) if content else ''}{_line(speaker, run)}"
            speaking = speaker
    widest = sorted(range(len(gaps)), key=lambda n: (-gaps[n][0], n))[:MARKERS]
    return content, [gaps[n][1] for n in sorted(widest)]


def _with_gap(gaps: list[tuple[int, Marker]], run: Sequence[Unit], below: Level, offset: int) -> list[tuple[int, Marker]]:
    """The gaps with a run of units left out: one more, or the last one grown where nothing was told between."""
    count, first, last = len(run), run[0].seq, run[-1].seq
    if gaps and gaps[-1][1].offset == offset:
        count, first = count + gaps[-1][0], gaps[-1][1].first_seq
        gaps = gaps[:-1]
    return [*gaps, (count, Marker(f"{count} more in {_messages(first, last)}", first, last, int(below), offset))]


def _line(speaker: Speaker, run: Sequence[Unit]) -> str:
    return tool_summaries.joined(run) if speaker is Speaker.DEED else speaker.value + _joined(run)


def _joined(run: Sequence[Unit]) -> str:
    """Units that follow one another: whole sentences as they are, items and headings set apart."""
    return "".join(unit.text + (" " if unit.text.endswith(_ENDS) else "; ") for unit in run[:-1]) + run[-1].text


def _tags(material: Material, units: Sequence[Unit], costs: Sequence[int], room: int, counter: Counter) -> tuple[str, list[Marker]]:
    """The title, the names that occur most, critical anchors, and other anchors while there is room."""
    title = material.topic or shortened(units[0].text if units else "")
    room -= counter.count(title)
    anchored: list[str] = []
    for place in sorted(range(len(units)), key=lambda place: (not units[place].critical, -units[place].weight, place)):
        unit = units[place]
        if unit.anchor and unit.text not in anchored and (unit.critical or costs[place] <= room):
            anchored.append(unit.text)
            room -= costs[place]
    names: list[str] = []
    for name in _names(units, f"{title} {' '.join(anchored)}"):
        room -= counter.count(f", {name}")
        if room < 0:
            break
        names.append(name)
    head = f"{title} — {', '.join(names)}" if names else title
    content = "\n".join([head, *anchored])
    whole = Marker(_messages(material.first_seq, material.last_seq), material.first_seq, material.last_seq, int(Level.BRIEF), len(content))
    return content, [whole]


def _names(units: Sequence[Unit], said: str) -> list[str]:
    """Exact names that were used, those with the most weight behind them first."""
    worth: Tally[str] = Tally()
    for unit in units:
        if unit.speaker in (Speaker.PERSON, Speaker.AGENT, Speaker.DEED) and unit.verb != "called":
            for name in {token for token in tokens(unit.text) if is_identifier(token) and 4 <= len(token) <= 60}:
                worth[name.rsplit("/", 1)[-1] or name] += round(100 * unit.weight)
    ranked = sorted((name for name in worth if name not in said), key=lambda name: (-worth[name], name))
    return ranked[:TAGS]


def _messages(first: int, last: int) -> str:
    return f"message {first}" if first == last else f"messages {first} to {last}"
