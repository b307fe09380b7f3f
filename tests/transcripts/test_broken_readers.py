"""A reader that raises on a record costs that record, whatever its format: the driver sees to it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from continuity.transcripts import FORMATS, Abandoned, open_transcript, read_lines
from continuity.transcripts.base.format import Event, Parser
from continuity.transcripts.base.model import Report
from tests.transcripts.test_hostile_records import RECORDS, TEXTS

LINES = {name: [json.dumps(record).encode() for record in records] for name, records in RECORDS.items()}
LINES |= {name: text.encode().split(b"\n") for name, text in TEXTS.items()}
QUOTED = "Kassandra said it"


class Broken:
    """The parser of a format, which raises on one record, on fields, or at the end."""

    def __init__(self, parser: Parser, at: int | str) -> None:
        self._parser = parser
        self._at = at

    def field(self, name: str, value: Any) -> Iterator[Event]:
        yield from self._raising("field", self._parser.field(name, value))

    def record(self, line: int, record: Any) -> Iterator[Event]:
        yield from self._raising(line, self._parser.record(line, record))

    def finish(self) -> Iterator[Event]:
        yield from self._raising("finish", self._parser.finish())

    def _raising(self, here: int | str, events: Iterator[Event]) -> Iterator[Event]:
        if here == self._at:
            raise ValueError(QUOTED)
        return events


@pytest.fixture
def breaks(monkeypatch: pytest.MonkeyPatch) -> Any:
    sound = dict(FORMATS)

    def at(name: str, place: int | str) -> None:
        known = sound[name]

        def parser(report: Report, limit: int) -> Parser:
            return Broken(known.parser(report, limit), place)

        monkeypatch.setitem(FORMATS, name, replace(known, parser=parser))

    return at


@pytest.mark.parametrize("name", FORMATS)
def test_it_works(name: str, breaks: Any) -> None:
    lines = LINES[name]
    sound = read_lines(name, lines)
    assert list(sound)
    for place in range(len(lines)):
        breaks(name, place)
        reading = read_lines(name, lines)
        events = list(reading)
        skips = [each for each in reading.report.skipped if "can't be read by this release" in each.reason]
        if lines[place].strip() or FORMATS[name].text:
            assert [each.line for each in skips] == [place]
            assert "(ValueError at test_broken_readers.py:" in skips[0].reason
            assert QUOTED not in skips[0].reason
        assert reading.report.records == sound.report.records  # all those behind it were read
        assert reading.report.messages == sum(not isinstance(event, Abandoned) for event in events)


@pytest.mark.parametrize("name", FORMATS)
def test_what_was_read_stands_where_the_end_raises(name: str, breaks: Any) -> None:
    breaks(name, "finish")
    reading = read_lines(name, LINES[name])
    list(reading)
    assert [each.line for each in reading.report.skipped if "ValueError" in each.reason] == [len(LINES[name]) - 1]


def test_a_field_of_a_document(tmp_path: Path, breaks: Any) -> None:
    path = tmp_path / "chat.json"
    path.write_text(json.dumps({"model": "m", "messages": [{"role": "user", "content": "Fix it"}]}))
    breaks("openai-chat", "field")
    reading = open_transcript(path, format="openai-chat")
    assert [event.parts[0].text for event in reading if not isinstance(event, Abandoned)] == ["Fix it"]
    assert len(reading.report.skipped) == 1


def test_looking_for_a_format_that_raises_hides_no_other_and_is_logged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "session.jsonl"
    path.write_bytes(b"\n".join(LINES["codex"]))

    def sniff(sample: Any) -> int:
        raise ValueError(QUOTED)

    for name in FORMATS.keys() - {"codex"}:
        monkeypatch.setitem(FORMATS, name, replace(FORMATS[name], sniff=sniff))
    with open_transcript(path) as transcript:
        assert transcript.report.format == "codex"
    assert "claude-code: ValueError at test_broken_readers.py" in caplog.text
    assert QUOTED not in caplog.text


def test_every_format_is_tried() -> None:
    assert set(LINES) == set(FORMATS)
