"""Offering a handoff as soon as it is made: the handoff stands, whatever becomes of the offer."""

from dataclasses import dataclass

from continuity.core.errors import DomainError
from handoffs.models import Handoff
from handoffs.models.handoffs import OFFERABLE
from handoffs.services.chains import offer_mail, offers
from handoffs.services.packages.authors import Author


@dataclass(frozen=True, slots=True)
class HandedOver:
    """The handoff as it is now; `refused` says why it is offered to nobody, and is empty where it is offered."""

    handoff: Handoff
    mailed: bool = False
    refused: str = ""


def hand_over(*, handoff: Handoff, to: str, note: str, author: Author, link: str) -> HandedOver:
    """Offers it to the member with the e-mail address `to`, who gets a mail with the `link`, once."""
    if handoff.status not in OFFERABLE:
        return HandedOver(handoff, refused="Its check failed.")
    if handoff.offered_to_id:
        return HandedOver(handoff)  # by an attempt before this one
    try:
        given = offers.offer(team=handoff.team, handoff_id=handoff.id, to=to, author=author, note=note)
    except DomainError as refused:
        return HandedOver(handoff, refused=refused.detail)
    return HandedOver(given, mailed=offer_mail.send(handoff=given, link=link))
