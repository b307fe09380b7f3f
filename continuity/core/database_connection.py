"""A connection to Postgres on which nobody waits for ever: a server that hangs keeps its sockets open and never says a word."""

from __future__ import annotations

from typing import Any, TypeVar

from django.conf import settings
from psycopg import Connection, OperationalError
from psycopg.abc import PQGen
from psycopg.errors import _WaitTimeout

from continuity.core import deadlines

V = TypeVar("V")

# How long a connection from the pool may take to show that it still answers.
CHECK_SECONDS = 2.0


class DoesNotAnswer(OperationalError):
    """Postgres did not answer before the deadline of the work at hand. The connection is closed, which rolls back."""


class BoundedConnection(Connection[Any]):
    """Waits until the deadline of the work at hand, and where it has none for as long as a request may take."""

    def wait(self, gen: PQGen[V], interval: float = 0.1, timeout: float | None = None) -> V:
        """Raises DoesNotAnswer. An answer that comes later would be taken for that of the next question, so nothing is asked again."""
        longest = deadlines.remaining_seconds(settings.CONTINUITY_REQUEST_SECONDS)
        try:
            return super().wait(gen, interval, longest if timeout is None else min(timeout, longest))
        except _WaitTimeout as late:
            if timeout is not None and timeout <= longest:
                raise
            self.close()
            raise DoesNotAnswer("Postgres did not answer in time") from late

    def execute(self, query: Any, *arguments: Any, **how: Any) -> Any:
        """An empty statement is how the pool asks whether the connection still answers, before it gives it to anybody."""
        if query != "":
            return super().execute(query, *arguments, **how)
        with deadlines.at_most(CHECK_SECONDS):
            return super().execute(query, *arguments, **how)
