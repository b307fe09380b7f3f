"""Markdown as HTML that is safe to show: no HTML of the text's own, no pictures, no scripts, no styles, links only to the web.

CommonMark with tables and struck-through words, in which a line's end is a line's end, since people write so. Headings become
paragraphs: those of a page are the page's own. Source: CommonMark 0.31.
"""

from collections.abc import Sequence
from functools import lru_cache

import nh3
from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from markdown_it.utils import EnvType, OptionsDict

from continuity.rendering import highlighting

# What is longer, or opens more brackets, is shown as it is: a reader of Markdown looks for the end of each from where it opens.
LONGEST, BRACKETS = 12_000, 800
KEPT = 400  # rendered texts, a few megabytes: most pages of a transcript are looked at more than once

_TAGS = set("a blockquote br code del em hr li ol p pre s span strong table tbody td th thead tr ul".split())  # noqa: SIM905
_ATTRIBUTES = {"a": {"href"}, "code": {"class"}, "ol": {"start"}, "p": {"class"}, "span": {"class"}}
_SCHEMES = {"http", "https", "mailto"}
_LINK = "nofollow noopener noreferrer"


def _heading(self: RendererHTML, tokens: Sequence[Token], at: int, options: OptionsDict, env: EnvType) -> str:
    return '<p class="heading"><strong>' if tokens[at].nesting > 0 else "</strong></p>\n"


_READER = MarkdownIt("commonmark", {"html": False, "breaks": True, "maxNesting": 20, "highlight": highlighting.highlighted})
_READER.enable(["table", "strikethrough"]).disable(["image", "lheading"])
_READER.add_render_rule("heading_open", _heading)
_READER.add_render_rule("heading_close", _heading)


@lru_cache(maxsize=KEPT)
def rendered(text: str) -> str | None:
    """The text as safe HTML; None where it is too long to be read as Markdown."""
    if len(text) > LONGEST or text.count("[") + text.count("<") > BRACKETS:
        return None
    return nh3.clean(_READER.render(text), tags=_TAGS, attributes=_ATTRIBUTES, url_schemes=_SCHEMES, link_rel=_LINK)
