"""Short titles that a person understands."""

from __future__ import annotations

from collections.abc import Sequence

from continuity.knowledge.language.blocks import BlockKind
from continuity.knowledge.language.content_words import content
from continuity.knowledge.language.sentences import plain, split
from continuity.secrets import mask_text

LONGEST = 90
READ = 2000  # characters of a text in which a title is looked for
TELLING = 3  # content words that make a sentence a title
FILES = 3


def title_of(text: str) -> str:
    """The first sentence that says something, on one line and without secrets; nothing where none does."""
    # Masked before it is cut and made plain: a secret may be told by the words and signs around it.
    for sentence in split(mask_text(text[:READ])) if text else ():
        leads_on = sentence.text.rstrip(" *_").endswith(":")
        if sentence.kind is not BlockKind.ROW and not leads_on and len(content(sentence.text, TELLING)) >= TELLING:
            return shortened(plain(sentence.text))
    return ""


def shortened(text: str) -> str:
    """The text within LONGEST characters, cut at a word with a mark."""
    if len(text) <= LONGEST:
        return text
    return text[: LONGEST - 1].rsplit(" ", 1)[0].rstrip(" ,;:.-") + "…"


def topic(asked: str, told: str, files: Sequence[str], first_seq: int, last_seq: int) -> str:
    """A segment's title: what the person asked; without that the files worked on, or what the agent said first."""
    if asked:
        return asked
    if files:
        names = list(dict.fromkeys(path.rsplit("/", 1)[-1] for path in files))
        return shortened(f"Work on {', '.join(names[:FILES])}" + (f" and {len(names) - FILES} more" if len(names) > FILES else ""))
    return told or (f"Message {first_seq}" if first_seq == last_seq else f"Messages {first_seq} to {last_seq}")
