"""The size of a conversation's context window, and the source of that knowledge. Pure."""

from continuity.windows.evidence import ContextWindow, Evidence, WindowSource, resolve
from continuity.windows.sizes import size_of

__all__ = ["ContextWindow", "Evidence", "WindowSource", "resolve", "size_of"]
