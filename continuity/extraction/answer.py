"""Reading the JSON of an answer, whatever a model or server put there."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

LONGEST = 256 * 1024  # characters of an answer
LISTS = ("anchors", "tasks", "settled")


class BadAnswer(Exception):
    """The endpoint answered, but nothing of the answer can be used; asking again would give the same."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


def parse(text: str) -> Any:
    """The JSON value of `text`. Raises BadAnswer, also where it is nested too deeply or holds a number too long to read."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        raise BadAnswer("not JSON") from None


def read_answer(text: str) -> Mapping[str, Any]:
    """The object in an answer; prose or a code fence around it is passed over. Raises BadAnswer.

    Lists that are left out count as empty; what is in them is checked item by item.
    """
    if len(text) > LONGEST:
        raise BadAnswer("too long")
    start, end = text.find("{"), text.rfind("}")
    if start < 0 or end < start:
        raise BadAnswer("not JSON")
    answer = parse(text[start : end + 1])
    if not isinstance(answer, dict) or not any(name in answer for name in (*LISTS, "summary")):
        raise BadAnswer("wrong shape")
    if not all(isinstance(answer.get(name, []), list) for name in LISTS) or not isinstance(answer.get("summary", ""), str):
        raise BadAnswer("wrong shape")
    return answer
