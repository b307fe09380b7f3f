"""Codex's rollout files: one JSON record a line, a response item, an event or a note on the turn."""

from continuity.transcripts.codex.reader import FORMAT

__all__ = ["FORMAT"]
