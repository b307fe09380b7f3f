"""The anchors of a directive: entered as they were, but for those that the session knows already."""

from __future__ import annotations

from continuity.knowledge.anchor_types import BINDING, LAID_DOWN, TRAITS
from continuity.knowledge.anchors import recording
from continuity.knowledge.anchors.keys import digest, key, normal
from continuity.knowledge.anchors.open_maps import open_map
from continuity.knowledge.directive_parser import values
from continuity.knowledge.directive_parser.grammar import CLIP, PROPOSED, SectionKind
from continuity.knowledge.directive_parser.lines import Entry, LineSource
from continuity.knowledge.extractors.shell.parser import parse
from continuity.knowledge.extractors.tools.errors import base_of
from continuity.knowledge.language.commitments import LATER, person_promises
from continuity.knowledge.language.content_words import content
from continuity.knowledge.language.sentences import split
from continuity.knowledge.model import Anchor, AnchorFound, AnchorState, AnchorType, Ref, Truth
from continuity.knowledge.rules import apply
from continuity.knowledge.rules.catalogue import RuleLine, Setting
from continuity.knowledge.state.open_items import OpenAnchor
from continuity.knowledge.state.step import FoldStep

CLAIMS_LESS = 0.1
METHOD = "directive"

_WORDS = 60
_LIKE = 0.6


def enter(step: FoldStep, part: int, entries: list[Entry]) -> dict[str, str]:
    """Enter every anchor that the lines tell or name as held; returns the keys of the anchors by their number there."""
    keys: dict[str, str] = {}
    check = next((values.command(e.text) for e in entries if e.label == "check"), None)
    failing = base_of(parse(check.command)) if check is not None and check.passed is False else ""
    for entry in entries:
        type = values.type_at(entry.kind, entry.label)
        if type is not None:
            told = values.anchor(entry.text)
            own = entry.own if entry.id.startswith(("a", "n")) else None
            start = entry.start + entry.text.find(told.text)
            keys[entry.id or entry.text] = _found(step, part, type, told, start, own, failing, entry.label)
        if entry.label == "note":
            binding = LineSource(entry.id, critical=True)
            keys[entry.id or entry.text] = _found(step, part, AnchorType.FACT, values.ToldAnchor(entry.text), entry.start, binding, "")
        if entry.held:
            keys |= _enter_held(step, part, entry)
    return keys


def supersede(step: FoldStep, part: int, entries: list[Entry], keys: dict[str, str]) -> None:
    """What the directive says is no longer so: it does not come back, and where the session still holds it, it ends."""
    for entry in entries:
        if (entry.kind, entry.label) != (SectionKind.DECISIONS, "not"):
            continue
        text, by = values.superseded(entry.text)
        name = digest(normal(text))
        item = step.state.open.get(name)
        if item is not None:
            if item.seq < step.seq:
                recording.settle(step, step.state.open, name, AnchorState.SUPERSEDED, keys.get(by, ""))
            continue
        told = digest(f"not|{normal(text)}")
        if told in step.state.known:
            continue
        step.state.known.put(told, "not")
        ref = Ref(step.seq, part, entry.start, entry.start + len(text))
        importance = TRAITS[AnchorType.DECISION].importance
        anchor = Anchor(
            key=key("not", ref),
            type=AnchorType.DECISION,
            text=text,
            ref=ref,
            importance=importance,
            truth=Truth.CLAIMED,
            method=_method(entry.own),
            state=AnchorState.SUPERSEDED,
            superseded_by=keys.get(by, ""),
            settled_seq=step.seq,
        )
        step.changes.append(AnchorFound(anchor))


def _enter_held(step: FoldStep, part: int, entry: Entry) -> dict[str, str]:
    """Anchors whose words stand in a line of something else: the sentences of their type in it, or else the whole line."""
    keys: dict[str, str] = {}
    sentences = split(entry.text)
    for source in entry.held:
        type = values.type_named(source.kind)
        if type is None:
            continue
        of_type = [s for s in sentences if (rule := step.rule_of(RuleLine.of(s, Setting.PERSON))) and rule.type is type]
        sentence = of_type[0] if of_type and apply.is_prose(of_type[0].text) else None
        text, start = (sentence.text, sentence.start) if sentence else (entry.text, 0)
        sentences = [s for s in sentences if s is not sentence]
        keys[source.id] = _found(step, part, type, values.ToldAnchor(text), entry.start + start, source, "")
    return keys


def _found(
    step: FoldStep,
    part: int,
    type: AnchorType,
    told: values.ToldAnchor,
    start: int,
    source: LineSource | None,
    failing: str,
    label: str = "",
) -> str:
    """Enter one anchor; returns its key, or that of the anchor which the session has in its place."""
    known = _known(step, type, told.text)
    if known is not None:
        return known.key
    if source is None:
        truth = Truth.STATED if type in LAID_DOWN else Truth.CLAIMED
        critical = type in BINDING
    else:
        truth = Truth.CLAIMED if source.claimed else Truth.STATED
        critical = source.critical
    truth = Truth.OBSERVED if told.observed else truth
    importance = TRAITS[type].importance - (CLAIMS_LESS if truth is Truth.CLAIMED and not critical else 0.0)
    ref = Ref(step.seq, part, start, start + len(told.text))
    return recording.found(
        step,
        type,
        told.text,
        ref,
        importance,
        truth,
        _method(source, label),
        rationale=told.rationale,
        rejected=told.rejected,
        until=_until(type, truth, told.text, failing),
        critical=critical,
    )


def _until(type: AnchorType, truth: Truth, text: str, failing: str) -> str:
    """What closes a carried question, promise or error."""
    if type is AnchorType.QUESTION:
        return "agent" if truth is Truth.STATED else "person"
    if type is AnchorType.COMMITMENT:
        return "person" if truth is Truth.STATED and person_promises(text) else LATER
    return failing if type is AnchorType.ERROR and truth is Truth.OBSERVED else ""


def _known(step: FoldStep, type: AnchorType, text: str) -> OpenAnchor | None:
    """The open anchor that says the same: in the same words, or where the directive left some out, in most of them."""
    state = step.state
    name = digest(normal(text))
    for place in (state.open, state.promises, state.questions, state.errors):
        if (item := place.get(name)) is not None:
            return item
    if CLIP not in text:
        return None
    mine = content(text.replace(CLIP, " "), _WORDS)
    for item in open_map(state, type).values():
        theirs = item.words.split()
        if item.type is type and theirs[:1] and theirs[0] in mine[:3] and len(set(mine) & set(theirs)) >= _LIKE * len(theirs):
            return item
    return None


def _method(source: LineSource | None, label: str = "") -> str:
    """Where it comes from: the number it had in the directive, and that it was only proposed there."""
    return ".".join(filter(None, (METHOD, label if label == PROPOSED else "", source.id if source else "")))
