"""The bank: what was noted of a conversation so far, bounded whatever its length. Every message costs the same."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from continuity.core.isolation import Skipped, read_on
from continuity.core.redaction import REDACTED
from continuity.transcripts.base.model import Message, Part, PartKind, Role, Voice
from handoffs.fidelity.probes import evidence, imperatives
from handoffs.fidelity.probes.identifiers import identifiers_in
from handoffs.fidelity.probes.speech import bounded, sentences_of, texts_of
from handoffs.fidelity.probes.timeline import Timeline

VERSION = 2
READER = "probes"
RULES, CHOICES, FAULTS, FILES, NAMES, CALLS = 40, 40, 16, 120, 160, 40
# So many words in common make two sentences about the same, where the later one takes something back.
SAME = 2
CONTEXT = 110
MASKED = "[secret:"  # what the bank reads is masked, and what was masked is not asked for

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Note:
    """Words with their place. `about` is the question they answer, the command they came from, or what stood around them."""

    words: str
    seq: int
    weight: float = 1.0
    about: str = ""
    count: int = 1
    person: bool = False


@dataclass(slots=True)
class Bank:
    """The notes that questions are made of: rules and choices of people by their words, faults by command, files by path, names by
    themselves.

    `request` is what a person said last, `items` what the latest list leaves open, `check` the last check with its outcome as weight 1
    (passed) or 0. `calls` are those whose results are awaited, by id. `course` is what a directive's lines are judged by.
    """

    rules: dict[str, Note] = field(default_factory=dict)
    choices: dict[str, Note] = field(default_factory=dict)
    faults: dict[str, Note] = field(default_factory=dict)
    files: dict[str, Note] = field(default_factory=dict)
    names: dict[str, Note] = field(default_factory=dict)
    calls: dict[str, str] = field(default_factory=dict)
    items: list[str] = field(default_factory=list)
    items_seq: int = 0
    request: Note | None = None
    check: Note | None = None
    course: Timeline = field(default_factory=Timeline)

    def read(self, seq: int, message: Message) -> None:
        """Takes note of a message. What sub-agents and tools say is evidence only."""
        self.course.read(seq, message)
        if not message.agent:
            if message.role is Role.USER:
                self._hear(seq, message)
            self._recognise(seq, message)
        for part in message.parts:
            if part.kind is PartKind.TOOL_CALL:
                self._call(seq, part, message.cwd)
            elif part.kind is PartKind.TOOL_RESULT:
                self._result(seq, part)

    def copy(self) -> Bank:
        """A twin that can be changed: the notes in it never change."""
        twin = copy(self)
        for name in (*_KEYS, "calls"):
            setattr(twin, name, dict(getattr(self, name)))
        twin.course = self.course.copy()
        return twin

    def read_on(self, messages: Sequence[tuple[int, Message]], *, known_skipped: Collection[int] = ()) -> tuple[Bank, Skipped]:
        """The bank after these messages, and those that were passed over since reading them raised; this one stays as it is.
        `known_skipped` are some that were before, and are not tried again."""
        return read_on(self, messages, read=_read, pass_over=lambda bank, _: bank, reader=READER, known=known_skipped)

    def carried(self) -> Bank:
        """The bank that the next conversation of a chain begins with: all is from before its first message."""
        bank = Bank(items=list(self.items), course=self.course.handed_on())
        for name in _KEYS:
            setattr(bank, name, {key: replace(note, seq=0) for key, note in getattr(self, name).items()})
        for name in _SINGLE:
            note = getattr(self, name)
            setattr(bank, name, replace(note, seq=0) if note else None)
        return bank

    def to_json(self) -> dict[str, Any]:
        """Lists all the way: what a key of an object is named would not be redacted with the words."""
        listed: dict[str, Any] = {name: [_listed(note) for note in getattr(self, name).values()] for name in _KEYS}
        single = {name: _listed(note) if (note := getattr(self, name)) else None for name in _SINGLE}
        return (
            listed
            | single
            | {
                "calls": [list(call) for call in self.calls.items()],
                "items": [self.items_seq, *self.items],
                "course": self.course.to_json(),
            }
        )

    @classmethod
    def from_json(cls, raw: Mapping[str, Any]) -> Bank:
        """The inverse of `to_json`, without what was redacted; an empty object is an empty bank."""
        bank = cls(calls={call: command for call, command in raw.get("calls", []) if REDACTED not in command})
        bank.course = Timeline.from_json(raw.get("course", {}))
        bank.items_seq, *items = raw.get("items", [0])
        bank.items = [item for item in items if REDACTED not in item]
        for name, key in _KEYS.items():
            notes = [Note(*listed) for listed in raw.get(name, [])]
            setattr(bank, name, {key(note): note for note in notes if REDACTED not in note.words + note.about})
        for name in _SINGLE:
            note = Note(*raw[name]) if raw.get(name) else None
            setattr(bank, name, note if note and REDACTED not in note.words else None)
        return bank

    def _hear(self, seq: int, message: Message) -> None:
        last = ""
        for sentence in sentences_of(message, Voice.PERSON):
            last = last or sentence
            if MASKED in sentence:
                continue
            if imperatives.reverses(sentence):
                self._take_back(sentence)
            if imperatives.forbids(sentence):
                _keep(self.rules, sentence.lower(), Note(sentence, seq, 1.0), RULES, _lightest)
            elif imperatives.settles(sentence):
                _keep(self.choices, sentence.lower(), Note(sentence, seq, 0.8), CHOICES, _lightest)
            elif imperatives.demands(sentence):
                _keep(self.rules, sentence.lower(), Note(sentence, seq, 0.7), RULES, _lightest)
        if last and MASKED not in last:
            self.request = Note(last, seq)

    def _take_back(self, sentence: str) -> None:
        """Forgets what a sentence takes back: earlier ones about the same."""
        words = imperatives.distinctive(sentence)
        for kept in (self.rules, self.choices):
            for key in [key for key, note in kept.items() if len(words & imperatives.distinctive(note.words)) >= SAME]:
                del kept[key]

    def _recognise(self, seq: int, message: Message) -> None:
        """Counts the names that a message says, each once."""
        for voice in (Voice.PERSON, Voice.AGENT):
            for text in texts_of(message, voice):
                for name in identifiers_in(text):
                    known = self.names.get(name)
                    if known is not None:
                        person = known.person or voice is Voice.PERSON
                        self.names[name] = replace(known, count=known.count + (known.seq != seq), seq=seq, person=person)
                    elif around := _around(text, name):
                        _keep(self.names, name, Note(name, seq, about=around, person=voice is Voice.PERSON), NAMES, _rarest)

    def _call(self, seq: int, part: Part, cwd: str) -> None:
        for path in evidence.changed_paths(part):
            shown = path.removeprefix(cwd.rstrip("/") + "/") if cwd else path
            known = self.files.pop(shown, None)
            _keep(self.files, shown, Note(shown, seq, count=known.count + 1 if known else 1), FILES, _rarest)
        items = evidence.open_items(part)
        if items is not None:
            self.items, self.items_seq = [item for item in items if MASKED not in item], seq
        command = evidence.command_of(part)
        if command and part.call_id and MASKED not in command:
            _keep(self.calls, part.call_id, command, CALLS, _oldest)

    def _result(self, seq: int, part: Part) -> None:
        for question, answer in evidence.chosen(part):
            if MASKED not in question + answer:
                _keep(self.choices, question.lower(), Note(answer, seq, 1.0, about=question), CHOICES, _lightest)
        command = self.calls.pop(part.call_id, "")
        wrong = evidence.went_wrong(part)
        fault = evidence.fault_of(part) if wrong else ""
        if not command or MASKED in fault:
            return
        doing = evidence.doing(command)
        if wrong is not None:
            self.faults.pop(doing, None)
        if fault:
            _keep(self.faults, doing, Note(bounded(fault), seq, 0.7, about=command), FAULTS, _oldest)
        if wrong is not None and evidence.is_check(command):
            self.check = Note(command, seq, 0.0 if wrong else 1.0)


def _read(before: Bank, messages: Sequence[tuple[int, Message]]) -> Bank:
    bank = before.copy()
    for seq, message in messages:
        bank.read(seq, message)
    return bank


def _listed(note: Note) -> list[Any]:
    return [note.words, note.seq, note.weight, note.about, note.count, note.person]


def _said(note: Note) -> str:
    return (note.about or note.words).lower()


def _itself(note: Note) -> str:
    return note.words


def _done(note: Note) -> str:
    return evidence.doing(note.about)


_KEYS: dict[str, Callable[[Note], str]] = {"rules": _said, "choices": _said, "faults": _done, "files": _itself, "names": _itself}
_SINGLE = ("request", "check")


def _keep(kept: dict[str, T], key: str, value: T, most: int, which: Callable[[dict[str, T]], str]) -> None:
    """Puts a value in, and one out where there are more than `most`."""
    kept[key] = value
    if len(kept) > most:
        del kept[which(kept)]


def _oldest(kept: Mapping[str, Any]) -> str:
    return next(iter(kept))


def _lightest(kept: Mapping[str, Note]) -> str:
    return min(kept, key=lambda key: (kept[key].weight, kept[key].seq))


def _rarest(kept: Mapping[str, Note]) -> str:
    """The one that returned least, the longest ago; the newest has its chance."""
    *known, _newest = kept
    return min(known, key=lambda key: (kept[key].person, kept[key].count, kept[key].seq))


def _around(text: str, name: str) -> str:
    """The words around a name on its line; empty where it stands alone or a secret is near."""
    place = text.find(name)
    start, end = text.rfind("\n", 0, place) + 1, text.find("\n", place)
    line = text[start : end if end >= 0 else len(text)]
    at = place - start
    shown = " ".join(line[max(0, at - CONTEXT // 2) : at + len(name) + CONTEXT // 2].split())
    return "" if MASKED in shown or len(shown) < len(name) + 12 else shown
