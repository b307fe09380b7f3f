"""Having the model asked in the background. Kept apart from the asking, which loads what only workers need."""

from uuid import UUID

from continuity.models import Conversation, Job, JobStatus
from continuity.services.accounts import gates
from continuity.services.jobs import jobs
from continuity.services.model import model_endpoint

KIND = "propose"
GATE = "Agents.Continuity.TaskExtractor"


def request(*, conversation_id: UUID) -> Job | None:
    """Submits a pass over what the model has not seen of a conversation.

    None where there is no model, the team's tier does not open it, or a pass is under way.
    """
    if model_endpoint.configured() is None:
        return None
    conversation = Conversation.objects.select_related("team").filter(id=conversation_id).first()
    if conversation is None or not gates.is_open(conversation.team, GATE):
        return None
    if conversation.jobs.filter(kind=KIND, status__in=[JobStatus.QUEUED, JobStatus.RUNNING]).exists():
        return None
    return jobs.submit(team=conversation.team, kind=KIND, arguments={}, conversation=conversation)
