"""Handing a package over to a named teammate, who accepts or declines."""

from typing import Any
from uuid import UUID

from django.utils import timezone

from continuity.core.errors import Conflict, Invalid, NotYours
from continuity.core.transactions import atomic
from continuity.models import Membership, Role, Team, User
from continuity.services.events import events
from handoffs.models import EditAction, EditTarget, Handoff, HandoffEdit, OfferAnswer
from handoffs.models.handoffs import OFFERABLE
from handoffs.services.packages.authors import Author
from handoffs.services.packages.locking import lock

LONGEST = 500  # characters of a note, and of a reason


@atomic
def offer(*, team: Team, handoff_id: UUID, to: str, author: Author, version: int | None = None, note: str = "") -> Handoff:
    """Offers a draft or ready package to the member of the team with the e-mail address `to`, with a `note` for them.

    Raises what `locking.lock` raises; Invalid where there is no such member, or none who may resume; Conflict where it is
    offered to somebody else already; NotYours where a person offers what another one owns.
    """
    handoff = lock(team=team, handoff_id=handoff_id, version=version, among=OFFERABLE)
    _check_giver(handoff, author)
    membership = Membership.objects.filter(team=team, user__email=to.strip().lower()).select_related("user").first()
    if membership is None or membership.role < Role.MEMBER:
        raise Invalid("to must be the e-mail address of a member of the team who may resume handoffs.", field="to")
    if handoff.offered_to_id and handoff.offered_to_id != membership.user_id:
        raise Conflict("This handoff is offered to somebody else; take that back first.")
    if handoff.owner_id == membership.user_id:
        raise Conflict("This handoff is theirs already.")
    OfferAnswer.objects.filter(handoff=handoff, giver=author.user).delete()
    return _set(handoff, "handoff.offered", membership.user, by=author.user, note=note[:LONGEST].strip())


@atomic
def accept(*, team: Team, handoff_id: UUID, author: Author, version: int | None = None) -> Handoff:
    """Makes the teammate to whom it was offered its owner; who gave it, when, and the note stay. Raises what `locking.lock` raises;
    Conflict; NotYours."""
    handoff = lock(team=team, handoff_id=handoff_id, version=version, among=OFFERABLE)
    handoff.owner = _named(handoff, author)
    _notify_giver(handoff, accepted=True)
    _keep(handoff, EditAction.ACCEPT, handoff.offer_note, author)
    payload = {"to": str(handoff.offered_to_id), "version": handoff.version + 1}
    handoff.offered_to = None
    handoff.version += 1
    handoff.save(update_fields=["owner", "offered_to", "version"])
    events.publish(name="handoff.offer_accepted", team=team, subject_id=handoff.id, payload=payload)
    return handoff


@atomic
def decline(*, team: Team, handoff_id: UUID, author: Author, version: int | None = None, reason: str = "") -> Handoff:
    """Leaves it with its owner, who is told the `reason`. Raises as `accept` does."""
    handoff = lock(team=team, handoff_id=handoff_id, version=version, among=OFFERABLE)
    _named(handoff, author)
    reason = reason[:LONGEST].strip()
    _notify_giver(handoff, accepted=False, reason=reason)
    _keep(handoff, EditAction.DECLINE, reason, author)
    return _set(handoff, "handoff.offer_declined", None)


@atomic
def take_back(*, team: Team, handoff_id: UUID, author: Author, version: int | None = None) -> Handoff:
    """Ends an offer that was not answered. Raises what `locking.lock` raises; Conflict; NotYours."""
    handoff = lock(team=team, handoff_id=handoff_id, version=version, among=OFFERABLE)
    _check_offered(handoff)
    _check_giver(handoff, author)
    return _set(handoff, "handoff.offer_taken_back", None)


@atomic
def remind(*, team: Team, handoff_id: UUID, author: Author, version: int | None = None) -> Handoff:
    """Makes an offer that was not answered once more, with its note. Raises as `take_back` does; Conflict within an hour of the last."""
    handoff = lock(team=team, handoff_id=handoff_id, version=version, among=OFFERABLE)
    _check_offered(handoff)
    _check_giver(handoff, author)
    if not handoff.may_remind:
        raise Conflict(f"{handoff.offered_to} was told of it less than an hour ago.")
    return _set(handoff, "handoff.offered", handoff.offered_to, by=handoff.offered_by, note=handoff.offer_note)


@atomic
def answer_seen(*, handoff: Handoff, by: User | None) -> None:
    """Clears the answer to what `by` offered; twice is once."""
    cleared, _ = OfferAnswer.objects.filter(handoff=handoff, giver=by).delete()
    if cleared:
        events.publish(name="handoff.answer_seen", team=handoff.team, subject_id=handoff.id)


def _notify_giver(handoff: Handoff, *, accepted: bool, reason: str = "") -> None:
    """Notes the answer for the person who offered the handoff, which the caller locked; an agent is told of it by the event."""
    if handoff.offered_by_id is None:
        return
    answered: dict[str, Any] = {"team": handoff.team, "answered_by_id": handoff.offered_to_id, "accepted": accepted}
    answered |= {"reason": reason, "created_at": timezone.now()}
    OfferAnswer.objects.update_or_create(handoff=handoff, giver_id=handoff.offered_by_id, defaults=answered)


def _keep(handoff: Handoff, action: EditAction, text: str, author: Author) -> None:
    """Keeps an answer in the history, with the note or the reason."""
    place: dict[str, Any] = {"team": handoff.team, "handoff": handoff, "made_by": author.user, "made_with": author.key}
    HandoffEdit.objects.create(action=action, target=EditTarget.PACKAGE, before={}, after={"text": text} if text else {}, **place)


def _named(handoff: Handoff, author: Author) -> User:
    """The person asking, who must be the one to whom the handoff was offered."""
    _check_offered(handoff)
    if author.user is None or author.user.id != handoff.offered_to_id:
        raise NotYours(who="the person to whom the handoff was offered")
    return author.user


def _check_offered(handoff: Handoff) -> None:
    if handoff.offered_to_id is None:
        raise Conflict("This handoff is not offered to anybody.")


def _check_giver(handoff: Handoff, author: Author) -> None:
    """A person gives away what is their own or nobody's, or what they offer at the moment; an agent acts for its team."""
    offers_it = handoff.offered_by_id if handoff.offered_to_id else None
    if author.user is not None and handoff.owner_id and author.user.id not in (handoff.owner_id, offers_it):
        raise NotYours(who="its owner")


def _set(handoff: Handoff, event: str, to: User | None, *, by: User | None = None, note: str = "") -> Handoff:
    payload = {"to": str(to.id if to else handoff.offered_to_id), "version": handoff.version + 1}
    handoff.offered_to, handoff.offered_by, handoff.offered_at = to, by, timezone.now() if to else None
    handoff.offer_note = note
    handoff.version += 1
    handoff.save(update_fields=["offered_to", "offered_by", "offered_at", "offer_note", "version"])
    events.publish(name=event, team=handoff.team, subject_id=handoff.id, payload=payload)
    return handoff
