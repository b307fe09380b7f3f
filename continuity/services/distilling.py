"""Keeping a conversation's knowledge up with its messages: cheap steps from where the last one stopped."""

import logging
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Self
from uuid import UUID

from django.db import connection, transaction
from django.db.models import F

from continuity import distill
from continuity.distill.model import TaskChanged, TaskStatus
from continuity.models import Conversation, FoldCheckpoint, FoldState
from continuity.segments import OpenSegment
from continuity.services import beside, events, knowledge_rows, message_rows, proposal_rows, queueing, segment_rows, writing
from continuity.standing import Numbered, Standing, Step, Steps, end_of_step
from continuity.tracing import span
from continuity.written import insert, upsert

logger = logging.getLogger("continuity.distilling")

# Copied inside the database: the state may be 256 KB.
_FIRST_CHECKPOINT = """
INSERT INTO continuity_foldcheckpoint (id, created_at, team_id, conversation_id, seq, rules_version, state, segment)
SELECT gen_random_uuid(), created_at, team_id, conversation_id, 0, rules_version, state, '{}' FROM continuity_foldstate WHERE id = %s
"""
_CHECKPOINT = """
INSERT INTO continuity_foldcheckpoint (id, created_at, team_id, conversation_id, seq, rules_version, state, segment)
SELECT gen_random_uuid(), now(), team_id, conversation_id, through_seq, rules_version, state, segment
FROM continuity_foldstate WHERE conversation_id = %s
ON CONFLICT (conversation_id, seq) DO UPDATE SET rules_version = EXCLUDED.rules_version, state = EXCLUDED.state, segment = EXCLUDED.segment
"""
_OF_FOLD = ("through_seq", "rules_version", "state", "segment", "curve", "outline", "updated_at")


@dataclass(frozen=True, slots=True)
class Progress:
    """How far distilling came: through which message, and whether there is more."""

    through_seq: int
    complete: bool


@dataclass(frozen=True, slots=True)
class _Stood:
    """Where a fold stood: what the next step goes on from, as long as its conversation has these two numbers."""

    folded_seq: int
    rewinds: int
    at: Standing


class Folding:
    """Going on with the fold of a conversation. Where it stands is kept from one step to the next, and read where others moved it.

    `kept` are messages that this process stored itself, which are not read again; `beside` is the process that folds them
    meanwhile. As a context, it ends what it forked.
    """

    def __init__(self, conversation_id: UUID, kept: message_rows.Kept | None = None) -> None:
        self._kept = kept
        self._conversation_id = conversation_id
        self._stood: _Stood | None = None
        self.beside: beside.Beside | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if self.beside is not None:
            self.beside.close()

    def fork(self) -> bool:
        """Has a second process fold what `keep` is given, if this one may fork and nothing is left to fold."""
        if self.beside is not None or not beside.is_possible():
            return self.beside is not None
        conversation = Conversation.objects.get(id=self._conversation_id)
        stored = FoldState.objects.filter(conversation=conversation).first()
        through = stored.through_seq if stored else 0
        if conversation.refold_from is not None or not through == conversation.folded_seq == conversation.last_seq:
            return False
        try:
            at = _standing(stored)
        except distill.OutdatedState:
            return False
        self.beside = beside.Beside(conversation, at)
        return True

    def keep(self, conversation: Conversation, rows: Sequence[writing.Recorded]) -> None:
        """Takes messages that this process just stored, under the lock with which `conversation` was read."""
        if self.beside is not None:
            self.beside.give(conversation, rows)
        elif self._kept is not None:
            self._kept.add(conversation, rows)

    @span("continuity.distil")
    def catch_up(self, *, steps: int | None = None) -> Progress:
        """Folds what was appended since the last time, a step at a time, and returns when nothing is left.

        Safe to run at the same moment in several processes and to be killed anywhere: each step moves the watermark by
        compare-and-swap in the transaction that writes its rows, so a step counts once or not at all.
        """
        taken = folded = 0
        while steps is None or taken < steps:
            conversation = Conversation.objects.select_related("team").filter(id=self._conversation_id).first()
            if conversation is None:
                return Progress(0, True)
            if conversation.refold_from is not None:
                rewind(conversation=conversation)
                continue
            if conversation.folded_seq >= conversation.last_seq:
                return Progress(conversation.folded_seq, True)
            folded = self._step(conversation)
            taken += 1
        return Progress(folded, False)

    def _step(self, conversation: Conversation) -> int:
        """Folds the next messages. Returns through which one the conversation is folded."""
        through = conversation.folded_seq
        last = min(end_of_step(through), conversation.last_seq)
        try:
            step, at = self._found(conversation, through, last)
        except distill.OutdatedState:
            rewind(conversation=conversation, to=1)
            return 0
        started = time.perf_counter()
        with transaction.atomic():
            of_row = Conversation.objects.filter(id=conversation.id, folded_seq=through, refold_from=None, rewinds=conversation.rewinds)
            moved = of_row.update(folded_seq=last)
            if not moved:
                return through  # another process was faster, or a rewind came in between: look again
            _store(conversation, step)
            _tell(conversation, step, step.seconds + time.perf_counter() - started)
        self._stood = _Stood(last, conversation.rewinds, at) if at else None
        return last

    def _found(self, conversation: Conversation, after: int, through: int) -> tuple[Step, Standing | None]:
        """What the next step stores, and where the fold then stands where it was found here. Raises OutdatedState."""
        step = self.beside.take(conversation, after, through) if self.beside else None
        if step is not None:
            return step, None
        steps = Steps(self._standing_of(conversation), after)
        (step,) = steps.add(self._messages(conversation, after, through), through) or [steps.end()]
        return step, steps.at

    def _standing_of(self, conversation: Conversation) -> Standing:
        """Where the fold stands. One query, where nothing was kept. Raises OutdatedState."""
        stood = self._stood
        if stood is not None and (stood.folded_seq, stood.rewinds) == (conversation.folded_seq, conversation.rewinds):
            return stood.at
        return _standing(FoldState.objects.filter(conversation=conversation).first())

    def _messages(self, conversation: Conversation, after: int, through: int) -> Sequence[Numbered]:
        kept = self._kept.take(conversation, after, through) if self._kept is not None else None
        return message_rows.between(conversation.id, after, through) if kept is None else kept


