"""Claude Code's session files: one JSON record a line, each with its own id and its parent's."""

from continuity.transcripts.claude_code.reader import FORMAT

__all__ = ["FORMAT"]
