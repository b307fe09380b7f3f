"""The transcript formats that can be read, by name; a further one is a module with a FORMAT and a line here."""

from __future__ import annotations

from continuity.transcripts import (
    aider,
    anthropic_messages,
    claude_code,
    codex,
    copilot_cli,
    gemini_cli,
    openai_chat,
    opencode,
    roo_ui,
    specstory,
    swe_agent,
)
from continuity.transcripts.base.format import Format

FORMATS: dict[str, Format] = {
    known.name: known
    for known in (
        claude_code.FORMAT,
        codex.FORMAT,
        openai_chat.FORMAT,
        anthropic_messages.FORMAT,
        gemini_cli.FORMAT,
        copilot_cli.FORMAT,
        opencode.FORMAT,
        roo_ui.FORMAT,
        swe_agent.FORMAT,
        specstory.FORMAT,
        aider.FORMAT,
    )
}
