"""Reading a stored handoff, and its directive as the caller may see it."""

from uuid import UUID

from continuity import secrets
from continuity.core.errors import HandoffGone, Invalid, NotFound
from continuity.models import Conversation, Team
from continuity.services.recording import stored_rows
from continuity.services.recording.stored_rows import Columns, JoinedColumns
from continuity.transcripts.base.sanitise import clean_text
from handoffs.contract import package_json
from handoffs.contract.model import FidelityReport, Style
from handoffs.directive.directive import render
from handoffs.models import Handoff, HandoffChain, HandoffTombstone

_WITH_CHAIN = JoinedColumns(
    Columns(Handoff, name="handoff"), conversation=Columns(Conversation, name="conversation"), chain=Columns(HandoffChain, name="chain")
)
_OF_TEAM = f"""
SELECT {_WITH_CHAIN.sql} FROM session_handoffs AS handoff
JOIN continuity_conversation AS conversation ON conversation.id = handoff.conversation_id
JOIN handoff_chains AS chain ON chain.id = handoff.chain_id
WHERE handoff.team_id = %s AND handoff.id = %s
"""  # noqa: S608  our own names


def get(*, team: Team, handoff_id: UUID) -> Handoff:
    """The team's handoff with its conversation and chain. Raises NotFound, or HandoffGone (410) where it was deleted."""
    for values in stored_rows.found(_OF_TEAM, [team.id, handoff_id]):
        found = _WITH_CHAIN.row(values)
        found.team = team
        return found
    tombstone = HandoffTombstone.objects.filter(team=team, id=handoff_id).first()
    if tombstone is not None:
        raise HandoffGone(reason=tombstone.reason, deleted_at=f"{tombstone.deleted_at:%Y-%m-%d}")
    raise NotFound(noun="handoff")


def latest_for(*, team: Team, conversation: Conversation) -> Handoff | None:
    """The most recent handoff of the conversation (GetLatestForConversationAsync)."""
    return Handoff.objects.visible_to(team).filter(conversation=conversation).order_by("-created_at").first()


def report_of(handoff: Handoff) -> FidelityReport:
    """The check of the package as it is."""
    return package_json.report_from_contract(handoff.fidelity)


def directive_text(handoff: Handoff, *, style: str = "") -> str:
    """The directive, in the style it was prepared in or in another, with its secrets masked. Raises Invalid on an unknown style."""
    if not style or style == handoff.style:
        spans = [secrets.SecretSpan(span["start"], span["end"], span["kind"]) for span in handoff.secrets]
        # Looked for again: detectors have learned since the package was made.
        return clean_text(secrets.mask(handoff.text, [*spans, *secrets.find(handoff.text)]))
    if style not in list(Style):
        raise Invalid(f"style must be one of {', '.join(Style)}.", field="style")
    return secrets.mask_text(render(package_json.from_contract(handoff.package), Style(style)))
