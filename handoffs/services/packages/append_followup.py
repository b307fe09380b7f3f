"""Follow-up work after an append is committed: nothing here fails those who record, or holds them up.

The decision is a few short reads, made at once. Folding, telling of the limit and preparing a handoff are done by a thread beside the
request, which waits a tenth of a second for it (`CONTINUITY_FOLLOW_UP_MS`). What takes longer goes on; what fails is put off and tried
again by the workers. Either way the answer says `preparing`, and a later one names the handoff.
"""

import contextvars
import logging
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import replace
from uuid import UUID

from django.conf import settings
from django.db import connection, transaction
from django.utils import timezone

from continuity.core import clock
from continuity.models import Conversation, Deferral, Team
from continuity.models.deferrals import LONGEST_PAUSE
from continuity.services.jobs import deferrals, queueing
from continuity.services.recording import conversations
from handoffs.policy import Decision, Hold, Policy, decide
from handoffs.services.packages import automatic, decisions, policies
from handoffs.services.packages.automatic import FollowUp

logger = logging.getLogger("continuity.handoffs")

KIND = "follow_up"  # of work that is put off where it fails
THREADS = 4
SOON = 5  # seconds after which a worker looks whether the thread came to an end

_threads = ThreadPoolExecutor(THREADS, thread_name_prefix="follow-up")
_free = threading.BoundedSemaphore(THREADS)


def undecided(conversation: Conversation) -> Decision:
    """The answer without asking the store anything: that by the default policy. No query."""
    window = conversation.max_context_tokens
    known = decide(decisions.usage_of(conversation), window, (), Policy(), timezone.now())
    return replace(known, due=False, held=Hold.PREPARING, event="")


def follow(*, team: Team, conversation: Conversation) -> FollowUp:
    """Do what follows from messages that were just committed, as far as it is ready soon. Never raises."""
    if connection.in_atomic_block:  # In a caller's transaction nobody else would see the messages.
        return _guarded(conversation, lambda: _in_savepoint(team, conversation))
    return _guarded(conversation, lambda: _beside(team, conversation))


def follow_again(*, conversation_id: UUID) -> None:
    """Does what follows from a conversation's messages, unless it is done or put off; for workers."""
    deferrals.one(kind=KIND, subject_id=conversation_id, work=_work_again)


def sweep(*, limit: int = 100) -> int:
    """Tries again what failed and is due. Returns how many succeeded."""
    now = timezone.now()
    due = Deferral.objects.filter(clock.due("not_before", now=now, longest=LONGEST_PAUSE), kind=KIND).order_by("not_before")
    ids = due.values_list("subject_id", flat=True)[:limit]
    return deferrals.each(kind=KIND, ids=list(ids), work=_work_again)


def _work_again(conversation_id: UUID) -> None:
    conversation = Conversation.objects.select_related("team").filter(id=conversation_id).first()
    if conversation is not None:
        automatic.follow_up(team=conversation.team, conversation=conversation)


def decided(*, team: Team, conversation_id: UUID) -> FollowUp:
    """The decision on a conversation as it stands, with the automatic handoff that waits and the one that is ready. Asking changes nothing.
    Raises NotFound."""
    conversation = conversations.get(team=team, conversation_id=conversation_id)
    return _decided(team, conversation).with_ready(automatic.ready(conversation))


def _decided(team: Team, conversation: Conversation) -> FollowUp:
    decision = decisions.decision_on(conversation, policies.effective(team=team, conversation=conversation))
    if not decision.due:
        return FollowUp(decision)
    handoff = automatic.waiting(conversation)
    if handoff is None and Deferral.objects.filter(kind=KIND, subject_id=conversation.id).exists():
        return FollowUp(_preparing(decision))
    return FollowUp(decision, handoff)


def _guarded(conversation: Conversation, work: Callable[[], FollowUp]) -> FollowUp:
    try:
        return work()
    except Exception:
        logger.exception("What follows from messages of %s could not be found out", conversation.id)
        return FollowUp(undecided(conversation))


def _in_savepoint(team: Team, conversation: Conversation) -> FollowUp:
    with transaction.atomic():
        ready = automatic.ready(conversation)
        return automatic.follow_up(team=team, conversation=conversation).with_ready(ready)


def _beside(team: Team, conversation: Conversation) -> FollowUp:
    decision = decisions.decision_on(conversation, policies.effective(team=team, conversation=conversation))
    ready = automatic.ready(conversation)
    if not (decision.fold_now or decision.due or decision.event):
        return FollowUp(decision).with_ready(ready)
    connection.close()  # The thread may need it: the pool has few, and this request only waits.
    done = _begin(team, conversation)
    if done is not None:
        return done.with_ready(ready)
    queueing.send("handoffs.follow_up", str(conversation.id), once_in=SOON)
    waiting = automatic.waiting(conversation) if decision.due else None  # made after an earlier append
    return (FollowUp(decision, waiting) if waiting else FollowUp(_preparing(decision))).with_ready(ready)


def _begin(team: Team, conversation: Conversation) -> FollowUp | None:
    """Run the work in a thread, and return its result within the time that an answer waits; None where it takes longer, fails, or all
    threads are busy."""
    if not _free.acquire(blocking=False):
        return None
    try:
        running = _threads.submit(contextvars.copy_context().run, _work, team, conversation)
    except RuntimeError:  # The process ends.
        _free.release()
        return None
    wait([running], timeout=settings.CONTINUITY_FOLLOW_UP_MS / 1000)
    return running.result() if running.done() else None


def _work(team: Team, conversation: Conversation) -> FollowUp | None:
    """The work of the thread. Gives None where it failed or is put off. Never raises."""
    found: list[FollowUp] = []

    def work(_id: UUID) -> None:
        found.append(automatic.follow_up(team=team, conversation=conversation))

    try:
        deferrals.one(kind=KIND, subject_id=conversation.id, work=work)
    except Exception:
        logger.exception("What follows from messages of %s could not be done", conversation.id)
    finally:
        connection.close()
        _free.release()
    return found[0] if found else None


def _preparing(decision: Decision) -> Decision:
    return replace(decision, held=Hold.PREPARING)
