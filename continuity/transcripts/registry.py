"""The transcript formats that can be read, by name; a further one is a module with a FORMAT and a line here."""

from __future__ import annotations

from continuity.transcripts import anthropic_messages, claude_code, codex, openai_chat
from continuity.transcripts.format import Format

FORMATS: dict[str, Format] = {
    known.name: known for known in (claude_code.FORMAT, codex.FORMAT, openai_chat.FORMAT, anthropic_messages.FORMAT)
}
