"""The configured model as writer of a note, where no agent and no person wrote one: from what is known, statement by statement with its
source. The rules never wait for it."""

import logging
from collections.abc import Mapping
from typing import Any
from uuid import UUID

from django.conf import settings

from continuity.core.errors import Conflict
from continuity.extraction.answer import BadAnswer
from continuity.models import Conversation, Job, JobStatus, Team
from continuity.services.accounts import gates
from continuity.services.jobs import jobs
from continuity.services.knowledge import fold_runner
from continuity.services.model import model_client, model_endpoint, model_passes
from continuity.services.recording import conversations
from handoffs.models import NoteAuthor, StoredNote
from handoffs.notes import model_note
from handoffs.services.notes import note_queries, note_writer

logger = logging.getLogger("continuity.model")

KIND = "write_note"
# A note of anybody counts while no more messages than this came after it.
FRESH = 50


def submit(*, team: Team, conversation_id: UUID) -> Job:
    """Has the model write a note in the background. Raises NotFound, GateClosed, and Conflict where no model is set up or a note is
    being written."""
    conversation = conversations.get(team=team, conversation_id=conversation_id)
    conversations.check_open(conversation)
    gates.require(team, model_passes.GATE)
    if model_endpoint.configured() is None:
        raise Conflict("No model is set up here (CONTINUITY_MODEL_URL).")
    if _is_under_way(conversation):
        raise Conflict("The model is writing a note of this conversation already.")
    return jobs.submit(team=team, kind=KIND, arguments={}, conversation=conversation)


def request(*, conversation_id: UUID) -> Job | None:
    """Has the model write a note ahead of a handoff. None where there is no model, the team's tier does not open it, a note was written
    lately, or one is being written."""
    conversation = Conversation.objects.select_related("team").filter(id=conversation_id).first()
    if conversation is None or model_endpoint.configured() is None or not gates.is_open(conversation.team, model_passes.GATE):
        return None
    lately = StoredNote.objects.filter(conversation=conversation, through_seq__gt=conversation.last_seq - FRESH)
    if lately.exists() or _is_under_way(conversation):
        return None
    return jobs.submit(team=conversation.team, kind=KIND, arguments={}, conversation=conversation)


def _is_under_way(conversation: Conversation) -> bool:
    return conversation.jobs.filter(kind=KIND, status__in=[JobStatus.QUEUED, JobStatus.RUNNING]).exists()


@jobs.runner(KIND)
def run(lease: jobs.Lease) -> Mapping[str, Any]:
    """Reads everything, asks once, stores what has a source. A model that fails leaves a warning, not a failed job."""
    job = lease.job
    conversation = conversations.get(team=job.team, conversation_id=fold_runner.catch_up_for(lease))
    endpoint = model_endpoint.configured()
    material = model_note.material_of(note_queries.known(conversation))
    if endpoint is None or not material:
        return {"statements": 0, "without_source": 0}
    lease.advance()
    try:
        reply = model_client.ask(endpoint=endpoint, prompt=model_note.prompt_for(material), seconds=settings.CONTINUITY_MODEL_PASS_SECONDS)
        found = model_note.read_answer(reply.text, material)
    except (model_client.ModelAway, BadAnswer) as failed:
        _warn(job, failed.reason)
        return {"statements": 0, "without_source": 0}
    if found.note is None:
        _warn(job, "no statement had a source")
        return {"statements": 0, "without_source": found.dropped}
    written = note_writer.write(
        team=job.team,
        conversation_id=conversation.id,
        note=found.note,
        kind=NoteAuthor.MODEL,
        through_seq=conversation.last_seq,
        model=endpoint.name,
    )
    return {"note_id": str(written.note.id), "statements": len(list(found.note.statements())), "without_source": found.dropped}


def _warn(job: Job, reason: str) -> None:
    told = {"metadata": {"conversation_id": str(job.conversation_id), "reason": reason}}
    logger.warning("[CONT:MODEL] The model wrote no note (%s)", reason, extra=told)
    Job.objects.filter(id=job.id, lease_token=job.lease_token).update(warnings=[f"The model wrote no note: {reason}."])
