"""How large a conversation's context window is, and from where that is known. Pure."""

from continuity.windows.evidence import Evidence, Window, WindowSource, resolve
from continuity.windows.sizes import size_of

__all__ = ["Evidence", "Window", "WindowSource", "resolve", "size_of"]
