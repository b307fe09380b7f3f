"""Handing work to the Celery workers, by task name. Whatever is lost here a sweep finds again."""

import logging
from typing import Any

from celery import current_app
from django.db import transaction
from kombu.exceptions import OperationalError

from continuity.core.correlation import current_correlation_id
from continuity.services.jobs import broker

logger = logging.getLogger("continuity.broker")


def send(task: str, *args: Any, once_in: int = 0) -> None:
    """Sends a task when the transaction commits. With `once_in` seconds, a same call within that time is dropped.

    Never fails: the rows that the task works on say themselves that there is work, and beat's sweeps look at them.
    """
    # No partial: of a robust one that fails Django tells the name, which a partial does not have.
    transaction.on_commit(lambda: _send(task, args, once_in), robust=True)


def _send(task: str, args: tuple[Any, ...], once_in: int) -> None:
    def work(client: broker.Client) -> None:
        # Asked first in either case: this client gives up in half a second where Celery's would wait for longer.
        if not once_in:
            client.ping()
        elif not client.set(f"continuity:once:{task}:{args}", 1, nx=True, ex=once_in):
            return
        headers = {"correlation_id": current_correlation_id()}
        try:
            current_app.send_task(task, args=args, countdown=once_in or None, retry=False, headers=headers)
        except OperationalError:
            logger.warning("Could not send %s; a sweep will", task)

    broker.try_call(work)


def prepare() -> None:
    """Loads what sending takes, without a connection: looking for it took most of the first request that sent a task."""
    current_app.backend  # noqa: B018  a property that loads
    current_app.amqp.queues  # noqa: B018
    current_app.connection_for_write().transport  # noqa: B018
