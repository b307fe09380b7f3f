"""Accepting an offer: it is the teammate's from then on, and the giver's note reaches the agent that goes on."""

import logging
from contextlib import suppress
from uuid import UUID

from continuity.core.errors import DomainError
from continuity.core.transactions import atomic
from continuity.models import Team
from continuity.services.knowledge import fold_runner
from handoffs.models import Handoff
from handoffs.services.chains import offers
from handoffs.services.edits import package_edits, regenerate
from handoffs.services.packages import handoffs
from handoffs.services.packages.authors import Author

logger = logging.getLogger("continuity.handoffs")


def accept(*, team: Team, handoff_id: UUID, author: Author, version: int | None = None) -> Handoff:
    """Accepts it, and makes its directive again with the giver's note, as a change that can be undone. Where the directive can't be made
    again, it stays as it was, and the note stands on the handoff's page alone. Raises what `offers.accept` raises."""
    conversation_id = handoffs.get(team=team, handoff_id=handoff_id).conversation_id
    with suppress(DomainError):
        fold_runner.catch_up(conversation_id=conversation_id)
    return _accept(team, handoff_id, author, version)


def holds_offer_note(handoff: Handoff) -> bool:
    """Whether the directive holds the note of the offer that was accepted."""
    return bool(handoff.offer_note) and handoff.offer_note in regenerate.options_of(handoff).note


@atomic
def _accept(team: Team, handoff_id: UUID, author: Author, version: int | None) -> Handoff:
    handoff = offers.accept(team=team, handoff_id=handoff_id, author=author, version=version)
    if not handoff.offer_note:
        return handoff
    try:
        return _notify_agent(handoff, author)
    except DomainError as error:
        logger.warning("The note of an offer is in no directive", extra={"metadata": {"handoff": str(handoff_id), "error": error.code}})
        return handoff


@atomic
def _notify_agent(handoff: Handoff, author: Author) -> Handoff:
    note = "\n".join(filter(None, (regenerate.options_of(handoff).note, handoff.offer_note)))
    return package_edits.regenerate(team=handoff.team, handoff_id=handoff.id, author=author, changes={"note": note})
