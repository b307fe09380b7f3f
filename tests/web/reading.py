"""Reads HTML as a browser does, for rules that every page keeps."""

from __future__ import annotations

from dataclasses import dataclass
from html.parser import HTMLParser

VOID = frozenset(["area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"])


@dataclass(slots=True)
class Element:
    tag: str
    attributes: dict[str, str]
    inside: tuple[str, ...] = ()
    text: str = ""


class Document(HTMLParser):
    """All elements in order; `astray` names tags whose end is missing or out of place."""

    def __init__(self) -> None:
        super().__init__()
        self.elements: list[Element] = []
        self.astray: list[str] = []
        self.open: list[Element] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        element = Element(tag, {name: value or "" for name, value in attrs}, tuple(outer.tag for outer in self.open))
        self.elements.append(element)
        if tag not in VOID:
            self.open.append(element)

    def handle_endtag(self, tag: str) -> None:
        if self.open and self.open[-1].tag == tag:
            self.open.pop()
        else:
            self.astray.append(tag)

    def handle_data(self, data: str) -> None:
        for element in self.open:
            element.text += data

    def all(self, *tags: str) -> list[Element]:
        return [element for element in self.elements if element.tag in tags]


def read(html: bytes) -> Document:
    document = Document()
    document.feed(html.decode())
    document.astray.extend(element.tag for element in document.open)
    return document
