"""Sessions and values in Redis or Valkey, each a hash; sorted sets tell when each was stored."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import redis

from continuity.storage.adapter import StorageAdapter, StoredValue, away_on, page
from continuity.storage.redis_scripts import FENCE, SAVE, SWAP
from continuity.storage.sessions import OlderWriter, StorageHealth, StorageRefused, StorageStats, StoredSession

ANSWER_SECONDS = 5.0
BATCH = 500


_telling = away_on(redis.RedisError, what="Redis")


class RedisStorageAdapter(StorageAdapter):
    """`location` is the prefix of its keys, `rest["url"]` where Redis is. What it keeps is as lasting as that Redis is."""

    def _open(self) -> None:
        url = self.config.rest.get("url")
        if not url:
            raise StorageRefused("REDIS_URL is not set")
        self._prefix = self.config.location or "continuity:state"
        # Bytes, whatever the address asks for: a body is no text.
        self._client: redis.Redis = redis.Redis.from_url(
            url, socket_timeout=ANSWER_SECONDS, socket_connect_timeout=1, health_check_interval=30, decode_responses=False
        )
        self._saving, self._fencing, self._swapping = (self._client.register_script(each) for each in (SAVE, FENCE, SWAP))

    def close(self) -> None:
        self._client.close()

    def health_check(self) -> StorageHealth:
        try:
            self._client.ping()
        except redis.RedisError as error:
            return StorageHealth(False, type(error).__name__)
        return StorageHealth(True)

    @_telling
    def _write_session(self, session: StoredSession) -> None:
        later = self._saving(keys=self._keys(session.id), args=_told(session))
        if later is not None:
            raise OlderWriter(int(later), session.epoch)

    @_telling
    def _fence(self, session: StoredSession) -> StoredSession:
        later = self._fencing(keys=self._keys(session.id), args=_told(session))
        if later is not None:
            raise OlderWriter(int(later), session.epoch)
        return self._read_session(session.id) or session

    @_telling
    def _read_session(self, session_id: str) -> StoredSession | None:
        found: Any = self._client.hgetall(self._key("session", session_id))
        return _session(session_id, found) if found else None

    @_telling
    def _remove_session(self, session_id: str) -> bool:
        return self._remove("session", session_id)

    @_telling
    def list_sessions(self, state: str | None = None, limit: int | None = None, offset: int = 0, *, prefix: str = "") -> list[str]:
        names: Any = self._client.zrange(self._index("session"), 0, -1)
        ids = sorted(name.decode() for name in names if name.decode().startswith(prefix))
        if state is not None:
            states = self._field_of_all("session", ids, "state")
            ids = [each for each, found in zip(ids, states, strict=True) if found == state.encode()]
        return page(ids, limit, offset)

    @_telling
    def _write_value(self, value: StoredValue) -> None:
        told: dict[Any, Any] = {"body": value.body, "size": len(value.body), "saved_at": _score(value.saved_at)}
        with self._client.pipeline(transaction=True) as pipe:
            pipe.hset(self._key("value", value.key), mapping=told)
            pipe.zadd(self._index("value"), {value.key: _score(value.saved_at)})
            pipe.execute()

    @_telling
    def _read_value(self, key: str) -> StoredValue | None:
        found: Any = self._client.hgetall(self._key("value", key))
        return StoredValue(key, found[b"body"], _time(found[b"saved_at"])) if found else None

    @_telling
    def _remove_value(self, key: str) -> bool:
        return self._remove("value", key)

    @_telling
    def _clear(self, before: datetime | None) -> int:
        end = f"({_score(before)}" if before is not None else "+inf"
        gone: Any = self._client.zrangebyscore(self._index("value"), "-inf", end)
        return sum(self._remove("value", key.decode()) for key in gone)

    @_telling
    def _value_names(self) -> list[str]:
        names: Any = self._client.zrange(self._index("value"), 0, -1)
        return sorted(name.decode() for name in names)

    @_telling
    def _swap_body(self, kind: str, name: str, before: bytes, after: bytes) -> bool:
        return bool(self._swapping(keys=[self._key(kind, name)], args=[before, after]))

    @_telling
    def get_stats(self) -> StorageStats:
        count, size = 0, 0
        times: list[datetime] = []
        for kind in ("session", "value"):
            found: Any = self._client.zrange(self._index(kind), 0, -1, withscores=True)
            count += len(found)
            size += sum(int(each or 0) for each in self._field_of_all(kind, [name.decode() for name, _ in found], "size"))
            times += [_time(found[0][1]), _time(found[-1][1])] if found else []
        return StorageStats(count, size, min(times, default=None), max(times, default=None))

    def _field_of_all(self, kind: str, names: list[str], field: str) -> list[Any]:
        found: list[Any] = []
        for first in range(0, len(names), BATCH):
            with self._client.pipeline(transaction=False) as pipe:
                for name in names[first : first + BATCH]:
                    pipe.hget(self._key(kind, name), field)
                found += pipe.execute()
        return found

    def _remove(self, kind: str, name: str) -> bool:
        with self._client.pipeline(transaction=True) as pipe:
            pipe.delete(self._key(kind, name))
            pipe.zrem(self._index(kind), name)
            return bool(pipe.execute()[0])

    def _keys(self, session_id: str) -> list[str]:
        return [self._key("session", session_id), self._index("session")]

    def _key(self, kind: str, name: str) -> str:
        return f"{self._prefix}:{kind}:{name}"

    def _index(self, kind: str) -> str:
        return f"{self._prefix}:{kind}s"


def _told(session: StoredSession) -> list[Any]:
    fields = {**session.told(), "body": session.body, "size": len(session.body)}
    score = _score(session.saved_at or datetime.now(UTC))
    return [session.epoch, session.id, score, *(part for field in fields.items() for part in field)]


def _session(session_id: str, found: dict[bytes, bytes]) -> StoredSession:
    fields = {name.decode(): value for name, value in found.items()}
    body = fields.pop("body", b"")
    return StoredSession.of(session_id, body, {name: value.decode("utf-8", "replace") for name, value in fields.items()})


def _score(moment: datetime) -> float:
    return moment.timestamp()


def _time(told: Any) -> datetime:
    return datetime.fromtimestamp(float(told), UTC)
