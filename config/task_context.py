"""Context of every task: the correlation id of whoever queued it, and a worker that never outlives its parent."""

from __future__ import annotations

import os
import signal
from typing import Any

from celery import Task, signals

from config.embedded.exec_as import die_with_parent
from config.embedded.leftovers import MARK
from continuity.core.correlation import correlated, current_correlation_id

HEADER = "continuity_correlation_id"
_open: dict[str, Any] = {}


@signals.before_task_publish.connect(weak=False)
def send_correlation_id(headers: dict[str, Any] | None = None, **_: Any) -> None:
    """Put the id at hand into the message (a retry keeps the one it came with)."""
    if headers is not None:
        headers[HEADER] = current_correlation_id()


@signals.task_prerun.connect(weak=False)
def enter_correlation(task_id: str = "", task: Any = None, **_: Any) -> None:
    # A worker merges a message's headers into the request; a task applied in place keeps them apart.
    given = task.request.get(HEADER) or (task.request.headers or {}).get(HEADER)
    context = correlated(str(given or ""))
    context.__enter__()
    _open[task_id] = context


@signals.task_postrun.connect(weak=False)
def leave_correlation(task_id: str = "", **_: Any) -> None:
    context = _open.pop(task_id, None)
    if context is not None:
        context.__exit__(None, None, None)


class CorrelatedTask(Task[Any, Any]):
    """A task of which the worker's main process tells with its correlation id too: that it took too long, or lost its process."""

    abstract = True
    Request = "config.worker_request:CorrelatedRequest"


@signals.worker_process_init.connect(weak=False)
def bind_to_parent(**_: Any) -> None:
    """A pool process whose worker was killed must not go on beside the worker's replacement."""
    if os.environ.get(MARK):
        die_with_parent(signal.SIGKILL)


@signals.worker_process_init.connect(weak=False)
def trace_tasks(**_: Any) -> None:
    """Exporting threads do not survive a fork: each pool process starts its own."""
    from config import telemetry

    telemetry.configure_from_environment("worker")
