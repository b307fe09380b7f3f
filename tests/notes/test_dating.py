"""When a note was written, where nothing but its words tells it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from continuity.knowledge.model import FileAction, FileTouch, Knowledge, Quote, Ref, Request, RequestKind
from handoffs.notes import form
from handoffs.notes.note_date import written_through

NOTE = {"request": ["Keep tabs in the importer of bank statements."], "now": ["parser.py reads tabs."]}


def asked(seq: int, text: str, last: int, *, files: tuple[str, ...] = ()) -> Request:
    return Request(seq, RequestKind.REQUEST, Quote(text, Ref(seq)), last, files=files)


def known(*rows: Request, files: tuple[FileTouch, ...] = ()) -> Knowledge:
    return Knowledge(requests=rows, files=files, through_seq=90, messages=90)


FIRST = asked(1, "Please keep tabs in the importer of bank statements.", 40)


def test_it_works() -> None:
    later = asked(60, "Could we have a linting rule for that?", 60)
    assert written_through(form.read(NOTE), known(FIRST, later)) == 59


def test_words_of_its_history_and_lessons_tell_of_no_request() -> None:
    later = asked(60, "Could we have a linting rule for that?", 60)
    told = {**NOTE, "lessons": ["Linting takes a minute."], "history": ["A rule of the bank was asked for."]}
    assert written_through(form.read(told), known(FIRST, later)) == 59


@pytest.mark.parametrize(
    "rows",
    [
        pytest.param((FIRST,), id="knows the last one"),
        pytest.param((FIRST, asked(60, "Now parser.py reads tabs, and statements of the bank?", 60)), id="has most words of the later one"),
        pytest.param(
            (asked(1, "Räum das Archiv auf.", 40), asked(60, "Und jetzt die Kopien.", 60)), id="tells of none, as in another language"
        ),
        pytest.param((FIRST, asked(60, "ok", 60)), id="the later one says nothing by itself"),
    ],
)
def test_where_nothing_shows_that_it_is_older_it_is_of_now(rows: tuple[Request, ...]) -> None:
    assert written_through(form.read(NOTE), known(*rows)) == 90


def test_what_it_names_dates_it_behind_what_was_said_while_the_agent_worked_on() -> None:
    aside = replace(asked(30, "We use migrations in staging too.", 30), kind=RequestKind.CORRECTION)
    work = (replace(FIRST, last_seq=88), aside)
    assert written_through(form.read(NOTE), known(*work)) == 29
    named = FileTouch("src/parser.py", FileAction.CREATED, 50, 50)
    assert written_through(form.read(NOTE), known(*work, files=(named,))) == 90
