"""Words of one line as safe HTML: what stands between backticks is code, all else is as it was written."""

import re
from html import escape

_CODE = re.compile(r"`([^`\n]+)(?:`|\Z(?<=…))")  # where the words were cut off, to their end


def with_code(text: str) -> str:
    """The text as HTML, with nothing in it but `code` elements. Backticks without a partner stay."""
    pieces = _CODE.split(text)
    return "".join(f"<code>{escape(piece)}</code>" if place % 2 else escape(piece) for place, piece in enumerate(pieces))
