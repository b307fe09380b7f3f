"""One suite for every storage adapter: what the interface promises holds for each of them."""

import os
import threading
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from uuid import uuid4

import pytest
import redis
from django.conf import settings

from continuity.storage.registry import ADAPTERS
from continuity.storage.sealing import OVERHEAD
from continuity.storage.sessions import (
    BadKey,
    Encoding,
    OlderWriter,
    SessionState,
    StorageAdapterConfig,
    StorageFull,
    StorageStats,
    StoredSession,
)

NOW = datetime(2026, 11, 24, 12, tzinfo=UTC)


def config_for(kind, tmp_path):
    if kind == "file":
        return StorageAdapterConfig(location=str(tmp_path / "agent-state"))
    return (
        StorageAdapterConfig(location=f"test:{uuid4().hex}", rest={"url": settings.REDIS_URL})
        if kind == "redis"
        else StorageAdapterConfig()
    )


@pytest.fixture(params=sorted(ADAPTERS))
def kind(request):
    return request.param


@pytest.fixture(params=[(), (b"k" * 32,)], ids=["plain", "sealed"])
def adapter(kind, request, tmp_path, db):
    made = ADAPTERS[kind]()
    made.initialize(replace(config_for(kind, tmp_path), keys=request.param))
    yield made
    if kind == "redis":
        client = redis.Redis.from_url(settings.REDIS_URL)
        for key in client.scan_iter(f"{made.config.location}:*"):
            client.delete(key)
        client.close()
    made.close()


def session(name="a.billing", body=b'{"config":{}}', **more):
    return StoredSession(id=name, body=body, saved_at=NOW, **more)


def test_it_works(adapter):
    assert adapter.health_check().healthy
    assert adapter.get_session("a.billing") is None
    saved = session(epoch=3, body=bytes(range(256)), encoding=Encoding.GZIP, state=SessionState.IDLE)
    adapter.save_session(saved)
    assert adapter.get_session("a.billing") == saved
    assert adapter.list_sessions() == ["a.billing"]
    assert adapter.delete_session("a.billing") is True
    assert adapter.delete_session("a.billing") is False
    assert adapter.get_session("a.billing") is None


def test_a_session_takes_the_place_of_the_one_before(adapter):
    adapter.save_session(session(epoch=1, body="ä€".encode()))
    adapter.save_session(session(epoch=1, body=b"second"))
    adapter.save_session(session(epoch=2, body=b"third"))
    assert adapter.get_session("a.billing").body == b"third"
    assert adapter.get_stats().item_count == 1


def test_a_writer_of_an_earlier_epoch_is_refused(adapter):
    adapter.save_session(session(epoch=2, body=b"new"))
    with pytest.raises(OlderWriter) as refused:
        adapter.save_session(session(epoch=1, body=b"late"))
    assert (refused.value.current, refused.value.given) == (2, 1)
    assert adapter.get_session("a.billing").body == b"new"


def test_fencing_keeps_what_is_stored_and_shuts_out_who_wrote_it(adapter):
    adapter.save_session(session(epoch=1, body=b"state"))
    fenced = adapter.fence_session(StoredSession("a.billing", epoch=2))
    assert (fenced.body, fenced.epoch, fenced.saved_at) == (b"state", 2, NOW)
    with pytest.raises(OlderWriter):
        adapter.save_session(session(epoch=1, body=b"late"))
    with pytest.raises(OlderWriter):
        adapter.fence_session(StoredSession("a.billing", epoch=1))
    assert adapter.get_session("a.billing") == fenced


def test_fencing_what_was_never_stored(adapter):
    assert adapter.fence_session(StoredSession("a.new", epoch=5)).body == b""
    with pytest.raises(OlderWriter):
        adapter.save_session(session("a.new", epoch=4))
    adapter.save_session(session("a.new", epoch=5, body=b"mine"))
    assert adapter.get_session("a.new").body == b"mine"


def test_sessions_are_listed_by_name_state_and_page(adapter):
    for number in range(5):
        state = SessionState.IDLE if number % 2 else SessionState.ACTIVE
        adapter.save_session(session(f"a.{number}", state=state))
    adapter.save_session(session("b.0"))
    assert adapter.list_sessions() == ["a.0", "a.1", "a.2", "a.3", "a.4", "b.0"]
    assert adapter.list_sessions(prefix="a.") == ["a.0", "a.1", "a.2", "a.3", "a.4"]
    assert adapter.list_sessions("idle") == ["a.1", "a.3"]
    assert adapter.list_sessions(SessionState.ACTIVE, 2, 1) == ["a.2", "a.4"]
    assert adapter.list_sessions(limit=2, offset=1) == ["a.1", "a.2"]
    assert adapter.list_sessions(limit=2, offset=9) == []


