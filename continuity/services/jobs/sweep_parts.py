"""Doing the parts of a sweep one after the other, each whatever became of the others."""

import logging
from collections.abc import Callable

from django.db import connection

from continuity.services.jobs import lock_waits

logger = logging.getLogger("continuity.background")


def all_of(**parts: Callable[[], object]) -> None:
    """Does every part, in the order given. What fails is logged by the part's name; the first error is raised when all had their turn."""
    first: Exception | None = None
    for name, part in parts.items():
        try:
            part()
        except Exception as error:
            logger.exception("The part %s of a sweep failed; the others go on", name)
            first = first or error
            if lock_waits.is_lost() and not connection.in_atomic_block:
                connection.close()  # The next part connects anew.
    if first is not None:
        raise first
