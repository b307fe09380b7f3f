"""Records one session file: reads what is new, sees that it is safe, and only then counts it as dealt with."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from continuity.client import places, shapes, windows
from continuity.client.light import exclusions, files, git_head
from continuity.client.recording import finding, positions
from continuity.client.recording.api_messages import as_request
from continuity.client.recording.sending import Sender, SpooledBatch
from continuity.client.recording.tailing import CHUNK, Position, Tail
from continuity.transcripts import Abandoned, Event, Message, TranscriptError, detect, open_transcript
from continuity.transcripts.base.model import Report
from continuity.transcripts.directive_spans import digest_of, title_of
from continuity.transcripts.titles import cut
from continuity.usage.token_ledger import is_request, person_text

TITLE, TOLD_TITLE = 100, 300
QUIET_SECONDS = 2.0
FRESH_SECONDS = 300.0
MAX_ABANDONED = 10_000
NAMING = ("title", "directive_digest")


class PendingBatch(NamedTuple):
    """A batch that is not safe yet, the position behind it, and how often the file had become another one by then."""

    batch: SpooledBatch
    position: Position
    beginnings: int


class SessionRecorder:
    """Follows one file. `step` does a batch's work; `added` counts the messages that the server did not have."""

    def __init__(self, path: Path, sender: Sender, say: Callable[[str], None], *, format: str = "", cwd: str = "") -> None:
        """`format` and `cwd` are what the tool says of the file, which may not tell them itself."""
        self.path = Path(files.absolute(str(path)))
        self._sender = sender
        self._say = say
        self._known = positions.load(self.path)
        self._format = format or self._known.format
        self._told_cwd = cwd
        self._head = ""
        self._tail: Tail | None = None
        self._held: PendingBatch | None = None
        self._changed = time.monotonic()
        self._settled = True
        self._beginnings = 0
        self._answer: shapes.AppendAnswer | None = None
        self._past = False
        self._outside = True  # Not known yet.
        self.read = 0

    @property
    def quiet_for(self) -> float:
        """Seconds since something was read."""
        return time.monotonic() - self._changed

    @property
    def conversation(self) -> str:
        return self._known.conversation

    @property
    def session(self) -> str:
        """The key by which the session's batches are kept; empty where nothing was read of it yet."""
        return self._known.session

    @property
    def waits(self) -> bool:
        """Whether something is read that found no room anywhere yet."""
        return self._held is not None

    @property
    def cwd(self) -> str:
        return str(self._known.about.get("cwd", ""))

    @property
    def decision(self) -> dict[str, Any]:
        return self._known.decision

    def step(self) -> bool:
        """Deals with the next batch; False where there is nothing to do, or no room for it. Raises OSError, TranscriptError."""
        self._learn()
        if (self._outside or self._held is not None) and self._is_outside():
            return False
        if self._held is None and (fresh := self._next()) is not None and self._may_hold(fresh):
            self._held = fresh
        if self._held is None:
            return self._dropped()
        batch = self._held.batch
        if (batch["messages"] or batch["abandoned"]) and not self._sender.deliver(self._known.session, batch):
            return False
        held, self._held = self._held, None
        self._dealt_with(held)
        return True

    @property
    def left_out(self) -> str:
        """Why nothing of this session is recorded; empty where it is."""
        return exclusions.reason(str(finding.session_of(self.path) or self.path), self.cwd)

    def finish(self) -> None:
        """Everything that is there now, and what the reader held back."""
        while self.step():
            pass
        self._settle()
        self._learn()

    def _may_hold(self, fresh: PendingBatch) -> bool:
        """False in a pause, whose words are read past, also those that would name the session; and where the first words tell of a folder
        that is left out, which are read again when it no longer is."""
        self._past = False
        if self._is_outside():
            self.close()
            self._tail = None
            return False
        if not exclusions.paused():
            return True
        if not self._known.conversation:
            unnamed = {name: value for name, value in self._known.about.items() if name not in NAMING}
            self._known = self._known._replace(about=unnamed)
        self._dealt_with(fresh)
        self._past = True
        return False

    def _is_outside(self) -> bool:
        """Whether the session is left out; looked at where something is to be read or sent, not at each look at a quiet file."""
        self._outside = bool(self.left_out)
        return self._outside

    def _dropped(self) -> bool:
        """Whether this step read past something."""
        past, self._past = self._past, False
        return past

    def close(self) -> None:
        if self._tail is not None:
            self._tail.close()

    @property
    def is_open(self) -> bool:
        return self._tail is not None and self._tail.is_open

    def rest(self) -> None:
        """Holds no descriptor until the file changes."""
        if self._tail is not None:
            self._tail.rest()

    def _next(self) -> PendingBatch | None:
        if self._tail is None:
            if not self.path.exists() or not self.path.stat().st_size:
                return None
            if not self._format and not _has_line(self.path):
                return None
            self._format = self._format or detect(self.path)
            self._tail = Tail(self.path, self._format, Position(self._known.offset, self._known.mark))
        before = self._tail.position
        events = self._tail.read()
        if self._tail.position != before:
            self._changed, self._settled = time.monotonic(), False
        elif not events and not self._settled and self.quiet_for >= QUIET_SECONDS:
            events, self._settled = self._tail.settle(), True
        if not events and self._tail.position == before:
            return None
        return self._hold(self._tail, events)

    def _settle(self) -> None:
        if self._tail is not None and self._held is None and (events := self._tail.settle()):
            self._settled = True
            rest = self._hold(self._tail, events)
            if self._may_hold(rest):
                self._held = rest
                self.step()

    def _hold(self, tail: Tail, events: list[Event]) -> PendingBatch:
        messages = [event for event in events if isinstance(event, Message)]
        abandoned = [name for event in events if isinstance(event, Abandoned) for name in event.external_ids]
        self.read += len(messages)
        if messages and not self._known.session:
            self._identify(tail, messages[0])
        requests = [as_request(message) for message in messages]
        abandoned = abandoned[-MAX_ABANDONED:] if self._known.session else []
        window = windows.known_window(self.path, tail.report) | self._fresh_head(messages)
        return PendingBatch(
            SpooledBatch(session=self._known.about, messages=requests, abandoned=abandoned, window=window), tail.position, tail.beginnings
        )

    def _fresh_head(self, messages: Sequence[Message]) -> dict[str, str]:
        """The commit that is checked out, where it is another one than told before; nothing for words of long ago, which say nothing of
        what is there now."""
        said = messages[-1].at if messages else None
        if said is None or abs(time.time() - said.timestamp()) > FRESH_SECONDS:
            return {}
        head = git_head.of(self.cwd)
        if not head or head == self._head:
            return {}
        self._head = head
        return {"head": head}

    def _identify(self, tail: Tail, first: Message) -> None:
        about = about_session(self.path, self._format, first, read=tail.report, cwd=self._told_cwd)
        session = places.key_of(f"{self._format}\n{about['external_id']}")
        self._known = self._known._replace(format=self._format, session=session, about=about)

    def _learn(self) -> bool:
        """Takes in what the server answered last about the session, which may come long after the batch was safe."""
        answer = self._sender.latest.get(self._known.session)
        if answer is None or answer is self._answer:
            return False
        self._answer = answer
        self._known = positions.answered(self._known, answer)
        self._save()
        return True

    def _dealt_with(self, held: PendingBatch) -> None:
        self._known = self._known._replace(offset=held.position.offset, mark=held.position.mark)
        if held.beginnings != self._beginnings:
            self._beginnings = held.beginnings
            self._known = positions.FilePosition(self._known.path, self._format)
        if not self._learn():
            self._save()

    def _save(self) -> None:
        try:
            positions.save(self._known)
        except OSError as error:
            self._say(f"The position in {self.path.name} can't be written ({error.strerror}); after a restart more is read again.")


