"""Handing a package over to a teammate."""

from collections.abc import Callable
from functools import partial
from typing import Annotated
from uuid import UUID

from django.http import HttpResponse
from django.urls import reverse
from ninja import Field, Router, Schema, Status
from pydantic import ConfigDict

from continuity.api.access import HANDOFF, ApiRequest
from continuity.api.problems import answers
from continuity.api.versions import IF_MATCH, etag
from continuity.transcripts.base.sanitise import clean_text
from handoffs.api.authoring import author, version
from handoffs.api.forms.handoffs import HandoffOut
from handoffs.models import Handoff
from handoffs.services.chains import offer_acceptance, offer_mail, offers

router = Router(tags=["handing over"])

OFFER = "/handoffs/{uuid:handoff_id}/offer"
ANSWERS = answers(HandoffOut, 200, 409, 410, 412)


class OfferIn(Schema):
    model_config = ConfigDict(extra="forbid")

    to: Annotated[str, Field(max_length=254, description="The e-mail address of a member of the team.")]
    note: Annotated[str, Field(max_length=offers.LONGEST, description="Words for them, shown with the offer.")] = ""


class DeclineIn(Schema):
    model_config = ConfigDict(extra="forbid")

    reason: Annotated[str, Field(max_length=offers.LONGEST, description="Why, for whoever made the offer.")] = ""


@router.post(OFFER, auth=HANDOFF, response=ANSWERS, summary="Offer to a teammate", openapi_extra=IF_MATCH)
def offer_handoff(request: ApiRequest, handoff_id: UUID, payload: OfferIn, response: HttpResponse) -> Status[Handoff]:
    """Offers a draft or ready package to a member of the team, who gets a mail; it stays with its owner until they accept."""
    given = offers.offer(
        team=request.auth.team,
        handoff_id=handoff_id,
        to=payload.to,
        note=clean_text(payload.note),
        author=author(request),
        version=version(request),
    )
    offer_mail.send(handoff=given, link=request.build_absolute_uri(reverse("handoff", args=[handoff_id])))
    response["ETag"] = etag(given.version)
    return Status(200, given)


@router.post(f"{OFFER}/accept", auth=HANDOFF, response=ANSWERS, summary="Accept an offer", openapi_extra=IF_MATCH)
def accept_offer(request: ApiRequest, handoff_id: UUID, response: HttpResponse) -> Status[Handoff]:
    """Makes the caller its owner; only the person to whom it was offered may (else 403)."""
    return _answer(offer_acceptance.accept, request, handoff_id, response)


@router.post(f"{OFFER}/decline", auth=HANDOFF, response=ANSWERS, summary="Decline an offer", openapi_extra=IF_MATCH)
def decline_offer(request: ApiRequest, handoff_id: UUID, response: HttpResponse, payload: DeclineIn | None = None) -> Status[Handoff]:
    """Leaves it with its owner, who reads the reason; only the person to whom it was offered may (else 403)."""
    reason = clean_text(payload.reason) if payload else ""
    return _answer(partial(offers.decline, reason=reason), request, handoff_id, response)


@router.delete(OFFER, auth=HANDOFF, response=ANSWERS, summary="Take an offer back", openapi_extra=IF_MATCH)
def take_offer_back(request: ApiRequest, handoff_id: UUID, response: HttpResponse) -> Status[Handoff]:
    """Ends an offer that was not answered."""
    return _answer(offers.take_back, request, handoff_id, response)


def _answer(act: Callable[..., Handoff], request: ApiRequest, handoff_id: UUID, response: HttpResponse) -> Status[Handoff]:
    handoff = act(team=request.auth.team, handoff_id=handoff_id, author=author(request), version=version(request))
    response["ETag"] = etag(handoff.version)
    return Status(200, handoff)
