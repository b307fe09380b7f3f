"""The directive of a stored handoff in the form that its reader takes, secrets masked."""

from typing import Any

from continuity.errors import Invalid
from handoffs.models import Handoff
from handoffs.packages import contract
from handoffs.packages.masking import masked
from handoffs.packages.model import Style
from handoffs.packages.outputs import Output, hook_text, json_document, system_text
from handoffs.services import handoffs


def expand_path(handoff: Handoff) -> str:
    return f"/api/v1/handoffs/{handoff.id}/expand"


def as_text(handoff: Handoff, *, output: Output, style: str = "") -> str:
    """Markdown, a system prompt, or what a hook may inject (at most 10,000 characters). Raises Invalid on an unknown style."""
    if output is Output.HOOK:
        if style and style not in list(Style):
            raise Invalid(f"style must be one of {', '.join(Style)}.", field="style")
        # Masked before it is measured: a mark may be longer than what it hides.
        return hook_text(masked(contract.from_contract(handoff.package)), Style(style or handoff.style), expand_path(handoff))
    text = handoffs.directive_text(handoff, style=style)
    return system_text(text, expand_path(handoff)) if output is Output.SYSTEM else text


def as_document(handoff: Handoff, *, max_reminder_count: int | None = None) -> dict[str, Any]:
    """CONT-01's ContinuationDirective with the lines behind it."""
    return json_document(masked(contract.from_contract(handoff.package)), max_reminder_count)
