"""Facts in the name of a file: its folder, whether it is a test, what it is a test of."""

from __future__ import annotations

import re

_TEST = re.compile(r"(?:^|[/_.-])(?:tests?|specs?|__tests__)(?:[/_.-]|$)|(?<=[a-z0-9])(?:Tests?|Spec)\.[a-z]+$")
_MARKS = re.compile(r"^test_|_(?:test|spec|tests)$|(?<=[a-z0-9])(?:Tests?|Spec)$")


def folder_of(path: str) -> str:
    return path.rpartition("/")[0]


def name_of(path: str) -> str:
    return path.rpartition("/")[2]


def is_test(path: str) -> bool:
    return bool(_TEST.search(path))


def topic_of(path: str) -> str:
    """The name without endings and without what marks a test: `parser` of `parser.py`, `test_parser.py` and `parser.test.ts`."""
    name = name_of(path)
    return _MARKS.sub("", name if name.startswith(".") else name.partition(".")[0])
