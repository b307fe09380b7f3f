"""Keeping the bank of probes up with the fold, so that preparing never reads a conversation again."""

import json
from collections.abc import Iterator, Sequence
from typing import Any
from uuid import UUID

from django.db import connection
from django.db.models import F
from django.utils import timezone

from continuity import knowledge
from continuity.core.isolation import MessageSkipped
from continuity.core.transactions import atomic
from continuity.models import Conversation, Deferral, FoldCheckpoint, Message
from continuity.secrets import message_masking
from continuity.services.jobs import deferrals
from continuity.services.knowledge import fold_runner, skipped_messages
from continuity.services.knowledge.fold_runner import Progress
from continuity.transcripts.base import model as transcript
from handoffs.fidelity import probes
from handoffs.models import ProbeBank, ProbeCheckpoint

KIND = "probes"  # of work that is put off where it fails
STEP = 500  # messages read at once; a divisor of the epoch, so that a step never crosses a checkpoint
_LEVEL = """
SELECT FROM handoffs_probebank AS bank JOIN continuity_foldstate AS fold ON fold.conversation_id = bank.conversation_id
WHERE bank.conversation_id = %s AND bank.rewinds = %s AND bank.rules_version = %s AND bank.through_seq >= %s AND fold.rules_version = %s
"""
# The bank, and its first checkpoint beside that of the fold.
_CARRY = """
WITH given AS (SELECT %(heir)s::uuid AS heir, %(team)s::uuid AS team, %(version)s AS version, %(state)s::jsonb AS state),
bank AS (
    INSERT INTO handoffs_probebank (id, created_at, team_id, conversation_id, through_seq, rewinds, rules_version, state, updated_at)
    SELECT gen_random_uuid(), now(), team, heir, 0, %(rewinds)s, version, state, now() FROM given
    ON CONFLICT (conversation_id) DO UPDATE SET through_seq = 0, rewinds = excluded.rewinds, rules_version = excluded.rules_version,
        state = excluded.state, updated_at = now()
)
INSERT INTO handoffs_probecheckpoint (id, created_at, team_id, conversation_id, fold_id, seq, rules_version, state)
SELECT gen_random_uuid(), now(), team, heir, fold.id, 0, version, given.state
FROM given JOIN continuity_foldcheckpoint AS fold ON fold.conversation_id = heir AND fold.seq = 0
"""
_SAID = """
SELECT seq, role, agent, cwd, parts, secrets FROM continuity_message
WHERE conversation_id = %s AND seq BETWEEN %s AND %s AND NOT abandoned ORDER BY seq
"""


def catch_up(*, conversation_id: UUID, steps: int | None = None) -> Progress:
    """Reads what was folded since the last time, `STEP` messages at a time, and returns when nothing of that is left.

    Safe to run at the same moment in several processes and to be killed anywhere: each step moves the watermark by
    compare-and-swap, and only while the conversation is as it was read.
    """
    taken = through = 0
    goal: int | None = None
    while steps is None or taken < steps:
        conversation = Conversation.objects.filter(id=conversation_id).first()
        if conversation is None or conversation.refold_from is not None:
            return Progress(through, True)
        bank = _bank_of(conversation)
        if bank is not None and bank.rules_version > probes.VERSION:
            return Progress(conversation.folded_seq, True, bank.rules_version)
        goal = conversation.folded_seq if goal is None else min(goal, conversation.folded_seq)
        if bank is None or bank.through_seq >= goal:
            return Progress(conversation.folded_seq, True)
        through = _step(conversation, bank)
        if through >= goal:
            return Progress(through, True)
        taken += 1
    return Progress(through, False)


def gather(*, conversation_id: UUID) -> None:
    """Folds what is left, all of it where older rules folded it, and reads it. Raises NewerRules where a newer release did either."""
    fold_runner.reset_if_outdated(conversation_id=conversation_id)
    progress = fold_runner.catch_up(conversation_id=conversation_id)
    newer = progress.newer or catch_up(conversation_id=conversation_id).newer
    if newer is not None:
        raise fold_runner.newer_rules(newer)


def is_current(conversation: Conversation) -> bool:
    """Whether all that was said when the conversation was read is folded and read already, by the rules that hold. One query."""
    if conversation.refold_from is not None or conversation.folded_seq < conversation.last_seq:
        return False
    with connection.cursor() as cursor:
        cursor.execute(_LEVEL, [conversation.id, conversation.rewinds, probes.VERSION, conversation.folded_seq, knowledge.RULES_VERSION])
        return cursor.fetchone() is not None


def sweep(*, limit: int = 100) -> int:
    """Reads for the banks that a lost task left behind, those of the conversations folded last. Returns of how many."""
    behind = ProbeBank.objects.filter(through_seq__lt=F("conversation__folded_seq"), rules_version__lte=probes.VERSION)
    left = behind.exclude(conversation_id__in=Deferral.objects.not_yet_due(KIND, timezone.now())).order_by("-conversation__updated_at")
    ids = list(left.values_list("conversation_id", flat=True)[:limit])
    return deferrals.each(kind=KIND, ids=ids, work=lambda conversation_id: catch_up(conversation_id=conversation_id, steps=20))


def bank_of(conversation: Conversation) -> probes.Bank:
    """The bank of the conversation: what its package is asked and held against; an empty one where none is there. One query."""
    stored = ProbeBank.objects.filter(conversation=conversation, rules_version=probes.VERSION).first()
    return probes.Bank.from_json(stored.state) if stored else probes.Bank()


