"""When two lines of packages say the same: the folder in front of a path makes no difference, nor does the order of a list. Pure."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable

from continuity.knowledge.directive_parser.grammar import ABOUT_FILE, CARRIED_OUT, OVERTAKEN, PROBABLY
from handoffs.contract.model import PackageItem, SectionKind
from handoffs.directive.lines.wording import normalise

LISTS = frozenset(("uncommitted", "unknown"))  # labels of lines that are a list of files
SHALLOWEST = 2  # names in a folder that counts as somebody's: "/home" is none


class Folders:
    """The folders in which the sessions of a chain worked, each perhaps on another person's machine."""

    def __init__(self, folders: Iterable[str] = ()) -> None:
        known = {folder.rstrip("/\\") for folder in folders}
        deep = sorted((each for each in known if len(re.findall(r"[^/\\]+", each)) >= SHALLOWEST), key=lambda each: (-len(each), each))
        self._found = re.compile(rf"(?<![\w./\\-])(?:{'|'.join(map(re.escape, deep))})(?:(?P<into>[/\\])|(?![\w.-]))") if deep else None

    def without(self, text: str) -> str:
        """The text with paths as seen from these folders; a folder itself by its own name."""
        return self._found.sub(_inside, text) if self._found else text


def statement(kind: SectionKind, item: PackageItem, folders: Folders) -> Hashable:
    """The statement of a line, whatever its section is called."""
    text = OVERTAKEN.sub("", folders.without(item.text).removesuffix(CARRIED_OUT))
    if item.label in LISTS:
        return "files", frozenset(text.replace(PROBABLY, ", ").split(", "))
    return kind is SectionKind.FILES, normalise(text)


def subject(kind: SectionKind, item: PackageItem, folders: Folders) -> Hashable:
    """The subject of a line: of a file its path, of anything else what it says."""
    if kind is SectionKind.FILES:
        return SectionKind.FILES, folders.without(item.text.partition(ABOUT_FILE)[0])
    return statement(kind, item, folders)


def _inside(found: re.Match[str]) -> str:
    return "" if found["into"] else re.split(r"[/\\]", found[0])[-1]
