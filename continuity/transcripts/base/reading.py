"""Drives a parser over a source of records and keeps the report."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator
from functools import partial
from types import TracebackType

from continuity.core.isolation import NOT_ITS_FAULT, error_type, place_of
from continuity.transcripts.base.decoding import decode_record, decode_text
from continuity.transcripts.base.documents import Field, UnreadTail
from continuity.transcripts.base.errors import BadRecord
from continuity.transcripts.base.format import Event, Parser
from continuity.transcripts.base.lines import MAX_LINE, Raw
from continuity.transcripts.base.model import Message, Report

Source = Iterable[Raw | Field | UnreadTail]


class Transcript:
    """Messages and abandonments in the order of the file, read while they are iterated, once.

    `report` grows with the reading and is complete at its end; `line` is where it stands, from 0. Leaving the transcript as a
    context, or reading it to its end, closes the file.
    """

    def __init__(
        self,
        source: Source,
        parser: Parser,
        report: Report,
        *,
        cut: int | None = None,
        close: Callable[[], None] | None = None,
        text: bool = False,
    ) -> None:
        self.report = report
        self.line = 0
        self._parser = parser
        self._source = source
        self._cut = cut
        self._close = close
        self._text = text
        self._events = self._read()

    def __iter__(self) -> Iterator[Event]:
        return self

    def __next__(self) -> Event:
        return next(self._events)

    def __enter__(self) -> Transcript:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def continued(self, source: Source) -> Transcript:
        """A reading of further records of the same session, with what this one remembers."""
        return Transcript(source, self._parser, self.report, text=self._text)

    def close(self) -> None:
        """Stops the reading; safe to call twice."""
        self._events.close()
        if self._close:
            self._close()

    def _read(self) -> Generator[Event, None, None]:
        try:
            for event in self._parse():
                if isinstance(event, Message):
                    self.report.messages += 1
                yield event
        finally:
            if self._close:
                self._close()

    def _parse(self) -> Iterator[Event]:
        for item in self._source:
            if isinstance(item, Field):
                yield from self._field(item)
                continue
            self.line = item.line
            if isinstance(item, UnreadTail):
                self.report.skip(item.line, "follows the end of the document and was not read")
            elif self._cut is not None and item.line >= self._cut:
                break
            else:
                self.report.bytes_read = item.offset + item.size
                yield from self._record(item)
        yield from self._guarded(self._parser.finish, self.line)

    def _field(self, item: Field) -> Iterator[Event]:
        try:
            name, value = decode_record(item.key), decode_record(item.data)
        except BadRecord:
            return
        if isinstance(name, str):
            yield from self._guarded(partial(self._parser.field, name, value), self.line)

    def _record(self, raw: Raw) -> Iterator[Event]:
        if raw.data is None:
            self.report.skip(raw.line, f"is {raw.size:,} bytes long, more than the limit of {MAX_LINE:,}")
            return
        if not self._text and not raw.data.strip():
            return
        try:
            record = decode_text(raw.data) if self._text else decode_record(raw.data, complete=raw.complete)
        except BadRecord as bad:
            self.report.skip(raw.line, bad.reason)
            return
        self.report.records += 1
        yield from self._guarded(partial(self._parser.record, raw.line, record), raw.line)

    def _guarded(self, parse: Callable[[], Iterator[Event]], line: int) -> Iterator[Event]:
        """The parser's messages; where it raises, whatever its format, the record is told of and reading goes on behind it."""
        try:
            yield from parse()
        except BadRecord as bad:
            self.report.skip(line, bad.reason)
        except NOT_ITS_FAULT:
            raise
        except Exception as error:  # noqa: BLE001  told of in the report, by its type: what it says may quote the record
            self.report.skip(line, f"can't be read by this release ({error_type(error)} at {place_of(error)})")
