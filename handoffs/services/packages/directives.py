"""The directive of a stored handoff in the form that its reader takes, secrets masked."""

from typing import Any

from continuity import secrets
from handoffs.building.masking import masked
from handoffs.contract import package_json
from handoffs.contract.model import Style
from handoffs.directive.outputs import HOOK_CHARS, DirectiveOutput, hook_text, json_document, system_text
from handoffs.models import Handoff
from handoffs.services.packages import handoffs


def as_text(handoff: Handoff, *, output: DirectiveOutput, style: str = "", characters: int = HOOK_CHARS) -> str:
    """Markdown, a system prompt, or what a hook may inject (at most `characters`). Raises Invalid on an unknown style."""
    text = handoffs.directive_text(handoff, style=style)
    if output is DirectiveOutput.HOOK:
        return text if len(text) <= characters else _for_hook(handoff, Style(style or handoff.style), characters)
    return system_text(text, str(handoff.id)) if output is DirectiveOutput.SYSTEM else text


def _for_hook(handoff: Handoff, style: Style, characters: int) -> str:
    package, limit = package_json.from_contract(handoff.package), characters
    # Only what goes out is searched for secrets; a mark may be longer than what it hides, and then less goes out.
    while len(text := secrets.mask_text(hook_text(package, style, str(handoff.id), limit))) > characters:
        limit -= len(text) - characters
    return text


def as_document(handoff: Handoff, *, max_reminder_count: int | None = None) -> dict[str, Any]:
    """CONT-01's ContinuationDirective with the lines behind it."""
    return json_document(masked(package_json.from_contract(handoff.package)), max_reminder_count)
