"""Whether the outgoing agent is to be asked for a handoff note: while its context is warm, and not twice for what it told already."""

from __future__ import annotations

from enum import StrEnum

from continuity.core.thresholds import APPROACHING_AT

ASK_AT = APPROACHING_AT  # share of the window from which on a note is wanted
# A note counts for this window while less than this share of what fills it was said since; before a handoff, less than that.
SAME_WINDOW, SAME_HANDOFF = 0.5, 0.1


class NoteRequest(StrEnum):
    """Why a note is wanted. Each is asked for once in a window, which whoever asks keeps track of."""

    NONE = ""
    WINDOW = "window"
    HANDOFF = "handoff"


def note_request(handing_off: bool, filled: int, since_note: int | None) -> NoteRequest:
    """Why to ask, in a window that `filled` tokens fill, `since_note` of which were said since the last note (None: there is none)."""
    share = SAME_HANDOFF if handing_off else SAME_WINDOW
    if since_note is not None and since_note < share * filled:
        return NoteRequest.NONE
    return NoteRequest.HANDOFF if handing_off else NoteRequest.WINDOW
