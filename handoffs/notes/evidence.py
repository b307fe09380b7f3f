"""The evidence that a note's statements are held against: names, words, what people and projects said, and what they agreed to."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from continuity.knowledge.anchor_types import RULES
from continuity.knowledge.language.acceptance import acceptance
from continuity.knowledge.language.content_words import content
from continuity.knowledge.language.sentences import split
from continuity.knowledge.model import AnchorType, FileTouch, Knowledge, Quote, RequestKind, Situation, Truth
from handoffs.budgeting.coverage import terms_of
from handoffs.directive.lines.wording import normalise

WORDS = 60  # content words of a statement or sentence
PARTS_OF_A_PATH = 8
LONG = 4000  # characters of one text that are read
# A rule is a person's or a project's; what the agent alone claimed is neither.
_RULES = RULES | {AnchorType.CORRECTION}
_NEGATION = re.compile(
    r"\b(?:not|never|no|none|nor|without|cannot|avoid|stop|forbid\w*|nie|niemals|nicht|kein\w{0,2}|ohne|ne|pas|jamais|sans|nunca|sin)\b|n['’]t\b"
)


@dataclass(frozen=True, slots=True)
class EvidenceSentence:
    """One sentence: its content words, whether it denies, whether it asks."""

    words: frozenset[str]
    denies: bool
    asks: bool

    @classmethod
    def of(cls, text: str) -> EvidenceSentence:
        low = text.lower()
        return cls(words_of(text), denies(low), text.rstrip(" *_\"”').").endswith("?"))

    def says(self, words: frozenset[str], share: float) -> bool:
        """Whether at least `share` of the words stand here. Never of no words."""
        return bool(words) and len(words & self.words) >= share * len(words)


def words_of(text: str) -> frozenset[str]:
    return frozenset(content(text, WORDS))


def denies(low: str) -> bool:
    """Whether a lower-case sentence denies: two denials are none."""
    return len(_NEGATION.findall(low)) % 2 == 1


class NoteEvidence:
    """Built once for all statements of a note. Bounded as the knowledge is."""

    def __init__(self, knowledge: Knowledge) -> None:
        self.knowledge = knowledge
        texts = [text[:LONG] for text in _texts(knowledge) if text]
        self.names = _names(texts)
        self.words = frozenset().union(*(words_of(text) for text in texts)) if texts else frozenset[str]()
        self.text = "\n".join(normalise(text) for text in texts)
        self.persons = tuple(_sentences(_of_persons(knowledge)))
        self.rules = (*self.persons, *_sentences(a.text for a in knowledge.anchors if a.type in _RULES and a.truth is not Truth.CLAIMED))
        answers = list(_accepted(knowledge))
        self.agreed = tuple(EvidenceSentence.of(sentence.text) for text in answers for sentence in split(text))
        # The words of each answer as a whole: who tells of what was agreed to takes them from several sentences.
        self.agreed_answers = tuple(frozenset(content(text, 4 * WORDS)) for text in answers)
        self._spoken = "\n".join(normalise(text[:LONG]) for text in dict.fromkeys(_of_persons(knowledge)))

    def stands(self, words: str) -> bool:
        """Whether the words, normalised, stand somewhere as they are."""
        return len(words) >= 12 and words in self.text

    def said(self, words: str) -> bool:
        """Whether a person said these very words."""
        wanted = normalise(words).strip(" .")
        return bool(wanted) and wanted in self._spoken

    def changed_after(self, seq: int) -> list[FileTouch]:
        """The files changed after this message, the latest first."""
        changed = [file for file in self.knowledge.files if file.action.value != "read" and file.last_seq > seq]
        return sorted(changed, key=lambda file: (-file.last_seq, file.path))


def _texts(knowledge: Knowledge) -> Iterator[str]:
    for anchor in (*knowledge.anchors, *knowledge.superseded):
        yield from (anchor.text, anchor.rationale, anchor.rejected)
    for task in knowledge.tasks:
        yield from (task.description, task.tool_id, task.blocking_reason, *task.steps_done, *task.steps_left)
    now = knowledge.situation
    for file in knowledge.files:
        yield from (file.path, file.note, *file.symbols)
        if now.cwd and not file.path.startswith("/"):
            yield f"{now.cwd}/{file.path}"  # as an agent may name it
    runs = (*now.checks, *now.recent_commands, *((now.verification,) if now.verification else ()))
    for run in runs:
        yield from (run.command, run.result, "" if run.exit_code is None else f"exit code {run.exit_code}")
    yield from (now.cwd, now.branch, *now.running, *(each.text for each in now.sent), *now.outside, *now.names)
    quotes = (now.objective, now.latest_request, now.next_step, now.waiting_for, *now.commits, *now.trees, *now.looked, *now.unanswered)
    yield from (quote.text for quote in (*quotes, *knowledge.brief) if quote)
    yield from _results(now)
    for turn in knowledge.turns:
        yield from (quote.text for quote in (turn.request, turn.answer, turn.thought, *turn.said) if quote)
    yield from (unit.text for unit in knowledge.carried.units)
    yield knowledge.retold


def _results(now: Situation) -> Iterator[str]:
    """The texts of tools' results."""
    for failure in now.failures:
        yield from (failure.check, failure.test, failure.at, failure.expected, failure.got, failure.cause)
    for part in now.parts:
        yield from (part.title, part.id, part.wanted, part.check, *part.files, *part.commits)
    for refusal in now.refusals:
        yield from (refusal.target, refusal.said)
    for choice in now.choices:
        yield from (choice.question, choice.chosen, *choice.others)
    for made in now.made:
        yield from (made.id, made.url)
    yield from (text for file in now.changed for text in (file.path, file.commit))
    yield from (text for run in now.blocked for text in (run.command, run.result))
    yield from (edit.body for edit in now.edits)
    yield from (result.text for result in now.results)
    if now.plan:
        yield from (now.plan.path, now.plan.text, now.plan.said, *(item.text for item in now.plan.items))


def _names(texts: Iterable[str]) -> frozenset[str]:
    """Names in lower case, with every part of a path that can stand for it."""
    names: set[str] = set().union(*(terms_of(text).names for text in texts))
    for name in [name for name in names if "/" in name]:
        parts = name.split("/")[-PARTS_OF_A_PATH:]
        names.update("/".join(parts[first:last]) for first in range(len(parts)) for last in range(first + 1, len(parts) + 1))
    return frozenset(names)


def _of_persons(knowledge: Knowledge) -> Iterator[str]:
    now = knowledge.situation
    yield from (anchor.text for anchor in (*knowledge.anchors, *knowledge.superseded) if anchor.truth is Truth.STATED)
    quotes: tuple[Quote | None, ...] = (now.objective, now.latest_request, *knowledge.brief, *(turn.request for turn in knowledge.turns))
    yield from (quote.text for quote in quotes if quote)
    yield from (row.text.text for row in knowledge.requests if row.kind is not RequestKind.SUMMARY)


def _sentences(texts: Iterable[str]) -> Iterator[EvidenceSentence]:
    for text in dict.fromkeys(texts):
        yield from (EvidenceSentence.of(sentence.text) for sentence in split(text[:LONG]))


def _accepted(knowledge: Knowledge) -> Iterator[str]:
    """The answers of the agent that the person's next words accepted."""
    for before, turn in zip(knowledge.turns, knowledge.turns[1:], strict=False):
        if before.answer and turn.request and acceptance(turn.request.text) is not None:
            yield before.answer.text[:LONG]
