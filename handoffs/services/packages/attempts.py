"""Outcomes of attempts to prepare or to resume: their time, and that they failed although the transaction was undone."""

import logging
import time
from collections.abc import Mapping
from types import TracebackType
from typing import Any, Self
from uuid import UUID

from django.db import DatabaseError, transaction

from continuity.core.errors import DomainError, Fenced
from continuity.models import Team
from continuity.services.events import events

logger = logging.getLogger("continuity.handoffs")


class AttemptTimer:
    """A clock that starts when it is made, and a context that tells of an error leaving it, which it lets go on.

    Nothing is told before `admit`, nor of an agent's instance that is over: a request that is refused was no attempt. `reason` in the
    event's payload is the error's code, or its class. A log line says what a `DomainError` says, and of others only their class: they may
    hold text.
    """

    def __init__(self, *, failure: str, log: str, team: Team, subject_id: UUID, payload: Mapping[str, Any]) -> None:
        self.failure, self.log, self.team, self.subject_id, self.payload = failure, log, team, subject_id, payload
        self.started = time.perf_counter()
        self.admitted = False

    def admit(self) -> None:
        self.admitted = True

    @property
    def milliseconds(self) -> float:
        return round((time.perf_counter() - self.started) * 1000, 2)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if not self.admitted or not isinstance(error, Exception) or isinstance(error, Fenced):
            return
        said = error.detail if isinstance(error, DomainError) else type(error).__name__
        reason = error.code if isinstance(error, DomainError) else type(error).__name__
        logger.error(self.log, self.payload["conversation_id"], said, extra={"metadata": {**self.payload, "error_message": said}})
        if not isinstance(error, DatabaseError):  # A store that failed takes no event either.
            told = {**self.payload, "reason": reason, "duration_ms": self.milliseconds}
            with transaction.atomic():
                events.publish(name=self.failure, team=self.team, subject_id=self.subject_id, payload=told, critical=True)