def _has_line(path: Path) -> bool:
    """Whether a first record is there to tell the format by."""
    with path.open("rb") as stream:
        first = stream.read(CHUNK)
    return len(first) == CHUNK or b"\n" in first


def about_session(path: Path, format: str, first: Message, *, read: Report | None = None, cwd: str = "") -> dict[str, Any]:
    """The fields that open the conversation of a session file whose first message is `first`; `read` is the report of what was read of it.

    The session has its own id, as an import would find it, else one that follows from the path and the beginning.
    """
    # A sub-agent's file belongs to the same session, and tells neither its folder nor what was asked.
    report, title, digest = _survey(finding.session_of(path) or path, format)
    if read is not None and read.session_id not in ("", report.session_id, *report.lineage):
        report = read  # What is read was renamed; at the path stands another session by now.
    own = places.key_of(f"{path}\n{first.external_id}")
    about = {
        "source_tool": format,
        "external_id": report.session_id[:200] or f"f:{own}",
        "title": cut(report.title, TOLD_TITLE) or title,
        "provider": report.provider[:40],
        "model": report.model[:120],
        **windows.known_window(path, report),
        "cwd": (report.cwd or cwd)[:4096],
        "branch": report.branch[:4096],
        "metadata": {"lineage": report.lineage} if report.lineage else None,
        "directive_digest": digest,
    }
    return {name: value for name, value in about.items() if value}


def _survey(path: Path, format: str) -> tuple[Report, str, str]:
    """Reads from the file what it tells about its session, the first line of what a person asked, and the digest of a directive there."""
    title = digest = ""
    try:
        with open_transcript(path, format=format) as transcript:
            for event in transcript:
                if not title and isinstance(event, Message) and is_request(event):
                    title, digest = title_of(person_text(event)), digest or digest_of(person_text(event))
    except TranscriptError:  # Replaced while it was read: the next reading tells.
        return Report(format=format), "", ""
    return transcript.report, cut(title, TITLE), digest