@pytest.mark.parametrize("value", [None, 0, 1.5, "ä€\n", [1, [2]], {"a": {"b": None}}, True])
def test_values_come_back_as_they_were(adapter, value):
    adapter.set("some/../key: ä", value)
    assert adapter.get("some/../key: ä") == value


def test_values_are_replaced_deleted_and_never_taken_for_sessions(adapter):
    adapter.set("a.billing", 1)
    adapter.set("a.billing", 2)
    assert adapter.get("a.billing") == 2
    assert adapter.get_session("a.billing") is None
    assert adapter.list_sessions() == []
    assert adapter.delete("a.billing") is True
    assert adapter.delete("a.billing") is False
    assert adapter.get("a.billing") is None


def test_clearing_removes_values_of_an_age(adapter):
    adapter.save_session(session())
    adapter.set("one", 1)
    adapter.set("two", 2)
    assert adapter.clear(older_than=3600) == 0
    assert adapter.clear() == 2
    assert adapter.get("one") is None
    assert adapter.get_session("a.billing") is not None


def test_stats_count_sessions_and_values(adapter, kind):
    assert adapter.get_stats() == StorageStats()
    adapter.save_session(session(body=b"x" * 1000))
    adapter.set("key", "y" * 500)
    stats = adapter.get_stats()
    assert stats.item_count == 2
    assert 1500 <= stats.total_size <= (3000 if kind == "file" else 1502 + 2 * OVERHEAD)
    assert stats.oldest_item <= stats.newest_item
    assert stats.newest_item > datetime.now(UTC) - timedelta(minutes=5)


@pytest.mark.parametrize(
    "name", ["", "..", "../../etc/passwd", "a/b", "a\\b", "/etc", ".hidden", "a\0b", "a\nb", "ä", "a" * 151, "a b", None]
)
def test_ids_that_are_no_names_are_refused_and_nothing_is_written(adapter, name, tmp_path):
    for work in (
        lambda: adapter.save_session(session(name)),
        lambda: adapter.fence_session(session(name)),
        lambda: adapter.get_session(name),
        lambda: adapter.delete_session(name),
    ):
        with pytest.raises(BadKey):
            work()
    assert adapter.get_stats().item_count == 0
    assert not [path for path in tmp_path.rglob("*") if path.is_file() and ".locks" not in path.parts]


@pytest.mark.parametrize(
    ("key", "value"), [("", 1), ("k" * 201, 1), ("a\0", 1), ("\ud800", 1), (None, 1), ("k", b"bytes"), ("k", float("inf"))]
)
def test_keys_and_values_that_cant_be_are_refused(adapter, key, value):
    with pytest.raises(BadKey):
        adapter.set(key, value)
    assert adapter.get_stats().item_count == 0


def test_what_is_over_counts_as_gone(adapter):
    adapter.save_session(replace(session(), saved_at=datetime.now(UTC) - timedelta(seconds=90)))
    adapter.save_session(replace(session("a.fresh"), saved_at=datetime.now(UTC)))
    adapter.config = replace(adapter.config, ttl=60)
    assert adapter.get_session("a.billing") is None
    assert adapter.get_session("a.fresh") is not None


def test_a_full_storage_refuses(adapter):
    adapter.config = replace(adapter.config, max_size=2000)
    adapter.save_session(session(body=b"x" * 1000))
    with pytest.raises(StorageFull):
        adapter.save_session(session("a.other", body=b"x" * 1500))
    with pytest.raises(StorageFull):
        adapter.set("key", "x" * 1500)
    assert adapter.get_stats().item_count == 1


@pytest.mark.django_db(transaction=True)
def test_of_many_writers_at_once_the_latest_epoch_stands(kind, tmp_path):
    adapter = ADAPTERS[kind]()
    adapter.initialize(config_for(kind, tmp_path))
    refused = []

    def write(epoch):
        from django.db import connection

        try:
            for _ in range(10):
                adapter.save_session(session(epoch=epoch, body=str(epoch).encode() * 100))
        except OlderWriter:
            refused.append(epoch)
        finally:
            connection.close()

    threads = [threading.Thread(target=write, args=(epoch,)) for epoch in range(1, 9)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    found = adapter.get_session("a.billing")
    assert found is not None
    assert (found.epoch, found.body) == (8, b"8" * 100)
    assert 8 not in refused
    adapter.delete_session("a.billing")
    adapter.close()


def test_files_are_the_owners_alone(tmp_path):
    adapter = ADAPTERS["file"]()
    before = os.umask(0)
    try:
        adapter.initialize(config_for("file", tmp_path))
        adapter.save_session(session())
        adapter.set("key", 1)
    finally:
        os.umask(before)
    modes = {path: path.stat().st_mode & 0o777 for path in (tmp_path / "agent-state").rglob("*")}
    assert {mode for path, mode in modes.items() if path.is_file()} == {0o600}
    assert {mode for path, mode in modes.items() if path.is_dir()} == {0o700}
    assert (tmp_path / "agent-state" / "a.billing.json").is_file()
