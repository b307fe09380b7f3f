"""Checking a stored package again, against its conversation as it is now (CONT-06's ValidateAsync)."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from continuity.models import Team
from continuity.services.accounts import gates
from continuity.services.recording import conversations
from handoffs.contract.model import FidelityReport
from handoffs.models import Handoff
from handoffs.services.edits import regenerate
from handoffs.services.packages import handoffs, preparation, probe_bank

GATE = "Agents.Continuity.Model"


@dataclass(frozen=True, slots=True)
class PackageValidation:
    """The check of a package as it would come out now; `messages_since` were said after those that it covers."""

    handoff: Handoff
    report: FidelityReport
    messages_since: int


def validate(*, team: Team, handoff_id: UUID) -> PackageValidation:
    """Holds the package's text against what its conversation's messages give now; nothing about the package is changed.

    What was said since it was made counts as missing, as does what people decided about lines since. Raises NotFound, HandoffGone,
    SessionInvalidated, GateClosed.
    """
    gates.require(team, GATE)
    handoff = handoffs.get(team=team, handoff_id=handoff_id)
    conversations.check_usable(handoff.conversation)
    if not probe_bank.is_current(handoff.conversation):
        probe_bank.gather(conversation_id=handoff.conversation_id)
    conversation = conversations.get(team=team, conversation_id=handoff.conversation_id)
    options, steering = regenerate.options_of(handoff), regenerate.steering_of(handoff)
    report = preparation.check(conversation=conversation, options=options, handoff_id=handoff.id, steering=steering, text=handoff.text)
    return PackageValidation(handoff, report, max(0, conversation.last_seq - handoff.through_seq))
