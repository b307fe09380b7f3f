"""Context of every task: the correlation id of whoever queued it, a connection to the database that is kept from task to task, and a
worker that never outlives its parent."""

from __future__ import annotations

import os
import signal
from typing import Any

from celery import Task, signals
from django.db import connections
from psycopg.pq import TransactionStatus

from config.embedded.exec_as import die_with_parent
from config.embedded.leftovers import MARK
from continuity.core.correlation import correlated, current_correlation_id

HEADER = "continuity_correlation_id"
# A pool process keeps its connection for so long: making one takes longer than most tasks.
KEPT_SECONDS = 60
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


@signals.task_prerun.connect(weak=False)
@signals.task_postrun.connect(weak=False)
def keep_connections(task: Any = None, **_: Any) -> None:
    """Close what is broken, older than KEPT_SECONDS, or was left inside a transaction; what is kept is tried before it is used again."""
    if task is None or task.request.is_eager:
        return
    for connection in connections.all(initialized_only=True):
        raw = connection.connection
        if raw is not None and not raw.closed and raw.info.transaction_status is not TransactionStatus.IDLE:
            connection.close()
        else:
            connection.close_if_unusable_or_obsolete()


class CorrelatedTask(Task[Any, Any]):
    """A task of which the worker's main process tells with its correlation id too: that it took too long, or lost its process."""

    abstract = True
    Request = "config.worker_request:CorrelatedRequest"


@signals.worker_init.connect(weak=False)
def get_ready(**_: Any) -> None:
    """Loads what tasks need in the main process, whose memory the pool's processes share."""
    from continuity.knowledge.rules.catalogue import RULES

    RULES.load()


@signals.worker_process_init.connect(weak=False)
def bind_to_parent(**_: Any) -> None:
    """A pool process whose worker was killed must not go on beside the worker's replacement."""
    if os.environ.get(MARK):
        die_with_parent(signal.SIGKILL)


@signals.worker_process_init.connect(weak=False)
def let_connections_last(**_: Any) -> None:
    """Only in the processes that do tasks: a command, or the worker's main process, keeps none."""
    for settings in connections.settings.values():
        settings["CONN_MAX_AGE"] = KEPT_SECONDS


@signals.worker_process_init.connect(weak=False)
def trace_tasks(**_: Any) -> None:
    """Exporting threads do not survive a fork: each pool process starts its own."""
    from config import telemetry

    telemetry.configure_from_environment("worker")
