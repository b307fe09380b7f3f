"""Aider's history to messages: all sessions in order, each but the first beginning at a boundary.

The last session is the report's own, the earlier ones its lineage; aider gives them no name but when they began.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from continuity.transcripts.aider.actions import AiderAction, read_actions
from continuity.transcripts.aider.lines import AiderLineKind, LineKinds, started_at
from continuity.transcripts.aider.prompts import asked_in_code, read_prompt
from continuity.transcripts.base.errors import BadRecord
from continuity.transcripts.base.fields import kind_of, label, moment
from continuity.transcripts.base.format import DocumentShape, Event, Format, Parser, Sample
from continuity.transcripts.base.marked_sections import sections
from continuity.transcripts.base.message_builder import Assembler
from continuity.transcripts.base.model import OWN, Message, Report, Role, Usage, Voice
from continuity.transcripts.base.parts import Parts
from continuity.transcripts.base.passages import PassageLines

NAME = "aider"

_MODEL = re.compile(r"(?:Main model|Model): (\S{1,200})")
_FOLDER = re.compile(r"Cur working dir: (\S[^\n]{0,1000})")
_WATCHING = "Processing your request..."
_TOKENS = re.compile(
    r"Tokens: (?P<sent>[\d.,]{1,12}[kM]?) sent(?:, (?P<written>[\d.,]{1,12}[kM]?) cache write)?"
    r"(?:, (?P<read>[\d.,]{1,12}[kM]?) cache hit)?, (?P<received>[\d.,]{1,12}[kM]?) received"
)
_THOUGHTS = re.compile(r"<(?P<tag>thinking-content-\w{1,64}|think|thinking)>|^-{5,80}\n► \*\*THINKING\*\*\n", re.MULTILINE)
_ANSWER = "► **ANSWER**\n"


class AiderParser(Parser):
    """Holds an answer until what aider says after it is known: how many tokens it took and what was done with it."""

    def __init__(self, report: Report, part_limit: int) -> None:
        self._report = report
        self._make = Assembler(report, part_limit)
        self._kinds = LineKinds()
        self._kind: AiderLineKind | None = None
        self._passage = PassageLines()
        self._answer: PassageLines | None = None
        self._session = ""
        self._model = ""
        self._calls = 0
        self._watched = False

    def finish(self) -> Iterator[Event]:
        yield from self._close(None)
        yield from self._answered(None)

    def record(self, line: int, record: Any) -> Iterator[Event]:
        if not isinstance(record, str):
            raise BadRecord(f"is {kind_of(record)}, not a line of text")
        kind = self._kinds.of(record)
        if kind is AiderLineKind.START:
            yield from self._close(None)
            yield from self._answered(None)
            yield from self._begin(line, started_at(record))
            return
        if not record.strip() and kind is AiderLineKind.ANSWER and self._kind is not AiderLineKind.ANSWER:
            # an empty line ends what was said, whoever said it; the person's next words are a new prompt
            yield from self._close(None)
            return
        if kind is not self._kind:
            yield from self._close(kind)
            self._passage = PassageLines(line)
        self._passage.add(record)

    def _begin(self, line: int, began: str) -> Iterator[Message]:
        later = bool(self._session)
        self._session = began
        self._make.began(began)
        parts = self._make.parts()
        if later:
            parts.boundary(f"A new chat started at {began}", {"session": began})
        else:
            parts.text(f"The chat started at {began}", Voice.HARNESS, {"session": began})
        yield from self._message(line, Role.SYSTEM, parts, began, at=True)

    def _close(self, kind: AiderLineKind | None) -> Iterator[Message]:
        """Ends the passage that was being read and begins one of another kind."""
        passage, ended = self._passage, self._kind
        self._kind, self._passage = kind, PassageLines()
        if passage.problem:
            self._report.skip(passage.first_line, passage.problem, whole=False)
        if ended is AiderLineKind.ANSWER and passage.text.strip():
            yield from self._asked(passage)
            yield from self._answered(passage)
        elif ended is AiderLineKind.PERSON:
            yield from self._answered(None)
            parts = self._make.parts()
            text = "\n".join(line[5:].rstrip() for line in passage.lines).strip()
            read_prompt(text, parts)
            yield from self._message(passage.first_line, Role.USER, parts, text)
        elif ended is AiderLineKind.TOOL:
            yield from self._told(passage)

    def _asked(self, passage: PassageLines) -> Iterator[Message]:
        """Gives the comments in code that an answer is to, where aider found them by watching the files."""
        asked = asked_in_code(passage.text) if self._watched else ""
        self._watched = False
        if asked:
            yield from self._answered(None)
            parts = self._make.parts()
            parts.words(asked)
            yield from self._message(passage.first_line, Role.USER, parts, asked)

    def _answered(self, following: PassageLines | None, usage: Usage | None = None) -> Iterator[Message]:
        """Gives the answer that was held, and holds the one that follows it."""
        answer, self._answer = self._answer, following
        if answer is None:
            return
        parts, at, text = self._make.parts(), 0, answer.text
        for thought in sections(text, _THOUGHTS, lambda found: f"</{found['tag']}>" if found["tag"] else _ANSWER):
            parts.text(text[at : thought.start].strip(), Voice.AGENT)
            parts.reasoning(thought.inner.strip("-\n").strip())
            at = thought.end
        parts.text(text[at:].strip(), Voice.AGENT)
        yield from self._message(answer.first_line, Role.ASSISTANT, parts, text, usage=usage)

    def _told(self, passage: PassageLines) -> Iterator[Message]:
        said = _joined(passage.lines)
        for text in said:
            self._note(text)
        self._watched = self._watched or _WATCHING in said
        tokens = next((found for text in said if (found := _TOKENS.match(text))), None)
        yield from self._answered(None, _usage(tokens) if tokens else None)
        calls, results = self._make.parts(), self._make.parts()
        aside: list[str] = []
        for deed in read_actions(said):
            if isinstance(deed, AiderAction):
                _flush(aside, results)
                self._calls += 1
                # it applies and commits what the answer said without being asked again
                own = {OWN: True} if deed.failed is False else {}
                calls.call(deed.name, f"aider:{self._calls}", deed.given, own)
                results.result(deed.text, f"aider:{self._calls}", failed=deed.failed, data={**deed.given, **own})
            else:
                aside.append(deed)
        _flush(aside, results)
        yield from self._message(passage.first_line, Role.ASSISTANT, calls, passage.text)
        yield from self._message(passage.first_line, Role.TOOL if len(calls) else Role.SYSTEM, results, passage.text)

    def _note(self, text: str) -> None:
        if found := _MODEL.match(text):
            self._model = self._report.model = label(found.group(1))
            maker, slash, _ = self._model.partition("/")
            self._report.provider = maker if slash else self._report.provider
        elif found := _FOLDER.match(text):
            self._make.moved(label(found.group(1)))

    def _message(
        self, line: int, role: Role, parts: Parts, text: str, *, at: bool = False, usage: Usage | None = None
    ) -> Iterator[Message]:
        return self._make.message(
            line,
            role,
            parts,
            says={"session": self._session, "text": text},
            # aider writes the time of day without a zone
            at=moment(self._session) if at else None,
            model=self._model if role is Role.ASSISTANT and usage else "",
            usage=usage,
        )


def _flush(aside: list[str], parts: Parts) -> None:
    parts.text("\n".join(aside), Voice.HARNESS)
    aside.clear()


def _joined(lines: list[str]) -> list[str]:
    """What aider says, message by message: one goes on over the lines until one with a break."""
    said: list[str] = []
    going_on = False
    for line in lines:
        text = line[1:].strip() if line.startswith(">") and not going_on else line.rstrip()
        if going_on:
            said[-1] += f"\n{text}"
        else:
            said.append(text)
        going_on = not line.endswith("  ")
    return [text.strip() for text in said if text.strip()]


def _usage(tokens: re.Match[str]) -> Usage | None:
    """Aider rounds to hundreds or thousands, and counts the cached tokens within those sent."""
    sent, written, read, received = (_number(tokens[name]) for name in ("sent", "written", "read", "received"))
    usage = Usage(max(sent - written - read, 0), received, read, written)
    return usage if usage.context else None


def _number(text: str | None) -> int:
    scale = {"k": 1000, "M": 1_000_000}.get((text or "")[-1:], 1)
    try:
        return round(float((text or "0").rstrip("kM").replace(",", "")) * scale)
    except ValueError:
        return 0


def sniff(sample: Sample) -> int:
    """A line that opens a session, before any other text or with lines of aider's own about it."""
    if sample.shape is not DocumentShape.TEXT:
        return 0
    lines = [str(line) for line in sample.records if str(line).strip()]
    starts = [number for number, line in enumerate(lines) if started_at(line)]
    if not starts:
        return 0
    own = sum(line.startswith((">", "####")) and line.endswith("  ") for line in lines)
    return 100 if starts[0] == 0 else 80 if own * 3 >= len(lines) else 0


FORMAT = Format(NAME, sniff, AiderParser, text=True, tool="Aider")
