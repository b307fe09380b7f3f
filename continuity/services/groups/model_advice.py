"""Asking a model ahead who should speak next: where a group's strategy is `llm`, and where the rules of `expertise` are unsure.

A selection waits for the answer as long as the group's limit `advice_ms` says, and no longer.
"""

import logging
import time
from collections.abc import Sequence
from datetime import timedelta
from uuid import UUID

from continuity.extraction import BadAnswer
from continuity.extraction.prompt import Prompt
from continuity.extraction.protocols import Endpoint
from continuity.groups import allowed, model_question, selection
from continuity.groups.limits import GroupLimits
from continuity.groups.model import GroupSpeaker, GroupStatus, TurnStatus
from continuity.models import Group, Team
from continuity.services.groups import situations
from continuity.services.jobs import queueing
from continuity.services.model import model_client, model_endpoint

logger = logging.getLogger("continuity.groups")

ADVISED = ("llm", "expertise")
SECONDS = 10.0
# Looked for often at first, since most models answer soon, then less.
FIRST_PAUSE = 0.02
PAUSE = 0.5


def send(*, group_id: UUID, strategy: str) -> None:
    """Has a worker ask when the transaction commits, where there is a model and the strategy may want one."""
    if _is_advised(strategy):
        queueing.send("continuity.advise_group", str(group_id))


def wait_of(group: Group) -> timedelta:
    """How long the monitor leaves the model after a message."""
    return group.bounds.advice if _is_advised(group.strategy) else timedelta(0)


def wait_for(*, team: Team, group_id: UUID) -> None:
    """Waits until the worker has asked for what was said last, as long as the group's limit says; not while somebody has the turn."""
    if model_endpoint.configured() is None:
        return
    begun, pause = time.monotonic(), FIRST_PAUSE
    active = Group.objects.visible_to(team).filter(id=group_id, strategy__in=ADVISED, status=GroupStatus.ACTIVE)
    known = active.exclude(chosen__status=TurnStatus.OPEN)
    while found := known.values_list("advice", "conversation__last_seq", "limits").first():
        advice, seq, limits = found
        left = GroupLimits.of(limits).advice.total_seconds() - (time.monotonic() - begun)
        if advice.get("seq") == seq or left <= 0:
            return
        time.sleep(min(pause, left))
        pause = min(pause * 1.5, PAUSE)


def ask_ahead(*, group_id: UUID) -> str:
    """Whom the model names for what was said last, kept for the next selection, also that it named nobody. Outside of transactions."""
    endpoint = model_endpoint.configured()
    group = Group.objects.filter(id=group_id, strategy__in=ADVISED).exclude(status=GroupStatus.CLOSED).first()
    if endpoint is None or group is None:
        return ""
    read = situations.read_situation(group)
    speakers, _ = allowed.allowed(read.situation, in_a_row=group.bounds.in_a_row)
    wanted = bool(speakers) and selection.wants_advice(read.situation, speakers)
    name = _named(endpoint, group_id, model_question.prompt_of(read.situation, speakers), speakers) if wanted else None
    Group.objects.filter(id=group_id).update(advice={"seq": read.last_seq, "agent": name})
    return name or ""


def _named(endpoint: Endpoint, group_id: UUID, prompt: Prompt, speakers: Sequence[GroupSpeaker]) -> str | None:
    """None where the model is away."""
    begun = time.monotonic()
    try:
        reply = model_client.ask(endpoint=endpoint, prompt=prompt, seconds=SECONDS)
    except (model_client.ModelAway, BadAnswer) as error:
        logger.warning("No model names a speaker", extra={"metadata": {"group_id": str(group_id), "error": type(error).__name__}})
        return None
    name = model_question.named(reply.text, speakers)
    told = {"group_id": str(group_id), "named": name, "seconds": round(time.monotonic() - begun, 3)}
    logger.info("A model was asked who speaks next", extra={"metadata": told})
    return name


def _is_advised(strategy: str) -> bool:
    return strategy in ADVISED and model_endpoint.configured() is not None