def carry(*, heir: Conversation, predecessor: Conversation) -> None:
    """Lets a new conversation begin with what could be asked of its predecessor. The caller's transaction, after the fold's own."""
    stored = ProbeBank.objects.filter(conversation=predecessor, rules_version=probes.VERSION).first()
    state = probes.Bank.from_json(stored.state).carried().to_json() if stored else {}
    values: dict[str, str | int | UUID] = {
        "heir": heir.id,
        "team": heir.team_id,
        "rewinds": heir.rewinds,
        "version": probes.VERSION,
        "state": json.dumps(state),
    }
    with connection.cursor() as cursor:
        cursor.execute(_CARRY, values)


def forget(*, conversations: Sequence[UUID]) -> None:
    """Deletes the banks of conversations that took over words of one that is erased; they are made again."""
    ProbeBank.objects.filter(conversation__in=conversations).delete()
    ProbeCheckpoint.objects.filter(conversation__in=conversations).delete()


def _bank_of(conversation: Conversation) -> ProbeBank | None:
    """The stored bank, going on from the last checkpoint where messages were taken back or older rules made it; None where the
    conversation was erased meanwhile."""
    stored = ProbeBank.objects.filter(conversation=conversation).first()
    if stored is None:
        _begin(conversation)
        return ProbeBank.objects.filter(conversation=conversation).first()
    if stored.rules_version > probes.VERSION or (stored.rewinds, stored.rules_version) == (conversation.rewinds, probes.VERSION):
        return stored
    was = {"id": stored.id, "through_seq": stored.through_seq, "rewinds": stored.rewinds}
    back = _from_checkpoint(conversation, stored)
    moved = {name: getattr(back, name) for name in ("through_seq", "rewinds", "rules_version", "state")}
    if ProbeBank.objects.filter(**was).update(**moved):
        skipped_messages.forget_after(conversation=conversation, seq=back.through_seq, readers=(probes.READER,))
    return ProbeBank.objects.filter(conversation=conversation).first()


@atomic
def _begin(conversation: Conversation) -> None:
    if Conversation.objects.select_for_update(no_key=True).filter(id=conversation.id).exists():
        ProbeBank.objects.bulk_create([_from_checkpoint(conversation, ProbeBank(conversation=conversation))], ignore_conflicts=True)


def _from_checkpoint(conversation: Conversation, bank: ProbeBank) -> ProbeBank:
    last = ProbeCheckpoint.objects.filter(conversation=conversation, rules_version=probes.VERSION).order_by("-seq").first()
    bank.team_id, bank.rewinds, bank.rules_version = conversation.team_id, conversation.rewinds, probes.VERSION
    bank.through_seq, bank.state = (last.seq, last.state) if last else (0, {})
    return bank


def _step(conversation: Conversation, stored: ProbeBank) -> int:
    """Reads the next messages. Returns through which one the bank is."""
    through = stored.through_seq
    last = min(through - through % STEP + STEP, conversation.folded_seq)
    bank, skipped = probes.Bank.from_json(stored.state).read_on(list(_said(conversation, through + 1, last)))
    return last if _store(conversation, stored, last, bank.to_json(), skipped) else through


@atomic
def _store(conversation: Conversation, stored: ProbeBank, last: int, state: dict[str, Any], skipped: Sequence[MessageSkipped]) -> bool:
    """Moves the bank to message `last`. False where another process was faster, or messages were taken back: look again."""
    same = Conversation.objects.select_for_update(no_key=True).filter(id=conversation.id, rewinds=conversation.rewinds, refold_from=None)
    of_row = ProbeBank.objects.filter(id=stored.id, through_seq=stored.through_seq, rewinds=conversation.rewinds)
    if not same.exists() or not of_row.update(through_seq=last, state=state):
        return False
    skipped_messages.note(conversation=conversation, skipped=skipped)
    if last % knowledge.EPOCH == 0:
        _checkpoint(stored, last, state)
    return True


def _checkpoint(bank: ProbeBank, seq: int, state: dict[str, Any]) -> None:
    fold_id = _checkpoint_of(bank, seq)
    if fold_id is not None:
        values = {"team_id": bank.team_id, "fold_id": fold_id, "rules_version": bank.rules_version, "state": state}
        ProbeCheckpoint.objects.update_or_create(conversation=bank.conversation, seq=seq, defaults=values)


def _checkpoint_of(bank: ProbeBank, seq: int) -> UUID | None:
    """The fold's checkpoint where the bank stands; its state may be 256 KB, and is not read."""
    return FoldCheckpoint.objects.filter(conversation=bank.conversation, seq=seq).values_list("id", flat=True).first()


def _said(conversation: Conversation, first: int, last: int) -> Iterator[tuple[int, transcript.Message]]:
    """These messages with what a bank reads of them, without their secrets. Whole rows take twice as long. One query."""
    with connection.cursor() as cursor:
        cursor.execute(_SAID, [conversation.id, first, last])
        for seq, role, agent, cwd, parts, spans in cursor.fetchall():
            shown = message_masking.masked(json.loads(parts), json.loads(spans))
            told = tuple(transcript.Part.from_json(part) for part in shown)
            yield seq, transcript.Message(transcript.Role(role), told, "", agent=agent, cwd=cwd)


def masked_message(row: Message) -> transcript.Message:
    """The message without its secrets: what is asked for is shown to people."""
    row.parts = message_masking.masked(row.parts, row.secrets)
    return row.as_transcript()