def _standing(stored: FoldState | None) -> Standing:
    return Standing.from_json(state=stored.state, segment=stored.segment, curve=stored.curve) if stored else Standing()


def catch_up(*, conversation_id: UUID, steps: int | None = None) -> Progress:
    """Folds what was appended since the last time, at most so many steps (`Folding.catch_up`)."""
    return Folding(conversation_id).catch_up(steps=steps)


def _store(conversation: Conversation, step: Step) -> None:
    knowledge_rows.write(conversation=conversation, changes=step.changes)
    outdated = segment_rows.outdate_replaced(conversation=conversation, changes=step.changes)
    segment_rows.write(conversation=conversation, divided=step.divided)
    fold = FoldState(
        conversation=conversation,
        team_id=conversation.team_id,
        through_seq=step.through,
        rules_version=distill.RULES_VERSION,
        **step.columns,
    )
    upsert([fold], unique=("conversation",), update=_OF_FOLD)
    if step.through % distill.EPOCH == 0:
        with connection.cursor() as cursor:
            cursor.execute(_CHECKPOINT, [conversation.id])
    if step.divided.closed or outdated:
        queueing.send("continuity.tell_segments", str(conversation.id), once_in=2)


def _tell(conversation: Conversation, step: Step, seconds: float) -> None:
    """Tells of a step that found something; `tasks` counts the open ones that it was the first to name."""
    if not step.changes:
        return
    tasks = {change.task.key: change.task for change in step.changes if isinstance(change, TaskChanged)}
    new = sum(task.seq > conversation.folded_seq and task.status is not TaskStatus.COMPLETED for task in tasks.values())
    took = round(seconds * 1000, 2)
    payload = {"through_seq": step.through, "changes": len(step.changes), "tasks": new, "duration_ms": took}
    events.publish(name="knowledge.distilled", team=conversation.team, subject_id=conversation.id, payload=payload)


def start_from(*, conversation: Conversation, record: Mapping[str, Any]) -> None:
    """Gives a new conversation the fold of its predecessor (`FoldState.to_json`), as its checkpoint 0. The caller's transaction."""
    fold = FoldState(
        conversation=conversation, team_id=conversation.team_id, through_seq=0, rules_version=distill.RULES_VERSION, state=record
    )
    insert(fold)
    with connection.cursor() as cursor:
        cursor.execute(_FIRST_CHECKPOINT, [fold.id])


