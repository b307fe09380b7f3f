"""Gives the worker's main process the correlation id of a task that another process runs, for its log lines."""

from __future__ import annotations

from typing import Any

from celery.worker.request import Request

from config.task_context import HEADER
from continuity.core.correlation import correlated


class CorrelatedRequest(Request):
    def on_timeout(self, soft: bool, timeout: float) -> Any:
        with correlated(self._given_id()):
            return super().on_timeout(soft, timeout)

    def on_failure(self, *arguments: Any, **how: Any) -> Any:
        with correlated(self._given_id()):
            return super().on_failure(*arguments, **how)

    def _given_id(self) -> str:
        return str(self.request_dict.get(HEADER) or "")
