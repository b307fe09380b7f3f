"""The course of a session as raw evidence: what people asked and what came of it, calls, edits, checks, commits, failures.

It is kept beside the bank and read as that is, message by message, by forms and places rather than by words of one language. Bounded.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from copy import copy
from dataclasses import dataclass, field, replace
from typing import Any

from continuity.core.redaction import REDACTED
from continuity.transcripts.base.model import Message, Part, PartKind, Role, Voice
from handoffs.fidelity.probes import evidence, sentence_forms
from handoffs.fidelity.probes.speech import SHORTEST, is_of_program, sentences_of, texts_of, tidy
from handoffs.fidelity.probes.turns import RawTurn, asked_by, bounded_turns

FAULTS, SAID, RULES, WORDS, EDITED, CHECKS, COMMITS, ITEMS, OPTIONS, CALLS, DENIALS = 40, 240, 1600, 12, 80, 16, 16, 60, 60, 40, 20
SHOWN, SENTENCE = 240, 400
BRIEF = 24_000  # characters of a person's text that are read
MASKED = "[secret:"


@dataclass(frozen=True, slots=True)
class TimelineEntry:
    """Words with their place. `about` is the command, the path or the answer that they belong to; `end` the message that ended it
    (0: it holds); `good` how it came out."""

    words: str
    seq: int
    about: str = ""
    end: int = 0
    good: bool | None = None


Happenings = dict[str, TimelineEntry]


@dataclass(slots=True)
class Timeline:
    """The notes of a session, by their subject.

    `turns` are the first and the latest messages of people with what came of each; `said` their sentences, `rules` those of a project's
    files (as hashes). `spoken` are the agent's latest words, `withdrawn` sentences that take something back. `items` are the points of
    lists and trackers, `options` what was offered and whether it was taken, `faults` what went wrong (`end`: where a later run mended
    it), `calls` those whose result is awaited, `denied` those that a person refused. `last` is what happened last: "person", "agent",
    "call" or "result". `carried` says that it goes on from an earlier conversation, `unread` that a message was too long to be read whole.
    """

    turns: list[RawTurn] = field(default_factory=list)
    said: Happenings = field(default_factory=dict)
    rules: dict[int, None] = field(default_factory=dict)
    spoken: Happenings = field(default_factory=dict)
    withdrawn: Happenings = field(default_factory=dict)
    edited: Happenings = field(default_factory=dict)
    checks: Happenings = field(default_factory=dict)
    commits: Happenings = field(default_factory=dict)
    faults: Happenings = field(default_factory=dict)
    items: Happenings = field(default_factory=dict)
    options: Happenings = field(default_factory=dict)
    calls: Happenings = field(default_factory=dict)
    denied: Happenings = field(default_factory=dict)
    last: str = ""
    carried: bool = False
    unread: bool = False

    def read(self, seq: int, message: Message) -> None:
        """Takes note of a message. What sub-agents say is left out, what they do is not."""
        if not message.agent:
            if message.role is Role.USER:
                self._hear(seq, message)
            else:
                self._listen(seq, message)
        for part in message.parts:
            if part.kind is PartKind.TOOL_CALL:
                self._call(seq, part, message.cwd)
            elif part.kind is PartKind.TOOL_RESULT:
                self._result(seq, part)

    @property
    def latest_edit(self) -> TimelineEntry | None:
        """The file changed last; an edit whose result is awaited may never have been made."""
        awaited = {(call.words, call.seq) for call in self.calls.values()}
        made = [each for each in self.edited.values() if (each.words, each.seq) not in awaited]
        return max(made, key=lambda each: each.seq, default=None)

    @property
    def latest_check(self) -> TimelineEntry | None:
        return max(self.checks.values(), key=lambda check: check.seq, default=None)

    @property
    def last_commit(self) -> int:
        return max((each.seq for each in self.commits.values()), default=0)

    def copy(self) -> Timeline:
        """A twin that can be changed: what is noted in it never changes."""
        twin = copy(self)
        twin.turns, twin.rules = list(self.turns), dict(self.rules)
        for name in _NOTED:
            setattr(twin, name, dict(getattr(self, name)))
        return twin

    def handed_on(self) -> Timeline:
        """The course that the next conversation of a chain begins with: what stands, from before its first message."""
        course = Timeline(rules=dict(self.rules), carried=bool(self.turns) or self.carried, unread=self.unread)
        for name in ("said", "edited", "checks", "commits", "items", "options"):
            setattr(course, name, {key: replace(each, seq=0, end=0) for key, each in getattr(self, name).items()})
        return course

    def to_json(self) -> dict[str, Any]:
        """Lists all the way, as the bank's."""
        noted = {name: [[key, *_listed(each)] for key, each in getattr(self, name).items()] for name in _NOTED}
        return noted | {
            "turns": [turn.to_json() for turn in self.turns],
            "rules": list(self.rules),
            "last": self.last,
            "carried": self.carried,
            "unread": self.unread,
        }

    @classmethod
    def from_json(cls, raw: Mapping[str, Any]) -> Timeline:
        """The inverse of `to_json`, without what was redacted; an empty object is an empty course."""
        course = cls(last=raw.get("last", ""), carried=raw.get("carried", False), unread=raw.get("unread", False))
        course.rules = dict.fromkeys(raw.get("rules", []))
        course.turns = [turn for each in raw.get("turns", []) if REDACTED not in (turn := RawTurn.from_json(each)).words + turn.closing]
        for name in _NOTED:
            kept = [(key, TimelineEntry(*listed)) for key, *listed in raw.get(name, []) if REDACTED not in f"{key}{listed[0]}{listed[2]}"]
            setattr(course, name, dict(kept))
        return course

    def _hear(self, seq: int, message: Message) -> None:
        if sentence_forms.stops(message):
            self._change(stopped=True)
        for part in message.parts:
            if part.kind is PartKind.TEXT and part.voice is Voice.HARNESS and sentence_forms.names_rules(part.text):
                self._lay_down(part.text)
        turn = asked_by(seq, message)
        if turn is None or MASKED in turn.words:
            return
        self.turns = bounded_turns([*self.turns, turn])
        self.last = "person"
        self.unread = self.unread or any(len(part.text) > BRIEF for part in message.parts if part.voice is Voice.PERSON)
        for number, sentence in enumerate(sentences_of(message, Voice.PERSON, longest=SENTENCE, most=SAID, read=BRIEF), start=1):
            self.unread = self.unread or number == SAID
            if MASKED in sentence or is_of_program(sentence):
                continue
            _keep(self.said, sentence.lower(), TimelineEntry(sentence, seq), SAID)
            if sentence_forms.takes_back(sentence):
                _keep(self.withdrawn, sentence.lower(), TimelineEntry(sentence, seq), ITEMS)

    def _listen(self, seq: int, message: Message) -> None:
        texts = [text for text in texts_of(message, Voice.AGENT) if text.strip() and MASKED not in text]
        if not texts:
            return
        closing = tidy(texts[-1])
        self._change(closing=closing[-SHOWN:], closing_seq=seq, last_seq=seq)
        _keep(self.spoken, str(seq), TimelineEntry(closing[: 2 * SHOWN], seq), WORDS)
        self.last = "agent"
        for sentence in sentences_of(message, Voice.AGENT):
            if sentence_forms.takes_back(sentence):
                _keep(self.withdrawn, sentence.lower(), TimelineEntry(sentence, seq), ITEMS)

    def _call(self, seq: int, part: Part, cwd: str) -> None:
        self.last = "call"
        paths = [path.removeprefix(cwd.rstrip("/") + "/") if cwd else path for path in evidence.changed_paths(part)]
        command = evidence.command_of(part)
        turn = self.turns[-1] if self.turns else None
        self._change(calls=turn.calls + 1 if turn else 0, edits=turn.edits + len(paths) if turn else 0, last_seq=seq)
        for path in paths:
            self.edited.pop(path, None)
            _keep(self.edited, path, TimelineEntry(path, seq), EDITED)
        for key, words, done in evidence.items_of(part):
            known = self.items.get(key)
            told = words or (known.words if known else "")
            if told and MASKED not in told:
                _keep(self.items, key, TimelineEntry(told, known.seq if known else seq, end=seq if done else 0, good=done), ITEMS)
        target = command or (paths[0] if paths else evidence.target_of(part))
        if part.call_id and MASKED not in target:
            _keep(self.calls, part.call_id, TimelineEntry(target, seq, about=part.name, good=evidence.is_commit(part)), CALLS)

    def _result(self, seq: int, part: Part) -> None:
        self.last = "result"
        call = self.calls.pop(part.call_id, None)
        self._change(last_seq=seq)
        for words, taken in evidence.options_of(part):
            if MASKED not in words:
                _keep(self.options, words.lower(), TimelineEntry(words, seq, good=taken), OPTIONS)
        if call is None:
            return
        wrong = evidence.went_wrong(part)
        if wrong and not evidence.is_command(call.words):
            self.edited = {path: each for path, each in self.edited.items() if (path, each.seq) != (call.words, call.seq)}
        if wrong and sentence_forms.denies_call(part.text):
            _keep(self.denied, f"{seq}", TimelineEntry(call.words, seq, about=call.about), DENIALS)
            return
        if sentence_forms.names_rules(call.words) and not wrong:
            self._lay_down(part.text)
        if (number := evidence.numbered_item(part)) and (known := self.items.pop(call.words.lower(), None)):
            self.items[number] = known
        if evidence.is_command(call.words):
            self._ran(call, seq, part, wrong)

    def _ran(self, call: TimelineEntry, seq: int, part: Part, wrong: bool | None) -> None:
        command, doing = call.words, evidence.doing(call.words)
        if not wrong and call.good:
            subject = evidence.subject_of(command, part.text)
            _keep(self.commits, str(seq), TimelineEntry(subject, seq), COMMITS)
            turn = self.turns[-1] if self.turns else None
            self._change(commits=turn.commits + 1 if turn else 0)
        if wrong is None:
            return
        if evidence.is_check(command):
            _keep(self.checks, doing, TimelineEntry(command, seq, good=not wrong), CHECKS)
        if not wrong:
            for key, fault in self.faults.items():
                if fault.about == doing and not fault.end:
                    self.faults[key] = replace(fault, end=seq)
        for words in evidence.faults_of(part) if wrong else ():
            if MASKED not in words:
                _keep(self.faults, words.lower(), TimelineEntry(words, seq, about=doing), FAULTS)

    def _change(self, **values: Any) -> None:
        if self.turns:
            self.turns[-1] = replace(self.turns[-1], **values)

    def _lay_down(self, text: str) -> None:
        for sentence in sentence_forms.lines_of(text):
            if len(sentence) >= SHORTEST:
                self.rules[sentence_forms.hashed(sentence)] = None
        for old in list(self.rules)[: max(0, len(self.rules) - RULES)]:
            del self.rules[old]


_NOTED = ("said", "spoken", "withdrawn", "edited", "checks", "commits", "faults", "items", "options", "calls", "denied")


def _listed(each: TimelineEntry) -> list[Any]:
    return [each.words, each.seq, each.about, each.end, each.good]


def _keep(kept: Happenings, key: str, value: TimelineEntry, most: int) -> None:
    """Puts one in as the latest, and the oldest out where there are more than `most`."""
    kept.pop(key, None)
    kept[key] = value
    for old in _oldest(kept, most):
        del kept[old]


def _oldest(kept: Happenings, most: int) -> Iterable[str]:
    return list(kept)[: max(0, len(kept) - most)]
