"""The third step of stopping (FR-054): whether all that was acknowledged is kept, asked of the store when nobody writes any more.

Nothing has to be carried from memory into the store then: every write was committed before it was acknowledged. What is asked for is the
proof: a commit that is on the disk, behind all others, and the conversations that were live.
"""

from __future__ import annotations

import logging
import time

import psycopg

from continuity.agents.statuses import LIVE, AgentStatus
from continuity.groups.model import GroupStatus

logger = logging.getLogger("config.supervision.supervisor")

SECONDS = 5
ATTEMPTS = 2
PAUSE_SECONDS = 1.0
STATUSES = sorted(status.value for status in LIVE | {AgentStatus.REGISTERED})
_LIVE = """
SELECT count(*) FROM (
    SELECT working_on_id FROM continuity_agent WHERE status = ANY(%s) AND working_on_id IS NOT NULL
    UNION SELECT conversation_id FROM continuity_group WHERE status = %s
) AS conversations
"""


def keep(database_url: str) -> int | None:
    """How many live conversations of agents are kept; None where the store does not say so, asked twice."""
    for attempt in range(1, ATTEMPTS + 1):
        try:
            return _kept(database_url)
        except psycopg.Error as error:
            told = {"error": type(error).__name__, "attempt": attempt}
            logger.error("The store does not keep the state of conversations", extra={"metadata": told})
            if attempt < ATTEMPTS:
                time.sleep(PAUSE_SECONDS)
    logger.critical("Stopping without the store's word that all is kept: exit code 1")
    return None


def _kept(database_url: str) -> int:
    options = f"-c statement_timeout={SECONDS * 1000} -c synchronous_commit=on"
    with psycopg.connect(database_url, connect_timeout=SECONDS, options=options, tcp_user_timeout=SECONDS * 1000) as connection:
        row = connection.execute(_LIVE, [STATUSES, GroupStatus.ACTIVE.value]).fetchone()
        connection.execute("SELECT pg_logical_emit_message(true, 'continuity', 'Stopping')")
        connection.commit()
    return int(row[0]) if row else 0
