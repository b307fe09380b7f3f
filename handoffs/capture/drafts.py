"""Drafts by rules: a direction that changed, checks that pass again, a boundary that was touched, a large change that was committed.

Every sentence is a quotation with the number of its message; nothing is told that nobody said.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from fnmatch import translate
from functools import lru_cache

from continuity.knowledge.model import Anchor, AnchorType, FileTouch, Request, Truth
from continuity.knowledge.requests.gist import without_last_announcement
from continuity.packs.fill import plain
from handoffs.capture.lasting_sentences import explains, is_lasting, is_slip
from handoffs.capture.model import CapturePolicy, DraftKind, MemoryDraft, QuotedSentence, SessionEvidence, Trigger

SENTENCE, TITLE = 400, 90  # characters
SENTENCES, FILES = 5, 6
FAILED, PASSED = " failed", " passed"  # how the check of a step ends
NEAR = 12  # messages between a lesson and an edit that it is about


@dataclass(frozen=True, slots=True)
class TakenSubject:
    """A draft that was made before, of this session or (`ours` false) of another of the repository."""

    subject: str
    at: datetime
    ours: bool = True


def drafts(
    evidence: SessionEvidence, policy: CapturePolicy, *, taken: Iterable[TakenSubject] = (), today: int = 0, now: datetime
) -> tuple[MemoryDraft, ...]:
    """New drafts, the most useful first. `today` counts what the team had today; a subject that was drafted in this session, or in any
    within the window, is not drafted again."""
    before = list(taken)
    known = {each.subject for each in before if each.ours or timedelta() <= now - each.at < policy.window}
    room = min(policy.of_session - sum(each.ours for each in before), policy.of_day - today)
    found: dict[str, MemoryDraft] = {}
    for draft in (*_direction(evidence), *_tests(evidence), *_boundaries(evidence, policy), *_diff(evidence, policy)):
        if len(found) < room and draft.subject not in known:
            found.setdefault(draft.subject, draft)
    return tuple(found.values())


def _direction(evidence: SessionEvidence) -> Iterator[MemoryDraft]:
    """Approaches that failed and corrections of a person's, the latest first; then decisions that replaced others."""
    for anchor in sorted(evidence.anchors, key=lambda each: (-each.ref.seq, each.key)):
        failed = anchor.type is AnchorType.FAILED_APPROACH
        corrected = anchor.type is AnchorType.CORRECTION and anchor.truth is Truth.STATED
        if (failed or corrected) and is_lasting(anchor.text):
            told = [QuotedSentence(_cut(anchor.text), anchor.ref.seq)]
            told += _reason(anchor)
            yield _draft(DraftKind.LANDMINE, Trigger.DIRECTION, subject_of(anchor), told, _files_near(anchor.ref.seq, evidence.files))
    current = {anchor.key: anchor for anchor in evidence.anchors}
    for old in sorted(evidence.superseded, key=lambda each: (-(each.settled_seq or 0), each.key)):
        new = current.get(old.superseded_by)
        if new is not None and old.type is AnchorType.DECISION and is_lasting(new.text) and is_lasting(old.text) and new.text != old.text:
            told = [QuotedSentence(_cut(new.text), new.ref.seq)]
            told += _reason(new)
            told.append(QuotedSentence(_cut(old.text), old.ref.seq))
            yield _draft(DraftKind.ADR, Trigger.DIRECTION, subject_of(new), told, _files_near(new.ref.seq, evidence.files))


def _tests(evidence: SessionEvidence) -> Iterator[MemoryDraft]:
    """A check that failed for a reason and passes at the end of the same request: the reason, and what the agent said that mended it."""
    for request in reversed(evidence.requests):
        failed = next((step for step in request.steps if step.check.endswith(FAILED) and step.cause), None)
        passed = next((step for step in reversed(request.steps) if step.check), None)
        if failed is None or passed is None or passed.seq <= failed.seq or not passed.check.endswith(PASSED):
            continue
        told = [QuotedSentence(_cut(failed.cause), failed.seq)]
        between = (step for step in request.steps if failed.seq < step.seq <= passed.seq)
        told += [QuotedSentence(_cut(said), step.seq) for step in between if explains(said := without_last_announcement(step.said))]
        if not is_slip(failed.cause) and len(told) > 1:
            files = tuple(dict.fromkeys(path for step in request.steps if step.seq > failed.seq for path in step.files))
            yield _draft(DraftKind.DEVLOG, Trigger.TESTS, f"check {plain(failed.check, 80)}", told, files)


def _boundaries(evidence: SessionEvidence, policy: CapturePolicy) -> Iterator[MemoryDraft]:
    """Files that several parts of the work rest on were changed: what was asked, and what the agent said that it did."""
    for glob in policy.boundaries:
        matches = _pattern(glob).match
        paths = tuple(dict.fromkeys(file.path for file in evidence.files if file.action.value != "read" and matches(file.path)))
        request = next((each for each in reversed(evidence.requests) if any(_same(paths, path) for path in each.files)), None)
        if paths and request is not None and (told := _request_and_outcome(request)):
            yield _draft(DraftKind.DEVLOG, Trigger.BOUNDARY, f"boundary {glob}", told, paths)


def _diff(evidence: SessionEvidence, policy: CapturePolicy) -> Iterator[MemoryDraft]:
    request = next((each for each in reversed(evidence.requests) if each.commits), None)
    if evidence.diff_lines >= policy.diff_lines and request is not None and (told := _request_and_outcome(request)):
        yield _draft(DraftKind.DEVLOG, Trigger.DIFF, f"commit {plain(request.commits[-1], 80)}", told, request.files)


def subject_of(anchor: Anchor) -> str:
    """By its words: the keys of anchors tell them apart within one conversation only."""
    return f"words {hashlib.sha256(' '.join(anchor.text.lower().split()).encode()).hexdigest()[:24]}"


def _request_and_outcome(request: Request) -> list[QuotedSentence]:
    """The request, where it says something by itself, and its outcome; nothing where that is not told."""
    if not request.outcome or not is_lasting(request.outcome.text):
        return []
    said = [request.text] if is_lasting(request.text.text) else []
    return [QuotedSentence(_cut(quote.text), quote.ref.seq) for quote in (*said, request.outcome)]


def _reason(anchor: Anchor) -> list[QuotedSentence]:
    """Why, where the words themselves do not say so already."""
    why = anchor.rationale
    return [QuotedSentence(_cut(why), anchor.ref.seq)] if why and is_lasting(why, shortest=3) and why.rstrip(".") not in anchor.text else []


def _draft(kind: DraftKind, trigger: Trigger, subject: str, told: Sequence[QuotedSentence], files: Sequence[str]) -> MemoryDraft:
    return MemoryDraft(kind, trigger, subject[:200], plain(told[0].text, TITLE), tuple(told[:SENTENCES]), tuple(files[:FILES]))


def _files_near(seq: int, files: Sequence[FileTouch]) -> tuple[str, ...]:
    near = [(abs(file.last_seq - seq), file.path) for file in files if file.action.value != "read" and abs(file.last_seq - seq) <= NEAR]
    return tuple(dict.fromkeys(path for _, path in sorted(near)))


def _same(paths: Sequence[str], path: str) -> bool:
    return any(path == each or path.endswith(f"/{each}") or each.endswith(f"/{path}") for each in paths)


def _cut(text: str) -> str:
    return plain(text, SENTENCE)


@lru_cache(maxsize=256)
def _pattern(glob: str) -> re.Pattern[str]:
    """Linear on any path: runs of stars are one."""
    return re.compile(translate(re.sub(r"\*+", "*", glob[:200])))
