"""Commands that resume a handoff in the common tools. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass

# The id of an element, the name, the program, and what it needs before its first words where it is to stay.
TOOLS = (
    ("claude-code", "Claude Code", "claude", ""),
    ("codex", "Codex", "codex", ""),
    ("gemini-cli", "Gemini CLI", "gemini", "--prompt-interactive "),
)


@dataclass(frozen=True, slots=True)
class ResumeCommand:
    """`name` is part of an element's id, `text` what is pasted into a terminal."""

    name: str
    label: str
    text: str


def commands(handoff_id: str, *, resumed: bool, site: str) -> Sequence[ResumeCommand]:
    """One for each tool. What was resumed already is only read again: to resume it once more would open a branch."""
    read = f"{site}/api/v1/handoffs/{handoff_id}/directive"
    again = f'"$(continuity resume {handoff_id} --print)"'
    return [
        *(
            ResumeCommand(name, label, f"{tool} {option}{again}" if resumed else f"continuity start {tool} {handoff_id}")
            for name, label, tool, option in TOOLS
        ),
        ResumeCommand("plain", "Any other tool", f"continuity resume {handoff_id} {'--print' if resumed else '--copy'}"),
        ResumeCommand("curl", "Only read it, without the client", f'curl -sH "Authorization: Bearer $CONTINUITY_API_KEY" {read}'),
    ]
