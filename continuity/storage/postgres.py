"""Sessions and values as rows of Postgres: the default, with all that is known of transactions and back-ups."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.db import DatabaseError, InterfaceError, OperationalError, connection
from django.db.models import Count, Max, Min, QuerySet, Sum
from django.db.models.functions import Length

from continuity.models import StoredState
from continuity.storage.adapter import StorageAdapter, StoredValue, away_on
from continuity.storage.sessions import Encoding, OlderWriter, SessionState, StorageHealth, StorageStats, StoredSession

SESSION, VALUE = "session", "value"
# The writer's epoch is compared by the statement that writes: a row comes back only where it wrote.
_SAVE = """
INSERT INTO continuity_storedstate (kind, key, team_id, conversation_id, state, epoch, encoding, body, saved_at)
VALUES ('session', %s, %s, %s, %s, %s, %s, %s, %s)
ON CONFLICT (kind, key) DO UPDATE SET
    team_id = excluded.team_id, conversation_id = excluded.conversation_id, state = excluded.state, epoch = excluded.epoch,
    encoding = excluded.encoding, body = excluded.body, saved_at = excluded.saved_at
WHERE continuity_storedstate.epoch <= excluded.epoch
RETURNING epoch
"""
_FENCE = """
INSERT INTO continuity_storedstate (kind, key, team_id, conversation_id, state, epoch, encoding, body, saved_at)
VALUES ('session', %s, %s, %s, %s, %s, %s, %s, %s)
ON CONFLICT (kind, key) DO UPDATE SET epoch = excluded.epoch WHERE continuity_storedstate.epoch <= excluded.epoch
RETURNING epoch
"""

_telling = away_on(OperationalError, InterfaceError, what="Postgres")


class PostgresStorageAdapter(StorageAdapter):
    """Within the caller's transaction, where there is one."""

    def _open(self) -> None:
        return

    def close(self) -> None:
        """Connections are Django's."""

    def health_check(self) -> StorageHealth:
        try:
            StoredState.objects.only("id").first()
        except DatabaseError as error:
            return StorageHealth(False, type(error).__name__)
        return StorageHealth(True)

    @_telling
    def _write_session(self, session: StoredSession) -> None:
        self._upsert(_SAVE, session)

    @_telling
    def _fence(self, session: StoredSession) -> StoredSession:
        self._upsert(_FENCE, session)
        return self._read_session(session.id) or session

    def _upsert(self, statement: str, session: StoredSession) -> None:
        owners = [session.team, session.conversation]
        told = [session.id, *owners, session.state.value, session.epoch, session.encoding.value, session.body, session.saved_at]
        with connection.cursor() as cursor:
            cursor.execute(statement, told)
            if cursor.fetchone() is None:
                current = _rows(SESSION).filter(key=session.id).values_list("epoch", flat=True).first()
                raise OlderWriter(current or 0, session.epoch)

    @_telling
    def _read_session(self, session_id: str) -> StoredSession | None:
        row = _rows(SESSION).filter(key=session_id).first()
        if row is None:
            return None
        return StoredSession(
            id=row.key,
            body=bytes(row.body),
            encoding=Encoding(row.encoding),
            epoch=row.epoch,
            state=SessionState(row.state),
            saved_at=row.saved_at,
            team=row.team_id,
            conversation=row.conversation_id,
        )

    @_telling
    def _remove_session(self, session_id: str) -> bool:
        return _rows(SESSION).filter(key=session_id).delete()[0] > 0

    @_telling
    def list_sessions(self, state: str | None = None, limit: int | None = None, offset: int = 0, *, prefix: str = "") -> list[str]:
        rows = _rows(SESSION).filter(key__startswith=prefix).order_by("key")
        if state is not None:
            rows = rows.filter(state=state)
        return list(rows.values_list("key", flat=True)[offset : None if limit is None else offset + limit])

    @_telling
    def _write_value(self, value: StoredValue) -> None:
        told: dict[str, Any] = {"body": value.body, "saved_at": value.saved_at}
        StoredState.objects.bulk_create(
            [StoredState(kind=VALUE, key=value.key, **told)], update_conflicts=True, unique_fields=["kind", "key"], update_fields=list(told)
        )

    @_telling
    def _read_value(self, key: str) -> StoredValue | None:
        row = _rows(VALUE).filter(key=key).first()
        return StoredValue(row.key, bytes(row.body), row.saved_at) if row else None

    @_telling
    def _remove_value(self, key: str) -> bool:
        return _rows(VALUE).filter(key=key).delete()[0] > 0

    @_telling
    def _clear(self, before: datetime | None) -> int:
        rows = _rows(VALUE) if before is None else _rows(VALUE).filter(saved_at__lt=before)
        return rows.delete()[0]

    @_telling
    def _value_names(self) -> list[str]:
        return list(_rows(VALUE).order_by("key").values_list("key", flat=True))

    @_telling
    def _swap_body(self, kind: str, name: str, before: bytes, after: bytes) -> bool:
        return _rows(kind).filter(key=name, body=before).update(body=after) > 0

    @_telling
    def get_stats(self) -> StorageStats:
        found = StoredState.objects.aggregate(count=Count("id"), size=Sum(Length("body")), oldest=Min("saved_at"), newest=Max("saved_at"))
        return StorageStats(found["count"], found["size"] or 0, found["oldest"], found["newest"])


def _rows(kind: str) -> QuerySet[StoredState]:
    return StoredState.objects.filter(kind=kind)
