"""The course of a session, kept while it is read once."""

from __future__ import annotations

from continuity.knowledge import FoldState, InMemoryStore, fold
from handoffs.budgeting.reading_bounds import MANY_SEGMENTS
from handoffs.directive.lines.session_outline import SessionOutline
from tests.segments.sessions import COUNTER, IMPORTER, MAPS, Numbered, numbered, turn
from tests.words import answered, said


def read(messages: Numbered, batch: int) -> tuple[SessionOutline, InMemoryStore]:
    course, memory, state = SessionOutline(COUNTER), InMemoryStore(), FoldState()
    for start in range(0, len(messages), batch):
        part = messages[start : start + batch]
        folded = fold(state, ((seq, message) for seq, message, _ in part))
        state = folded.state
        memory.apply(folded.changes)
        course.read(part)
    return course, memory


def test_it_works() -> None:
    course, memory = read(numbered([*IMPORTER, *MAPS]), 200)
    first, last = course.passages(memory.anchors)

    assert (first.first_seq, first.last_seq, last.first_seq, last.last_seq) == (1, 12, 13, 18)
    assert [len(each) for each in first.texts] == sorted(len(each) for each in first.texts)


def test_the_size_of_the_batches_changes_no_segment() -> None:
    many = numbered([m for n in range(40) for m in turn(n, f"Please look at harbour {n}.", f"h{n}.py", f"Harbour_{n} is fine.")])
    places = []
    for batch in (7, 50, 1000):
        course, memory = read(many, batch)
        places.append([(each.first_seq, each.last_seq, each.topic) for each in course.passages(memory.anchors)])

    assert places[0] == places[1] == places[2]


def test_what_is_kept_does_not_grow_with_the_session() -> None:
    course, memory = read(
        numbered([m for n in range(400) for m in turn(n, f"Please look at harbour {n}.", f"h{n}.py", "It is fine.")]), 200
    )

    assert len(course.passages(memory.anchors)) == MANY_SEGMENTS + 1
    assert len(course._messages) <= 40
    assert len(course._materials) == MANY_SEGMENTS


def test_the_words_of_what_was_replaced_are_not_told_as_an_anchor() -> None:
    old = "Let's use Redis for the job queue."
    talk = [said(old), answered("Will do."), answered("It is in place."), *IMPORTER]
    course, memory = read(numbered([*talk, said("Let's use Postgres for the job queue instead of Redis."), answered("Will do.")]), 5)

    assert next(a for a in memory.anchors.values() if a.text == old).state.value == "superseded"
    lines = [line for each in course.passages(memory.anchors) for text in each.texts for line in text.split("\n")]
    assert not any(line.startswith(f"User: {old}") for line in lines)


def test_no_more_is_told_than_is_asked_for() -> None:
    course, memory = read(
        numbered([m for n in range(400) for m in turn(n, f"Please look at harbour {n}.", f"h{n}.py", "It is fine.")]), 200
    )
    latest = course.passages(memory.anchors)[-3:]

    assert course.passages(memory.anchors, 2) == latest
    assert {piece.seq for piece in course.pieces(memory.anchors, 1_000_000, 2)} <= set(range(latest[1].first_seq, latest[2].last_seq + 1))


def test_the_pieces_of_the_last_messages_come_with_anchors_as_they_stand_now() -> None:
    old = "Let's use Redis for the job queue."
    talk = [said(old), answered("Will do."), answered("It is in place."), *IMPORTER]
    course, memory = read(numbered([*talk, said("Let's use Postgres for the job queue instead of Redis."), answered("Will do.")]), 5)
    pieces = course.pieces(memory.anchors, 100_000)

    assert f"(replaced later) {old}" in [unit.text for unit in pieces]
    assert [unit.seq for unit in pieces] == sorted(unit.seq for unit in pieces)
    assert course.pieces(memory.anchors, 1)[0].seq > 1
