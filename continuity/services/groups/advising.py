"""Asking a model ahead who should speak next, where a group's strategy is `llm`: nobody waits for it longer than a tenth of a second."""

import logging
import time
from uuid import UUID

from continuity.extraction import BadAnswer
from continuity.groups import allowed, asking
from continuity.groups.model import GroupStatus
from continuity.models import Group
from continuity.services.groups import situations
from continuity.services.model import model_client, model_endpoint

logger = logging.getLogger("continuity.groups")

SECONDS = 10.0


def ask_ahead(*, group_id: UUID) -> str:
    """Whom the model names for what was said last, kept for the next selection; empty where it named nobody. Outside of transactions."""
    endpoint = model_endpoint.configured()
    group = Group.objects.filter(id=group_id, strategy="llm").exclude(status=GroupStatus.CLOSED).first()
    if endpoint is None or group is None:
        return ""
    read = situations.read_situation(group)
    speakers, _ = allowed.allowed(read.situation, in_a_row=group.bounds.in_a_row)
    if not speakers:
        return ""
    begun = time.monotonic()
    try:
        reply = model_client.ask(endpoint=endpoint, prompt=asking.prompt_of(read.situation, speakers), seconds=SECONDS)
    except (model_client.ModelAway, BadAnswer) as error:
        logger.warning("No model names a speaker", extra={"metadata": {"group_id": str(group_id), "error": type(error).__name__}})
        return ""
    name = asking.named(reply.text, speakers)
    Group.objects.filter(id=group_id).update(advice={"seq": read.last_seq, "agent": name})
    told = {"group_id": str(group_id), "named": name, "seconds": round(time.monotonic() - begun, 3)}
    logger.info("A model was asked who speaks next", extra={"metadata": told})
    return name
