"""How large a conversation's context window is, and from where that is known. Pure."""

from continuity.windows.evidence import ContextWindow, Evidence, WindowSource, resolve
from continuity.windows.sizes import size_of

__all__ = ["ContextWindow", "Evidence", "WindowSource", "resolve", "size_of"]
