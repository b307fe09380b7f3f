"""Whose turn it is with a handoff, and what is to be done, in words."""

from dataclasses import dataclass
from uuid import UUID

from handoffs.models import Handoff, HandoffStatus


@dataclass(frozen=True, slots=True)
class HandoffTurn:
    """`resume` is whether it can be resumed now."""

    whose: str
    what: str
    resume: bool = False


def turn_of(handoff: Handoff, reader: UUID | None, *, alive: bool) -> HandoffTurn:
    """For the person who reads it; `alive` is whether its time is not over. No query."""
    mine = reader is not None and handoff.owner_id == reader
    who = "You" if mine else str(handoff.owner) if handoff.owner else "Whoever is free"
    if handoff.resumed_at is not None:
        return HandoffTurn("Nothing to do:", "it was resumed. It can be resumed again, as a branch.")
    if not alive:
        return HandoffTurn("Nothing to do:", "its time is over.")
    if handoff.status == HandoffStatus.WITHDRAWN:
        return HandoffTurn("Nothing to do:", "it is withdrawn.")
    if handoff.offered_to_id is not None and handoff.status != HandoffStatus.FAILED:
        return HandoffTurn(
            *(
                ("Your turn:", "accept or decline the offer.")
                if handoff.offered_to_id == reader
                else (f"Waiting for {handoff.offered_to}", "to accept or decline.")
            )
        )
    if handoff.status == HandoffStatus.DRAFT:
        return HandoffTurn("Your turn:" if mine else f"{who} is next:", "read the draft, change what is wrong, and make it ready.")
    if handoff.status == HandoffStatus.FAILED:
        return HandoffTurn("Your turn:" if mine else f"{who} is next:", "its check failed; make it again with a larger budget.")
    return HandoffTurn("Your turn:" if mine else f"{who} can continue:", "it is ready to be resumed.", resume=True)
