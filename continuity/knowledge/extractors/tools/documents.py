"""Documents that the person points to and the agent then reads: a plan, notes, a specification. They say what the work is.

A document is no one's word in the conversation: what it lays down is entered with less weight than the person's, as something a
tool showed, and never as critical.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from continuity.knowledge.anchors import recording
from continuity.knowledge.anchors.keys import digest
from continuity.knowledge.extractors.shell.line_numbers import unnumbered
from continuity.knowledge.language.blocks import BlockKind
from continuity.knowledge.language.content_words import content
from continuity.knowledge.language.sections import section_of
from continuity.knowledge.language.sentences import Sentence, split
from continuity.knowledge.model import AnchorType, FileAction, Ref, Truth
from continuity.knowledge.requests.ledger import in_work
from continuity.knowledge.rules import apply
from continuity.knowledge.rules.catalogue import RuleLine, Setting
from continuity.knowledge.state.open_items import Pending
from continuity.knowledge.state.step import FoldStep
from continuity.knowledge.tasks import request_parts
from continuity.transcripts.base.model import Part

READ = 60_000  # characters of a document
SHORTEST = 200  # characters of a document
SAYS_LITTLE = 300  # characters of a request that a document says more of
KEPT = 16  # anchors from one document
LONGEST = 400
LESS = 0.45  # what a document's word weighs less than the person's

_DOCUMENT = re.compile(r"(?<![\w@./~-])[\w@./~-]{0,200}[\w-]\.(?:md|mdx|markdown|rst|adoc|txt|org)\b", re.I)
# A file that is about one piece of work.
_OF_WORK = re.compile(
    r"(?:^|/)\.?(?:todos?|tasks?|issues?|tickets?|plans?|stories|backlog|bugs?)/(?:[\w.-]+/){0,3}[\w.-]+\.(?:md|markdown|txt|org)$", re.I
)
# One that tells by its name that it asks for something.
_TELLS_WORK = re.compile(
    r"(?:^|[/_.-])(?:plan|todo|task|spec|review|feedback|requirements?|tickets?|issues?|story|findings|aufgaben?)s?(?:[_.-][^/]{0,80})?\.\w{2,8}$",
    re.I,
)
_PART = re.compile(
    r"^#{1,4} (?P<title>(?:\d+[.)] )?(?:pr|phase|task|step|milestone|part|stage|epic|story|week|sprint)\b[^\n]{0,160})$", re.M | re.I
)
_NOTED = re.compile(
    r"^[ \t>]*(?P<note>\*\*(?:decision|rule|constraint|note|important|goal|scope)\b[^*\n]{0,160}\*\*[^\n]{0,240})$", re.M | re.I
)
_TYPES = frozenset((AnchorType.DECISION, AnchorType.CONSTRAINT, AnchorType.PREFERENCE, AnchorType.FAILED_APPROACH, AnchorType.QUESTION))


def named(step: FoldStep, text: str) -> None:
    """Remember the documents that the person's words name."""
    for path in _DOCUMENT.findall(text[:READ]):
        step.state.known.put(_name(path), "named")


def read(step: FoldStep, index: int, part: Part, pending: Pending) -> None:
    """Enter what a document that the person named lays down, when its text is first shown."""
    path = next((each.path for each in pending.effects if each.action is FileAction.READ), "")
    if not path or len(part.text) < SHORTEST:
        return
    named = step.state.known.get(_name(path)) == "named"
    if (named and _TELLS_WORK.search(path)) or _OF_WORK.search(path):
        _asked(step, index, part)
    if not named:
        return
    step.state.known.put(_name(path), "brief")
    plain = unnumbered(part.text[:READ])
    found = {finding.start: finding for finding in _findings(step, plain.text)}
    kept = sorted(found.values(), key=lambda finding: (-finding.weight, finding.start))[:KEPT]
    for each in sorted(kept, key=lambda finding: finding.start):
        ref = Ref(step.seq, index, plain.at(each.start), plain.at(each.end))
        text = part.text[ref.start : ref.end]
        recording.found(step, each.type, text, ref, each.weight, Truth.OBSERVED, "document.told", until=recording.THOUGHT, critical=False)


def _asked(step: FoldStep, index: int, part: Part) -> None:
    """Keep the lists of a document as what is asked for, where the person said little and it is the first that is read, before anything was
    changed: later ones are looked at for another reason."""
    asked, brief = in_work(step.state.requests), step.state.brief
    if not asked or sum(len(row.text.text) for row in asked) > SAYS_LITTLE or step.state.edited > asked[0].seq:
        return
    if not brief or brief[0].ref.seq < asked[0].seq:
        step.state.brief = request_parts.of_document(step, index, unnumbered(part.text[:READ]).text) or brief


@dataclass(frozen=True, slots=True)
class _Finding:
    """A span of one line of the document, what kind of thing it lays down, and what that weighs."""

    start: int
    end: int
    type: AnchorType
    weight: float


def _findings(step: FoldStep, text: str) -> Iterator[_Finding]:
    """What a document lays down: what its sentences rule, its parts, and its labelled notes."""
    for sentence in split(text):
        if "\n" not in sentence.text and len(sentence.text) <= LONGEST and (hit := _ruled(step, sentence)):
            yield _Finding(sentence.start, sentence.end, *hit)
    for part in _PART.finditer(text):
        yield _Finding(part.start("title"), part.end("title"), AnchorType.FACT, 0.45)
    for note in _NOTED.finditer(text):
        yield _Finding(note.start("note"), note.end("note"), AnchorType.DECISION, 0.5)


def _ruled(step: FoldStep, sentence: Sentence) -> tuple[AnchorType, float] | None:
    if sentence.kind not in (BlockKind.PROSE, BlockKind.ITEM) or not apply.is_prose(sentence.text) or len(content(sentence.text, 4)) < 3:
        return None
    section = section_of(sentence, Setting.PERSON)
    if section is not None and section.type in _TYPES:
        return section.type, section.person - LESS
    rule = step.rule_of(RuleLine.of(sentence, Setting.PERSON, 0, True))
    return (rule.type, rule.importance - LESS) if rule is not None and rule.type is AnchorType.CONSTRAINT else None


def _name(path: str) -> str:
    return "doc:" + digest(path.rsplit("/", 1)[-1].lower())
