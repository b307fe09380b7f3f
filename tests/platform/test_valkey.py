"""The embedded Valkey by itself: a password, a file that survives kill -9, a damaged file."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
import redis
from redis.backoff import NoBackoff
from redis.retry import Retry

from config.embedded.servers import Servers, servers_in
from config.embedded.valkey import Valkey

pytestmark = [pytest.mark.processes]


@pytest.fixture
def servers(tmp_path: Path) -> Iterator[Servers]:
    made = servers_in(tmp_path / "a folder with spaces", database=False, redis=True)
    (tmp_path / "a folder with spaces").mkdir()
    yield made
    made.stop()


def start(servers: Servers) -> Valkey:
    servers.launch()
    servers.wait()
    assert servers.valkey is not None
    return servers.valkey


def test_it_works(servers: Servers) -> None:
    server = start(servers)
    with redis.Redis.from_url(server.url) as client:
        assert client.config_get("maxmemory-policy") == {"maxmemory-policy": "noeviction"}
    with redis.Redis(port=server.port, retry=Retry(NoBackoff(), 0)) as stranger, pytest.raises(redis.AuthenticationError):
        stranger.ping()


def test_password_is_not_on_the_command_line(servers: Servers) -> None:
    server = start(servers)
    assert server.process is not None
    password = (server.data_dir / "valkey_password").read_text().strip()
    assert password not in Path(f"/proc/{server.process.pid}/cmdline").read_text()


def test_what_was_written_survives_kill_9(servers: Servers) -> None:
    server = start(servers)
    with redis.Redis.from_url(server.url) as client:
        client.rpush("queue", "task")
    assert server.process is not None
    server.process.send_signal(signal.SIGKILL)
    server.process.wait()
    with redis.Redis.from_url(start(servers).url) as client:
        assert client.lrange("queue", 0, -1) == [b"task"]


def test_damaged_file_is_moved_aside(servers: Servers) -> None:
    server = start(servers)
    with redis.Redis.from_url(server.url) as client:
        client.set("word", "lost")
    servers.stop()
    (incremental,) = (server.folder / "appendonlydir").glob("*.incr.aof")
    incremental.write_bytes(b"no command at all\r\n" * 40)
    with redis.Redis.from_url(start(servers).url) as client:
        assert client.get("word") is None
    assert len(list(server.folder.glob("appendonlydir.damaged-*"))) == 1
