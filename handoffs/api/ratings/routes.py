"""Rating a received handoff, reading its ratings, and taking one back."""

from typing import Any
from uuid import UUID

from ninja import Router, Status

from continuity.api.access import HANDOFF, READ, ApiRequest
from continuity.api.problems import answers
from continuity.models import Scope
from handoffs.api.authoring import author
from handoffs.api.ratings.forms import RatingsIn, RatingsOut
from handoffs.models import Handoff
from handoffs.services.packages import handoffs
from handoffs.services.ratings import rating, rating_queries

router = Router(tags=["ratings"])

OF_HANDOFF = "/handoffs/{uuid:handoff_id}/ratings"


@router.post(OF_HANDOFF, auth=HANDOFF, response=answers(RatingsOut, 201, 409, 410), summary="Rate a received handoff")
def rate_handoff(request: ApiRequest, handoff_id: UUID, payload: RatingsIn) -> Status[dict[str, Any]]:
    """Whether it was useful, which lines are wrong, and what is missing, said by anybody of the team once somebody resumed it; 409 before.

    The answer holds all ratings of the handoff. Of one reader it keeps at most 40 wrong lines and 20 missing things.
    """
    team = request.auth.team
    told: dict[str, Any] = {"ratings": payload.as_ratings(), "style": payload.style, "conversation_id": payload.conversation_id}
    rating.rate(team=team, handoff_id=handoff_id, author=author(request), **told)
    return Status(201, _all(handoffs.get(team=team, handoff_id=handoff_id)))


@router.get(OF_HANDOFF, auth=READ, response=answers(RatingsOut, 200, 410), summary="Read the ratings of a handoff")
def get_ratings(request: ApiRequest, handoff_id: UUID) -> Status[dict[str, Any]]:
    """The ratings of a handoff by its readers."""
    return Status(200, _all(handoffs.get(team=request.auth.team, handoff_id=handoff_id)))


@router.delete(f"{OF_HANDOFF}/{{uuid:rating_id}}", auth=HANDOFF, response=answers(RatingsOut, 200, 410), summary="Take a rating back")
def take_rating_back(request: ApiRequest, handoff_id: UUID, rating_id: UUID) -> Status[dict[str, Any]]:
    """Deletes a rating of one's own, with scope `admin` anyone's; another's is 404. The answer holds those that are left."""
    team, anyones = request.auth.team, Scope.ADMIN in request.auth.scopes
    rating.take_back(team=team, handoff_id=handoff_id, rating_id=rating_id, author=author(request), anyones=anyones)
    return Status(200, _all(handoffs.get(team=team, handoff_id=handoff_id)))


def _all(handoff: Handoff) -> dict[str, Any]:
    return {"handoff_id": handoff.id, "counts": rating_queries.of_handoff(handoff), "ratings": rating_queries.ratings_of(handoff)}
