"""Aider's chat history, a Markdown file to which every session of a folder is appended."""

from continuity.transcripts.aider.reader import FORMAT

__all__ = ["FORMAT"]
