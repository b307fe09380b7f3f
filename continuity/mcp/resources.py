"""The resources (handoffs and chains, by address) and the prompt that begins a session with a directive."""

from __future__ import annotations

import json
from typing import Annotated, Any

from pydantic import Field

from continuity.mcp.tool_clients import asking, handoff_of

LISTED = 20


def recent_handoffs() -> str:
    """The team's latest handoffs, the newest first, with their ids."""
    with asking() as client:
        found = client.handoffs(limit=LISTED)
    return _json(
        [{name: each.get(name) for name in ("id", "conversation_id", "chain_id", "status", "summary", "created_at")} for each in found]
    )


def handoff(handoff_id: str) -> str:
    """A handoff with its whole package."""
    with asking() as client:
        return _json(client.handoff(handoff_id))


def handoff_directive(handoff_id: str) -> str:
    """The directive of a handoff for the next session."""
    with asking() as client:
        return client.directive(handoff_id)


def chain(chain_id: str) -> str:
    """Handoffs that continue one another, in their order; also by the id of a conversation of theirs."""
    with asking() as client:
        return _json(client.chain(chain_id))


def resume_prompt(handoff: Annotated[str, Field(description="Id of the handoff; without it the latest that is ready.")] = "") -> str:
    """Begin this session with what the last one handed over."""
    with asking() as client:
        chosen = handoff_of(client, handoff, "", status="ready")
        told = client.directive(chosen)
    return f"{told}\n\nFirst take this over with the tool `resume` (handoff {chosen}), then continue from where it stopped."


def _json(value: Any) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False)
