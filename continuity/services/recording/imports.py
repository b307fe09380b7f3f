"""Importing a transcript file into a conversation, as a job that may start again at any point."""

from __future__ import annotations

import hashlib
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

from django.conf import settings
from django.core.files.uploadedfile import UploadedFile

from continuity import secrets
from continuity.core.errors import Conflict, ConversationGone, DomainError, Invalid
from continuity.core.transactions import atomic
from continuity.knowledge.titles import title_of
from continuity.models import Conversation, Erasure, Job, Message, Team, User
from continuity.services.erasure import delete_conversation
from continuity.services.jobs import jobs, queueing
from continuity.services.knowledge import fold_runner
from continuity.services.recording import conversations, sessions, uploads
from continuity.transcripts import FORMATS, Event, Transcript, TranscriptError, directive_spans, open_transcript, titles
from continuity.transcripts.base.model import Abandoned, Report
from continuity.transcripts.base.model import Message as TranscriptMessage
from continuity.transcripts.base.sanitise import clean_text
from continuity.usage.token_ledger import is_request, person_text
from continuity.windows import ContextWindow, WindowSource
from continuity.windows.evidence import LARGEST

KIND = "import"
BATCH_MESSAGES = 250
BATCH_CHARACTERS = 4_000_000
TITLE = 100
KEPT_BYTES = 8 * 2**20  # of a file whose messages are kept between the two looks at it, about four times as much in memory
PREFIX = 20  # messages compared to tell whether a file without a session id continues a stored conversation


def begin(
    *,
    team: Team,
    upload: UploadedFile[Any],
    format: str = "auto",
    conversation_id: UUID | None = None,
    created_by: User | None = None,
    may_go_on: bool = True,
) -> Job:
    """Keeps the file and submits the job that reads it. Raises TooLarge, Invalid on no text or an unknown format, NotFound.

    Where it `may_go_on`, a session that begins with a directive is the next conversation of that chain.
    """
    uploads.check(upload)
    if format != "auto" and format not in FORMATS:
        raise Invalid(f'"{format}" is no known format; use auto or one of {", ".join(sorted(FORMATS))}.', field="format")
    conversation = conversations.get(team=team, conversation_id=conversation_id) if conversation_id else None
    name = uuid4().hex
    _keep(upload, name)
    arguments = {"file": name, "name": clean_text(upload.name or "")[:200], "format": format, "may_go_on": may_go_on}
    return jobs.submit(team=team, kind=KIND, arguments=arguments, created_by=created_by, conversation=conversation)


def path_of(name: str) -> Path:
    return Path(settings.MEDIA_ROOT) / name


def _keep(upload: UploadedFile[Any], name: str) -> None:
    folder = Path(settings.MEDIA_ROOT)
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    path = path_of(name)
    try:
        with path.open("xb") as target:
            path.chmod(0o600)
            for chunk in upload.chunks():
                target.write(chunk)
    except OSError:
        path.unlink(missing_ok=True)
        raise


@dataclass(slots=True)
class Survey:
    """The result of a first pass over the file: its report, its first request, the digest of a directive in that, its first message
    ids and how many messages it has; for a file that is not large, also everything that was read."""

    report: Report
    request: str = ""
    directive_digest: str = ""
    first_ids: list[str] = field(default_factory=list)
    messages: int = 0
    kept: deque[Event] | None = None


@jobs.runner(KIND)
def run(lease: jobs.Lease) -> Mapping[str, Any]:
    """Looks at the file to learn whose session it is and how long, then appends what is not stored yet; a large one is read twice."""
    path = path_of(lease.job.arguments["file"])
    try:
        outcome = _import(lease, path)
    except TranscriptError as error:
        path.unlink(missing_ok=True)
        raise Invalid(str(error).replace(str(path), lease.job.arguments["name"] or "the file"), field="file") from error
    except DomainError:
        path.unlink(missing_ok=True)
        raise
    path.unlink(missing_ok=True)
    return outcome


def _import(lease: jobs.Lease, path: Path) -> dict[str, Any]:
    survey = _survey(lease, path)
    if not survey.messages:
        raise Invalid("The file holds no messages.", skipped=survey.report.skipped_count)
    conversation = lease.job.conversation or _conversation_for(lease.job, survey)
    lease.belongs_to(conversation)
    with _open(lease, path) if survey.kept is None else nullcontext(_handed_out(survey.kept)) as events:
        again = _read(lease, events) if isinstance(events, Transcript) else events
        added = _append_all(lease, again, conversation, _window_of(survey.report))
    while not fold_runner.catch_up(conversation_id=conversation.id, steps=4).complete:
        lease.advance()
    queueing.send("continuity.distil", str(conversation.id), once_in=1)  # for the words to search by
    report = survey.report
    return {
        "conversation_id": str(conversation.id),
        "format": report.format,
        "messages": survey.messages,
        "added": added,
        "skipped": [{"line": skipped.line + 1, "reason": skipped.reason} for skipped in report.skipped[:100]],
        "skipped_count": report.skipped_count,
    }


def _open(lease: jobs.Lease, path: Path) -> Transcript:
    return open_transcript(path, format=lease.job.arguments["format"], part_limit=settings.CONTINUITY_MAX_MESSAGE_BYTES)


