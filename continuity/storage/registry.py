"""The storage of this installation: STORAGE_TYPE chooses the adapter."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

from django.conf import settings

from continuity.storage.adapter import StorageAdapter
from continuity.storage.file import FileStorageAdapter
from continuity.storage.memory import MemoryStorageAdapter
from continuity.storage.postgres import PostgresStorageAdapter
from continuity.storage.redis import RedisStorageAdapter
from continuity.storage.sessions import StorageAdapterConfig

ADAPTERS: dict[str, type[StorageAdapter]] = {
    "postgres": PostgresStorageAdapter,
    "file": FileStorageAdapter,
    "redis": RedisStorageAdapter,
    "memory": MemoryStorageAdapter,
}
FOLDER = "agent-state"


def storage() -> StorageAdapter:
    """The adapter in use, made when it is asked for first. Raises StorageRefused and StorageAway."""
    return _made(settings.STORAGE_TYPE)


@cache
def _made(kind: str) -> StorageAdapter:
    adapter = ADAPTERS[kind]()
    adapter.initialize(config_of(kind))
    return adapter


def config_of(kind: str) -> StorageAdapterConfig:
    return replace(_place_of(kind), keys=tuple(settings.CONTINUITY_STATE_KEYS))


def _place_of(kind: str) -> StorageAdapterConfig:
    if kind == "file":
        return StorageAdapterConfig(location=str(settings.CONTINUITY_DATA_DIR / FOLDER))
    if kind == "redis":
        prefix = settings.CACHES["default"].get("KEY_PREFIX", "continuity")
        return StorageAdapterConfig(location=f"{prefix}:state", rest={"url": settings.REDIS_URL})
    return StorageAdapterConfig(processes=settings.CONTINUITY_PROCESSES)
