"""Making a draft ready, and withdrawing a package."""

from uuid import UUID

from django.http import HttpResponse
from ninja import Router, Status

from continuity.api.access import HANDOFF, ApiRequest
from continuity.api.problems import answers
from continuity.api.versions import IF_MATCH, etag
from handoffs.api.authoring import author, version
from handoffs.api.forms.handoffs import HandoffOut
from handoffs.models import Handoff
from handoffs.services.packages import lifecycle

router = Router(tags=["changing a handoff"])

ANSWERS = answers(HandoffOut, 200, 409, 410, 412)


@router.post("/handoffs/{uuid:handoff_id}/ready", auth=HANDOFF, response=ANSWERS, summary="Make a draft ready", openapi_extra=IF_MATCH)
def make_ready(request: ApiRequest, handoff_id: UUID, response: HttpResponse) -> Status[Handoff]:
    """Lets a draft be resumed; 409 for anything but a draft."""
    team = request.auth.team
    handoff = lifecycle.make_ready(team=team, handoff_id=handoff_id, author=author(request), version=version(request))
    response["ETag"] = etag(handoff.version)
    return Status(200, handoff)


@router.post("/handoffs/{uuid:handoff_id}/withdraw", auth=HANDOFF, response=ANSWERS, summary="Withdraw", openapi_extra=IF_MATCH)
def withdraw_handoff(request: ApiRequest, handoff_id: UUID, response: HttpResponse) -> Status[Handoff]:
    """Takes a package that nobody resumed out of use. Undoing this change (it stands first in `edits`) puts it back."""
    handoff = lifecycle.withdraw(team=request.auth.team, handoff_id=handoff_id, author=author(request), version=version(request))
    response["ETag"] = etag(handoff.version)
    return Status(200, handoff)
