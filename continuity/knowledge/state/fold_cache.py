"""Answers about the same words, kept while a fold lasts: a sentence is asked about by a dozen rules, a word stands in many.

Nothing is kept between folds: what is erased must not live on in a process.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import Any, TypeVar

T = TypeVar("T")

MOST = 1_000  # answers of one function
LONGEST = 2_000  # characters of a text that is worth it


class _Kept(threading.local):
    """The answers of one function in one thread, or None where no fold is going on."""

    answers: dict[str, Any] | None = None


_EVERY: list[_Kept] = []


def cached(function: Callable[[str], T], *, most: int = MOST, longest: int = LONGEST) -> Callable[[str], T]:
    """A pure function of a text whose answers, which nobody may change, are kept within `remembering`."""
    kept = _Kept()
    _EVERY.append(kept)

    @wraps(function)
    def asked(text: str) -> T:
        answers = kept.answers
        if answers is None or len(text) > longest:
            return function(text)
        if text in answers:
            known: T = answers[text]
            return known
        answer = function(text)
        if len(answers) >= most:
            answers.clear()
        answers[text] = answer
        return answer

    return asked


@contextmanager
def remembering() -> Iterator[None]:
    """Keep the answers given in this thread, and forget them at the end."""
    for kept in _EVERY:
        kept.answers = {}
    try:
        yield
    finally:
        for kept in _EVERY:
            kept.answers = None
