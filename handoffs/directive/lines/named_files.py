"""Files that the person named in the request in work and that nobody opened since. With "@" before it a tool opens one itself."""

from __future__ import annotations

import re
from collections.abc import Sequence

from continuity.knowledge.language.sentences import lowered, split
from continuity.knowledge.model import FileTouch, Request, RequestKind

NAMED = 4  # told by name
LONGEST = 600  # characters of words that ask for something in the files they name; a plan or a paste names many

_FILE = re.compile(
    r"(?<![\w@:/.~-])(?:\.{1,2}/)*(?:(?:[\w.-]+/)+[\w.@-]+\.[A-Za-z]\w{0,5}"
    r"|[\w-]+\.(?:md|rst|txt|py|ts|tsx|jsx|go|rs|java|kt|rb|php|cc|cpp|cs|swift|sql|sh|ya?ml|toml|json|html|css|scss|vue|svelte|proto|tf|ini|cfg))"
    r"(?![\w/])"
)
_BEFORE = re.compile(r"^(?:\.{0,2}/)+")
_NAME = re.compile(r"[\w.@-]+(?:/[\w.@-]+)*")
_QUOTED = re.compile(r"[\"“][^\"”\n]*\s[^\"”\n]*[\"”]")  # words of a text, not what is asked for
_LEFT_ALONE = re.compile(r"\b(?:don'?t|do not|not|never|without|except|leave|ignore|unlike|like|nicht|ohne|pas|sans|sin)\b")


def not_opened(rows: Sequence[Request], files: Sequence[FileTouch]) -> list[str]:
    """Paths as the person wrote them; none before anything was done for the request, and none of a sentence that leaves files alone."""
    if not any(row.files for row in rows):
        return []
    opened = [file.path for file in files if file.last_seq >= rows[0].seq]
    asked = [row.text.text for row in rows if row.kind is not RequestKind.SUMMARY and len(row.text.text) <= LONGEST]
    said = [sentence.text for text in asked for sentence in split(text)]
    named = dict.fromkeys(path for text in said if not _LEFT_ALONE.search(lowered(text)) for path in _FILE.findall(_QUOTED.sub("", text)))
    return [path for path in named if not any(is_same_file(path, each) for each in opened)]


def files_named(text: str) -> list[str]:
    """Whatever in a text may be the path or the name of a file."""
    return [found.rstrip(".") for found in _NAME.findall(text)]


def is_same_file(named: str, path: str) -> bool:
    """Whether a path is meant by its end, or by a longer one that ends with it."""
    ends = _BEFORE.sub("", named)  # a folder's own dot is a part of its name
    return path == ends or path.endswith(f"/{ends}") or ends.endswith(f"/{path}")