def _survey(lease: jobs.Lease, path: Path) -> Survey:
    transcript = _open(lease, path)
    survey = Survey(transcript.report, kept=deque() if path.stat().st_size <= KEPT_BYTES else None)
    for item in _read(lease, transcript):
        if survey.kept is not None:
            survey.kept.append(item)
        if isinstance(item, Abandoned):
            continue
        survey.messages += 1
        if not survey.request and is_request(item):
            survey.request = _title_of(item)
            survey.directive_digest = survey.directive_digest or directive_spans.digest_of(person_text(item))
        if len(survey.first_ids) < PREFIX:
            survey.first_ids.append(item.external_id[:200])
        if survey.messages % 2000 == 0:
            lease.advance()
    lease.advance(total=survey.messages)
    return survey


def _read(lease: jobs.Lease, transcript: Transcript) -> Iterator[Event]:
    """Read a transcript. An error is told with the line at which reading it stood."""
    try:
        yield from transcript
    except Exception:
        lease.place = f"Line {transcript.line + 1} of the file"
        raise


def _handed_out(kept: deque[Event]) -> Iterator[Event]:
    """The items, each released when it is asked for, so that what is stored takes no memory while it is folded."""
    while kept:
        yield kept.popleft()


def _title_of(message: TranscriptMessage) -> str:
    """The first line of what a person asks, short enough for a list, without its secrets."""
    return secrets.mask_text(titles.cut(directive_spans.title_of(person_text(message)), TITLE))


def _conversation_for(job: Job, survey: Survey) -> Conversation:
    """The stored conversation that this file is of, or a new one."""
    report = survey.report
    found = _by_session(job.team, report) if report.session_id else _by_beginning(job.team, survey)
    if found is not None:
        return found
    _check_not_erased(job, report)
    told = _window_of(report)
    values = {"max_context_tokens": told.tokens, "window_source": told.source} if told else {}
    try:
        return sessions.open(
            team=job.team,
            owner=job.created_by,
            directive_digest=survey.directive_digest if job.arguments.get("may_go_on") else "",
            title=report.title or title_of(goal=survey.request, branch=report.branch, folder=report.cwd) or job.arguments["name"],
            source_tool=report.format,
            external_id=report.session_id[:200] or f"{_beginning(survey)}:{uuid4().hex[:8]}",
            provider=report.provider[:40],
            model=report.model[:120],
            cwd=report.cwd,
            branch=report.branch,
            metadata={"lineage": report.lineage} if report.lineage else {},
            **values,
        )
    except Conflict:
        return Conversation.objects.get(team=job.team, source_tool=report.format, external_id=report.session_id[:200])


def _check_not_erased(job: Job, report: Report) -> None:
    """Raises ConversationGone where the session was erased after its file was uploaded; who uploads it later wants it back."""
    source = delete_conversation.source_of(Conversation(source_tool=report.format, external_id=report.session_id[:200]))
    erased = Erasure.objects.filter(team=job.team, source=source, created_at__gte=job.created_at).exclude(source="").first()
    if erased is not None:
        raise ConversationGone(erased_at=f"{erased.created_at:%Y-%m-%d}")


def _by_session(team: Team, report: Report) -> Conversation | None:
    return Conversation.objects.filter(team=team, source_tool=report.format, external_id=report.session_id[:200]).first()


def _beginning(survey: Survey) -> str:
    return "b:" + hashlib.sha256(survey.first_ids[0].encode()).hexdigest()[:32]


def _by_beginning(team: Team, survey: Survey) -> Conversation | None:
    """Without a session id: the conversation whose first messages are this file's, as far as both go."""
    candidates = Conversation.objects.filter(team=team, source_tool=survey.report.format, external_id__startswith=_beginning(survey))
    for candidate in candidates.order_by("created_at")[:20]:
        stored = list(Message.objects.filter(conversation=candidate).order_by("seq").values_list("external_id", flat=True)[:PREFIX])
        if all(ours == theirs for ours, theirs in zip(stored, survey.first_ids, strict=False)):
            return candidate
    return None


def _window_of(report: Report) -> ContextWindow | None:
    """The context window that the tool wrote down, if it did."""
    tokens = report.max_context_tokens
    return ContextWindow(tokens, WindowSource.TRANSCRIPT) if tokens and 0 < tokens <= LARGEST else None


def _append_all(lease: jobs.Lease, events: Iterable[Event], conversation: Conversation, window: ContextWindow | None) -> int:
    added = read = 0
    for messages, abandoned in _batches(events):
        read += len(messages)
        lease.place = f"The messages up to line {messages[-1].line + 1} of the file" if messages else ""
        added += _append(lease, conversation, messages, abandoned, read=read, window=window).added
    lease.place = ""
    return added


@atomic
def _append(
    lease: jobs.Lease,
    conversation: Conversation,
    messages: Sequence[TranscriptMessage],
    abandoned: Sequence[str],
    *,
    read: int,
    window: ContextWindow | None,
) -> conversations.Appended:
    lease.advance(done=read)  # with the messages or not at all: a job that was ended must add nothing more
    return conversations.append(
        team=lease.job.team,
        conversation_id=conversation.id,
        messages=messages,
        abandoned=abandoned,
        device="import",
        window=window,
    )


def _batches(items: Iterable[Event]) -> Iterator[tuple[Sequence[TranscriptMessage], Sequence[str]]]:
    """Messages in batches bounded in number and size, each with the ids that were rewound by its end."""
    messages: list[TranscriptMessage] = []
    abandoned: list[str] = []
    size = 0
    for item in items:
        if isinstance(item, Abandoned):
            abandoned.extend(item.external_ids)
            continue
        messages.append(item)
        size += sum(len(part.text) for part in item.parts)
        if len(messages) >= BATCH_MESSAGES or size >= BATCH_CHARACTERS:
            yield messages, abandoned
            messages, abandoned, size = [], [], 0
    if messages or abandoned:
        yield messages, abandoned
