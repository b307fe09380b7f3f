"""Files that are no growing list of lines: read and sent as a whole, every time."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from continuity.client import places
from continuity.client.light import exclusions
from continuity.client.recording.api_messages import as_request
from continuity.client.recording.sending import Sender, SpooledBatch
from continuity.client.recording.session_recorder import about_session
from continuity.client.recording.tailing import BATCH_EVENTS
from continuity.transcripts import Abandoned, Event, Message, open_transcript

NOT_RECORDED = "not recorded: {reason}"
NO_ROOM = "there is no room to keep what the server does not take"


def push_file(path: Path, format: str, sender: Sender, progress: Callable[[int], None]) -> tuple[str, int]:
    """The conversation's id, empty where it has to wait for the server, and how many messages the file holds. Raises
    TranscriptError, and OSError where it is left out."""
    with open_transcript(path, format=format) as transcript:
        first = next((event for event in transcript if isinstance(event, Message)), None)
    if first is None:
        return "", 0
    about = about_session(path.absolute(), format, first)
    if reason := exclusions.reason(str(path.absolute()), str(about.get("cwd", ""))):
        raise OSError(NOT_RECORDED.format(reason=reason))
    session = places.key_of(f"{format}\n{about['external_id']}")
    done = 0
    events: list[Event] = []
    with open_transcript(path, format=format) as transcript:
        for event in transcript:
            events.append(event)
            if len(events) >= BATCH_EVENTS:
                done += _deliver(sender, session, about, events)
                progress(done)
                events = []
    done += _deliver(sender, session, about, events)
    answer = sender.latest.get(session)
    return answer["conversation_id"] if answer else "", done


def _deliver(sender: Sender, session: str, about: dict[str, object], events: list[Event]) -> int:
    messages = [as_request(event) for event in events if isinstance(event, Message)]
    abandoned = [name for event in events if isinstance(event, Abandoned) for name in event.external_ids]
    if (messages or abandoned) and not sender.deliver(session, SpooledBatch(session=about, messages=messages, abandoned=abandoned)):
        raise OSError(NO_ROOM)
    return len(messages)
