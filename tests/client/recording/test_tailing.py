"""Following one file: growth, rotation, truncation, a cut last line, a start in the middle."""

from __future__ import annotations

from pathlib import Path

import pytest

from continuity.client.recording.tailing import Position, Tail
from continuity.transcripts import Message
from tests.client.sessions import grow, lines, uuid


def read(tail: Tail) -> list[str]:
    """The ids of everything there is to read now."""
    found: list[str] = []
    idle = 0
    while idle < 2:
        events = tail.read()
        found += [event.external_id for event in events if isinstance(event, Message)]
        idle = 0 if events else idle + 1
    return found


def ids(session: str, first: int, last: int) -> list[str]:
    return [uuid(session, number) for number in range(first, last + 1)]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "session.jsonl"


def test_it_works(path: Path) -> None:
    tail = Tail(path, "claude-code")
    assert read(tail) == []
    path.write_bytes(lines("s", 1, 5))
    assert read(tail) == ids("s", 1, 5)
    grow(path, lines("s", 6, 7))
    assert read(tail) == ids("s", 6, 7)
    assert tail.position.offset == path.stat().st_size


def test_another_process_goes_on_where_the_first_one_stopped(path: Path) -> None:
    path.write_bytes(lines("s", 1, 900))
    first = Tail(path, "claude-code")
    taken = [event.external_id for event in first.read() if isinstance(event, Message)]
    assert 0 < len(taken) < 900
    assert taken + read(Tail(path, "claude-code", first.position)) == ids("s", 1, 900)


def test_a_line_that_is_still_being_written_waits_for_its_end(path: Path) -> None:
    data = lines("s", 1, 2)
    path.write_bytes(data[:-20])
    tail = Tail(path, "claude-code")
    assert read(tail) == ids("s", 1, 1)
    grow(path, data[-20:])
    assert read(tail) == ids("s", 2, 2)


def test_a_whole_record_is_read_before_its_line_ends_and_only_once(path: Path) -> None:
    path.write_bytes(lines("s", 1, 2)[:-1])
    tail = Tail(path, "claude-code")
    assert read(tail) == ids("s", 1, 2)
    grow(path, b"\n" + lines("s", 3, 3))
    assert read(tail) == ids("s", 3, 3)
    assert read(Tail(path, "claude-code", tail.position)) == []


def test_a_truncated_file_is_read_from_its_beginning(path: Path) -> None:
    path.write_bytes(lines("s", 1, 9))
    tail = Tail(path, "claude-code")
    read(tail)
    path.write_bytes(lines("new", 1, 3))
    assert read(tail) == ids("new", 1, 3)


def test_a_file_written_anew_with_the_same_size_is_noticed(path: Path) -> None:
    path.write_bytes(lines("s", 1, 4))
    tail = Tail(path, "claude-code")
    read(tail)
    path.write_bytes(lines("z", 1, 4))
    assert read(tail) == ids("z", 1, 4)
    assert read(Tail(path, "claude-code", Position(tail.position.offset, "of something else"))) == ids("z", 1, 4)


def test_a_rotated_file_is_read_to_its_end_first(path: Path) -> None:
    path.write_bytes(lines("s", 1, 2))
    tail = Tail(path, "claude-code")
    read(tail)
    grow(path, lines("s", 3, 4))
    path.rename(path.with_suffix(".1"))
    path.write_bytes(lines("new", 1, 2))
    assert read(tail) == [*ids("s", 3, 4), *ids("new", 1, 2)]


def test_what_is_no_record_is_skipped_and_told(path: Path) -> None:
    path.write_bytes(lines("s", 1, 1) + b"\xff\xfe no json\n\n" + lines("s", 2, 2))
    tail = Tail(path, "claude-code")
    assert read(tail) == ids("s", 1, 2)
    assert [skipped.line for skipped in tail.report.skipped] == [1]


def test_a_resting_file_is_read_again_when_it_grew_and_only_then(path: Path) -> None:
    path.write_bytes(lines("s", 1, 3))
    tail = Tail(path, "claude-code")
    assert read(tail) == ids("s", 1, 3)
    tail.rest()
    assert (tail.read(), tail.is_open) == ([], False)
    grow(path, lines("s", 4, 5))
    assert read(tail) == ids("s", 4, 5)


@pytest.mark.parametrize("named", ["before", "behind"])
def test_a_resting_file_that_is_renamed_is_read_to_its_end_first(path: Path, named: str) -> None:
    path.write_bytes(lines("s", 1, 3))
    tail = Tail(path, "claude-code")
    read(tail)
    tail.rest()
    if named == "before":
        grow(path, lines("s", 4, 5))
    path.rename(path.with_suffix(".old"))
    if named == "behind":
        assert tail.read() == []
        tail.rest()
        grow(path.with_suffix(".old"), lines("s", 4, 5))
    path.write_bytes(lines("new", 1, 2))
    assert read(tail) == ids("s", 4, 5) + ids("new", 1, 2)


def test_a_resting_file_that_is_gone_gives_way_to_the_next(path: Path) -> None:
    path.write_bytes(lines("s", 1, 3))
    tail = Tail(path, "claude-code")
    read(tail)
    tail.rest()
    path.unlink()
    assert tail.read() == []
    path.with_suffix(".next").write_bytes(lines("new", 1, 2))
    path.with_suffix(".next").rename(path)
    assert read(tail) == ids("new", 1, 2)
