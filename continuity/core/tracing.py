"""Spans around our own steps. Until a process is told where they go, a span is nothing, and no tracing library is imported."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Tracing:
    """`start` opens a span of a name as the current one, of the trace that a `traceparent` names where one is given; `trace_id` gives the
    current trace's id (32 hex digits), and `traceparent` what carries it on (W3C Trace Context), each "" outside of any."""

    start: Callable[[str, str], AbstractContextManager[Any]]
    trace_id: Callable[[], str]
    traceparent: Callable[[], str]


_in_use: list[Tracing] = []


def use(tracing: Tracing | None) -> None:
    """Send spans there from now on, or nowhere."""
    _in_use[:] = [tracing] if tracing else []


@contextmanager
def span(name: str, traceparent: str = "") -> Iterator[None]:
    """A step of ours, as a context or a decorator; its errors go on. `traceparent`: what caused it elsewhere."""
    if not _in_use:
        yield
        return
    with _in_use[0].start(name, traceparent):
        yield


def current_trace_id() -> str:
    return _in_use[0].trace_id() if _in_use else ""


def current_traceparent() -> str:
    return _in_use[0].traceparent() if _in_use else ""
