"""Storages that are away, damaged, or shared by those who may not share them."""

import json
import os
import subprocess
import sys
from datetime import UTC, datetime

import pytest
from django.conf import settings

from continuity.models import StoredState
from continuity.storage.file import FileStorageAdapter
from continuity.storage.memory import MemoryStorageAdapter
from continuity.storage.postgres import PostgresStorageAdapter
from continuity.storage.redis import RedisStorageAdapter
from continuity.storage.registry import config_of
from continuity.storage.sessions import DamagedRecord, StorageAdapterConfig, StorageAway, StorageRefused, StoredSession


@pytest.fixture
def files(tmp_path):
    adapter = FileStorageAdapter()
    adapter.initialize(StorageAdapterConfig(location=str(tmp_path)))
    return adapter


def test_it_works():
    assert config_of("file").location == str(settings.CONTINUITY_DATA_DIR / "agent-state")
    assert config_of("redis").rest == {"url": settings.REDIS_URL}


def test_memory_is_refused_with_several_processes():
    with pytest.raises(StorageRefused, match="one process"):
        MemoryStorageAdapter().initialize(StorageAdapterConfig(processes=2))


def test_memory_is_refused_to_a_process_that_it_does_not_belong_to():
    adapter = MemoryStorageAdapter()
    adapter.initialize()
    adapter.save_session(StoredSession("a"))
    child = os.fork()
    if not child:
        try:
            adapter.get_session("a")
        except StorageRefused:
            os._exit(17)
        os._exit(0)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 17


def test_an_application_of_several_processes_does_not_start_with_memory():
    env = {**os.environ, "STORAGE_TYPE": "memory", "CONTINUITY_STARTED_BY": "1"}
    done = subprocess.run([sys.executable, "-c", "import config.settings"], cwd=settings.BASE_DIR, env=env, capture_output=True, text=True)
    assert "STORAGE_TYPE: memory belongs to one process" in done.stderr


def test_redis_that_is_away():
    adapter = RedisStorageAdapter()
    adapter.initialize(StorageAdapterConfig(rest={"url": "redis://127.0.0.1:9/0"}))
    assert not adapter.health_check().healthy
    with pytest.raises(StorageAway):
        adapter.get_session("a")
    with pytest.raises(StorageRefused):
        RedisStorageAdapter().initialize()


def test_a_folder_that_is_gone(files, tmp_path):
    for path in sorted(tmp_path.rglob("*"), reverse=True):
        path.rmdir()
    tmp_path.rmdir()
    assert not files.health_check().healthy
    with pytest.raises(StorageAway):
        files.save_session(StoredSession("a"))


@pytest.mark.parametrize(
    "content",
    ["", "{", "[]", "null", "{}", json.dumps({"encoding": "zip"}), '{"encoding": "gzip", "body": "%", "epoch": 1}', "[" * 100_000],
)
def test_a_damaged_file_is_told_and_not_taken_for_nothing(files, tmp_path, content):
    (tmp_path / "a.json").write_text(content)
    with pytest.raises(DamagedRecord):
        files.get_session("a")
    with pytest.raises(DamagedRecord):
        files.fence_session(StoredSession("a", epoch=2))
    files.save_session(StoredSession("a", body=b"{}", epoch=1))
    assert files.get_session("a").body == b"{}"


def test_a_file_that_goes_while_it_is_counted_is_none(files, tmp_path):
    """Another process removed it between the listing and the look: a link to nothing is listed and not there, too."""
    files.set("a", 1)
    (tmp_path / "values" / "gone.json").symlink_to(tmp_path / "nowhere")
    assert files.get_stats().item_count == 1
    assert files.clear(older_than=3600) == 0


def test_a_link_is_never_written_through(files, tmp_path):
    outside = tmp_path / "outside"
    outside.write_text("untouched")
    (tmp_path / ".a.unfinished").symlink_to(outside)
    with pytest.raises(StorageAway):
        files.save_session(StoredSession("a", body=b"x"))
    (tmp_path / "b.json").symlink_to(outside)
    files.delete_session("b")
    assert outside.read_text() == "untouched"


def test_what_a_killed_writer_left_is_not_taken_for_a_session(files, tmp_path):
    (tmp_path / ".a.unfinished").write_text('{"id": "a", "bo')
    assert files.list_sessions() == []
    files.save_session(StoredSession("a", body=b"{}"))
    assert files.get_session("a").body == b"{}"
    assert not (tmp_path / ".a.unfinished").exists()


def test_rows_go_with_their_team(team):
    adapter = PostgresStorageAdapter()
    adapter.initialize()
    adapter.save_session(StoredSession("a.billing", team=team.id, saved_at=datetime.now(UTC)))
    team.delete()
    assert not StoredState.objects.exists()
