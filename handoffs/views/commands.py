"""Commands that resume a handoff in the common tools. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ResumeCommand:
    """`name` is part of an element's id, `text` what is pasted into a terminal."""

    name: str
    label: str
    text: str


def commands(handoff_id: str, *, resumed: bool, site: str) -> Sequence[ResumeCommand]:
    """One for each tool. What was resumed already is only read again: to resume it once more would open a branch."""
    of_tool = "--print" if resumed else "--tool {}"
    read = f"{site}/api/v1/handoffs/{handoff_id}/directive"
    return [
        ResumeCommand("claude-code", "Claude Code", f'claude "$(continuity resume {handoff_id} {of_tool.format("claude-code")})"'),
        ResumeCommand("codex", "Codex", f'codex "$(continuity resume {handoff_id} {of_tool.format("codex")})"'),
        ResumeCommand("plain", "Any other tool", f"continuity resume {handoff_id} {'--print' if resumed else '--copy'}"),
        ResumeCommand("curl", "Only read it, without the client", f'curl -sH "Authorization: Bearer $CONTINUITY_API_KEY" {read}'),
    ]
