"""A transcript format: a name, a way to recognise it, and a parser of its records."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Protocol

from continuity.transcripts.base.model import Abandoned, Message, Report

Event = Message | Abandoned


class DocumentShape(StrEnum):
    """How a file holds its records."""

    LINES = "lines"  # one JSON value a line
    DOCUMENT = "document"  # one JSON list of them, or one JSON object with such a list
    TEXT = "text"  # plain text, such as Markdown, whose records are its lines


class Parser(Protocol):
    """Turns records into messages, one at a time; holds what it must know of earlier ones, and does no input or output."""

    def field(self, name: str, value: Any) -> Iterator[Event]:
        """Takes one of a document's own fields, beside its messages. A format without such fields leaves this as it is."""
        return iter(())

    def record(self, line: int, record: Any) -> Iterator[Event]:
        """Takes one decoded, clean record. Raises BadRecord where it is no record of this format."""
        ...

    def finish(self) -> Iterator[Event]:
        """Gives what was held back for records that did not come."""
        return iter(())


@dataclass(frozen=True, slots=True)
class Sample:
    """The beginning of a source: its first readable records, and the document's fields that stood before them."""

    shape: DocumentShape
    records: tuple[Any, ...] = ()
    fields: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Format:
    """`sniff` gives 0 for a sample that is not of this format, up to 100 for one that certainly is.

    `list_key` names the list of records where the format's document is an object; a `text` format has lines of plain text. `tool` is what
    people call the tool that writes it; empty for a form of messages that many programs share.
    """

    name: str
    sniff: Callable[[Sample], int]
    parser: Callable[[Report, int], Parser]
    list_key: str = "messages"
    text: bool = False
    tool: str = ""


def share(matching: int, total: int) -> int:
    """A score of 1 to 100 by how many records match; 0 where fewer than half do."""
    return round(100 * matching / total) if matching and matching * 2 >= total else 0
