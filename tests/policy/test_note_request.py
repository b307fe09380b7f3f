"""When the outgoing agent is to be asked for a note."""

from __future__ import annotations

import pytest

from handoffs.policy.note_request import NoteRequest, note_request


def test_it_works() -> None:
    assert note_request(False, 1000, None) is NoteRequest.WINDOW
    assert note_request(True, 1000, None) is NoteRequest.HANDOFF


@pytest.mark.parametrize(
    ("handing_off", "since", "wanted"),
    [
        (False, 100, NoteRequest.NONE),
        (False, 499, NoteRequest.NONE),
        (False, 600, NoteRequest.WINDOW),  # the note is of an earlier window
        (True, 50, NoteRequest.NONE),
        (True, 200, NoteRequest.HANDOFF),
    ],
)
def test_a_note_counts_while_little_was_said_since(handing_off: bool, since: int, wanted: NoteRequest) -> None:
    assert note_request(handing_off, 1000, since) is wanted
