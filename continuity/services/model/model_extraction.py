"""Asking the model what the rules may have missed, window by window, and keeping what holds. The rules never wait for it."""

import logging
import time
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db import transaction

from continuity.core import deadlines
from continuity.extraction import BadAnswer, Checked, ModelWindow, WindowLimits, check, prompt_for, read_answer
from continuity.extraction.protocols import Endpoint
from continuity.models import Conversation, Job
from continuity.services.accounts import gates
from continuity.services.events import events
from continuity.services.jobs import jobs
from continuity.services.knowledge import fold_runner
from continuity.services.model import model_client, model_endpoint, model_passes, proposal_rows, proposal_windows

logger = logging.getLogger("continuity.model")

# One window takes no longer than this with all retries.
WINDOW_SECONDS = 45.0
LIMITS = WindowLimits()


@dataclass(slots=True)
class Pass:
    """The result of a pass: windows answered, what was new in them, and why it ended early, if it did."""

    windows: int = 0
    anchors: int = 0
    tasks: int = 0
    rejected: Counter[str] = field(default_factory=Counter)
    warning: str = ""


def _no_lease() -> None:
    """Stands for the lease where there is no job."""


def before_preparing(*, conversation_id: UUID, keep: Callable[[], None] = _no_lease) -> None:
    """Asks about what is new, for at most `CONTINUITY_MODEL_PREPARE_SECONDS`; nothing where that is 0. Outside of transactions."""
    if settings.CONTINUITY_MODEL_PREPARE_SECONDS:
        deadlines.extend(settings.CONTINUITY_MODEL_PREPARE_SECONDS)
        propose(conversation_id=conversation_id, seconds=settings.CONTINUITY_MODEL_PREPARE_SECONDS, keep=keep)


def propose(*, conversation_id: UUID, seconds: float, keep: Callable[[], None] = _no_lease) -> Pass:
    """Asks about what the model has not seen of a conversation, for at most `seconds` and `CONTINUITY_MODEL_WINDOWS` windows.

    Nothing is asked where there is no model or the team's tier does not open it. A model that does not answer ends the
    pass with a warning. Safe to be killed anywhere and to run twice at once: a window counts once, with its rows.
    `keep` is called before each window.
    """
    done, deadline = Pass(), time.monotonic() + seconds
    endpoint = model_endpoint.configured()
    conversation = Conversation.objects.select_related("team").filter(id=conversation_id).first()
    if endpoint is None or conversation is None or not gates.is_open(conversation.team, model_passes.GATE):
        return done
    while done.windows < settings.CONTINUITY_MODEL_WINDOWS and not done.warning:
        keep()
        rewinds = Conversation.objects.filter(id=conversation_id).values_list("rewinds", flat=True).first()
        if rewinds is None:
            break
        conversation.rewinds = rewinds  # an answer counts only where nothing was taken back since the window was read
        left = min(WINDOW_SECONDS, deadline - time.monotonic())
        window = proposal_windows.next_window(conversation, model=endpoint.name) if left > 0 else None
        if window is None:
            break
        try:
            _take(conversation, endpoint, window, left, done)
        except model_client.ModelAway as away:
            _fall_back(conversation, away.reason, done)
    return done


def _take(conversation: Conversation, endpoint: Endpoint, window: ModelWindow, seconds: float, done: Pass) -> None:
    """Asks about one window and stores what holds. Raises ModelAway."""
    reply, unusable, checked = None, "", Checked()
    if window.excerpts:
        try:
            reply = model_client.ask(endpoint=endpoint, prompt=prompt_for(window, LIMITS), seconds=seconds)
            checked = check(read_answer(reply.text), window, LIMITS)
        except BadAnswer as bad:
            unusable = bad.reason
            done.warning = f"The model's answer could not be used: {unusable}."
            told = {"metadata": {"conversation_id": str(conversation.id), "through_seq": window.last_seq}}
            logger.warning("[CONT:MODEL] The model's answer could not be used (%s); the rules stand alone", unusable, extra=told)
    stored = proposal_rows.store(
        conversation=conversation, window=window, checked=checked, limits=LIMITS, model=endpoint.name, reply=reply, unusable=unusable
    )
    done.windows += 1
    if stored is not None:
        done.anchors += stored.anchors
        done.tasks += stored.tasks
        done.rejected.update(stored.rejected)


def _fall_back(conversation: Conversation, reason: str, done: Pass) -> None:
    """Says that the rules stand alone. What was not asked is asked the next time."""
    done.warning = f"The model did not answer: {reason}. What the rules found stands alone."
    told = {"metadata": {"conversation_id": str(conversation.id), "reason": reason}}
    logger.warning("[CONT:MODEL] The model did not answer (%s); the rules stand alone", reason, extra=told)
    with transaction.atomic():
        events.publish(name="model.failed", team=conversation.team, subject_id=conversation.id, payload={"reason": reason})


@jobs.runner(model_passes.KIND)
def run(lease: jobs.Lease) -> Mapping[str, Any]:
    """A pass in the background, after the rules have read everything. A model that fails leaves a warning, not a failed job."""
    job = lease.job
    conversation_id = fold_runner.catch_up_for(lease)
    done = propose(conversation_id=conversation_id, seconds=settings.CONTINUITY_MODEL_PASS_SECONDS, keep=lease.advance)
    if done.warning:
        Job.objects.filter(id=job.id, lease_token=job.lease_token).update(warnings=[done.warning])
    return {"windows": done.windows, "anchors": done.anchors, "tasks": done.tasks, "rejected": dict(done.rejected)}