@transaction.atomic
def start_again_from(*, conversation: Conversation, record: Mapping[str, Any]) -> None:
    """Forgets what a conversation began with and all it learned since; folding begins anew from the record of a state."""
    FoldCheckpoint.objects.filter(conversation=conversation).delete()
    insert(
        FoldCheckpoint(conversation=conversation, team_id=conversation.team_id, seq=0, rules_version=distill.RULES_VERSION, state=record)
    )
    rewind(conversation=conversation, to=1)


@transaction.atomic
def rewind(*, conversation: Conversation, to: int | None = None) -> None:
    """Takes the fold back to the last checkpoint before `to` (the first rewound message where None); folding goes on from there."""
    locked = Conversation.objects.select_for_update().get(id=conversation.id)
    first = to if to is not None else locked.refold_from
    if first is None:
        return
    checkpoint = _checkpoint_before(locked, first)
    seq = checkpoint.seq if checkpoint else 0
    state = checkpoint.state if checkpoint else distill.FoldState().to_json()
    opened = checkpoint.segment if checkpoint else {}
    FoldCheckpoint.objects.filter(conversation=locked, seq__gt=seq).delete()
    FoldState.objects.filter(conversation=locked).update(
        through_seq=seq, state=state, rules_version=distill.RULES_VERSION, segment=opened, outline=None
    )
    segment_rows.forget_after(conversation=locked, seq=seq, opened=OpenSegment.from_json(opened))
    knowledge_rows.forget_after(conversation=locked, seq=seq, state=distill.FoldState.from_json(state))
    proposal_rows.forget_abandoned(conversation=locked)
    Conversation.objects.filter(id=locked.id).update(folded_seq=seq, refold_from=None, rewinds=F("rewinds") + 1)
    logger.info("Knowledge goes back to message %d", seq, extra={"metadata": {"conversation_id": str(locked.id)}})


def _checkpoint_before(conversation: Conversation, first: int) -> FoldCheckpoint | None:
    """The last checkpoint before message `first` at which every anchor row either was as it is now or was not yet."""
    usable = FoldCheckpoint.objects.filter(conversation=conversation, rules_version=distill.RULES_VERSION).order_by("-seq")
    while (checkpoint := usable.filter(seq__lt=first).first()) is not None:
        moved = knowledge_rows.first_moved_over(conversation=conversation, seq=checkpoint.seq)
        if moved is None:
            break
        first = moved
    return checkpoint


@transaction.atomic
def ask_again(*, conversation: Conversation) -> None:
    """Forgets what was distilled and has a worker distil all of it anew; what people pinned, edited or dismissed stays."""
    rewind(conversation=conversation, to=1)
    queueing.send("continuity.distil", str(conversation.id))


def begin_anew_if_outdated(*, conversation_id: UUID) -> None:
    """Takes a fold that older rules made back to its beginning: what is needed at once cannot wait for the batch job."""
    outdated = FoldState.objects.filter(conversation=conversation_id).exclude(rules_version=distill.RULES_VERSION)
    stored = outdated.select_related("conversation").only("conversation").first()
    if stored is not None:
        rewind(conversation=stored.conversation, to=1)


def refold_outdated(*, limit: int) -> int:
    """Folds conversations again that were folded by older rules: a batch job, which reads each from its start. Returns how many."""
    outdated = FoldState.objects.exclude(rules_version=distill.RULES_VERSION).select_related("conversation").order_by("updated_at")
    taken = list(outdated[:limit])
    for stored in taken:
        rewind(conversation=stored.conversation, to=1)
        catch_up(conversation_id=stored.conversation_id)
    return len(taken)


def state_of(conversation: Conversation) -> distill.FoldState:
    """The fold as it stands. One query. Raises OutdatedState where other rules made it and nothing was folded since."""
    stored = FoldState.objects.filter(conversation=conversation).first()
    return distill.FoldState.from_json(stored.state) if stored else distill.FoldState()


def record_of(conversation: Conversation) -> dict[str, Any]:
    """The fold as it stands, as it is stored; that of an empty one where nothing was folded. One query."""
    stored = FoldState.objects.filter(conversation=conversation).values_list("state", flat=True).first()
    return stored if stored is not None else distill.FoldState().to_json()
