"""Writing a note: checked first, then stored with what the check said, in one transaction; so no note stands there unchecked."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, fields
from uuid import UUID

from django.utils import timezone

from continuity.core.transactions import atomic
from continuity.knowledge.handoff_note import WORDS_FROM, CheckedNote, CheckedStatement, NoteVerdict
from continuity.models import Conversation, Team
from continuity.secrets import mask_text
from continuity.services.accounts import gates
from continuity.services.events import events
from continuity.services.knowledge import fold_runner
from continuity.services.recording import conversations
from handoffs.models import NoteAuthor, NoteStatement, StoredNote
from handoffs.notes.check import check, of_person
from handoffs.notes.note import HandoffNote
from handoffs.services.notes import note_queries
from handoffs.services.packages.authors import NOBODY, Author

GATE = "Agents.Continuity.Storage"
KEPT = 20  # notes of a conversation; the oldest go
# What people set about a statement.
SET = ("text", "original", "verdict", "reason", "unsaid", "person", "dismissed", "changed_by_id", "changed_with_id", "changed_at")


@dataclass(frozen=True, slots=True)
class WrittenNote:
    """The stored note; `made` is false where the same words stood there already, and `dropped` counts the oldest ones that went."""

    note: StoredNote
    made: bool = True
    dropped: int = 0


def write(
    *,
    team: Team,
    conversation_id: UUID,
    note: HandoffNote,
    kind: NoteAuthor = NoteAuthor.AGENT,
    author: Author = NOBODY,
    through_seq: int | None = None,
    model: str = "",
) -> WrittenNote:
    """Folds what is left, checks a note against what is known, and stores it.

    `through_seq` is the message that it was written after, the last one where not given. The same note at the same place again is the
    stored one. What a person set about a statement holds for the same words in a later note too. Raises NotFound, ConversationGone,
    SessionInvalidated, SessionExpired, GateClosed, NewerRules.
    """
    gates.require(team, GATE)
    safe = HandoffNote(**{field.name: tuple(map(mask_text, getattr(note, field.name))) for field in fields(note)})
    while True:
        conversation = conversations.get(team=team, conversation_id=conversation_id)
        conversations.check_open(conversation)
        if conversation.folded_seq < conversation.last_seq:
            fold_runner.catch_up(conversation_id=conversation_id)
            conversation = conversations.get(team=team, conversation_id=conversation_id)
        place = conversation.last_seq if through_seq is None else through_seq
        checked = check(safe, note_queries.known(conversation), through_seq=place)
        checked = of_person(checked) if kind == NoteAuthor.PERSON else checked
        written = store(conversation, checked, kind, author, model)
        if written is not None:
            return written


@atomic
def store(
    conversation: Conversation, checked: CheckedNote, kind: NoteAuthor, author: Author = NOBODY, model: str = ""
) -> WrittenNote | None:
    """The stored note, with what the check said of it; None where knowledge was taken back after it was read, so that it must be checked
    again. Raises what `write` raises."""
    held = Conversation.objects.select_for_update(no_key=True).filter(id=conversation.id).first()
    if held is None:
        raise conversations.missing(team=conversation.team, conversation_id=conversation.id)
    if held.rewinds != conversation.rewinds:
        return None
    conversations.check_open(held)
    notes = StoredNote.objects.filter(conversation=conversation).newest_first()
    newest = notes.first()
    same = notes.filter(kind=kind, through_seq=checked.through_seq).first()
    if same is not None and (kind == NoteAuthor.SUMMARY or _says(same) == [(each.part, each.text) for each in checked.statements]):
        return WrittenNote(same, made=False)
    stored = StoredNote.objects.create(
        team=conversation.team,
        conversation=conversation,
        number=newest.number + 1 if newest else 1,
        kind=kind,
        through_seq=checked.through_seq,
        total_tokens=held.total_tokens,
        model=model[:120],
        made_by=author.user,
        made_with=author.key,
        created_at=timezone.now(),
    )
    NoteStatement.objects.bulk_create(_rows(stored, checked.statements))
    oldest = list(notes.values_list("id", flat=True)[KEPT:])
    StoredNote.objects.filter(id__in=oldest).delete()
    _publish(stored, checked)
    return WrittenNote(stored, dropped=len(oldest))


def _says(note: StoredNote) -> list[tuple[str, str]]:
    return [(row.part, row.original or row.text) for row in note.statements.all()]


def _rows(note: StoredNote, statements: Iterable[CheckedStatement]) -> list[NoteStatement]:
    """The rows of a new note; a statement in words that a person edited or dismissed before stays so."""
    earlier = NoteStatement.objects.filter(note__conversation=note.conversation_id).changed().order_by("changed_at")
    latest = {row.key[WORDS_FROM:]: row for row in earlier}
    held = {words: row for words, row in latest.items() if row.person or row.dismissed}
    return [_row(note, place, each, held.get(each.key[WORDS_FROM:])) for place, each in enumerate(statements)]


def _row(note: StoredNote, place: int, checked: CheckedStatement, before: NoteStatement | None) -> NoteStatement:
    row = NoteStatement(
        team_id=note.team_id,
        note=note,
        place=place,
        key=checked.key,
        part=checked.part,
        text=checked.text,
        verdict=checked.verdict,
        reason=checked.reason,
        unsaid=checked.unsaid,
        created_at=note.created_at,
    )
    if before is not None:
        for name in SET:
            setattr(row, name, getattr(before, name))
    return row


def _publish(note: StoredNote, checked: CheckedNote) -> None:
    verdicts = Counter(statement.verdict for statement in checked.statements)
    payload = {
        "note_id": str(note.id),
        "number": note.number,
        "kind": note.kind,
        "through_seq": note.through_seq,
        "statements": len(checked.statements),
        **{verdict.value: verdicts[verdict] for verdict in NoteVerdict},
    }
    events.publish(name="note.written", team=note.team, subject_id=note.conversation_id, payload=payload)
