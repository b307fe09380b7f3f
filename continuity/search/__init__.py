"""Finding words again: how text is divided for the index, what a query means, and what is shown of a hit. Pure."""

from continuity.search.excerpts import Excerpt, excerpt
from continuity.search.queries import Query, Term, parse
from continuity.search.wording import indexed, tool_word, tools_of, words_of_parts

__all__ = ["Excerpt", "Query", "Term", "excerpt", "indexed", "parse", "tool_word", "tools_of", "words_of_parts"]
