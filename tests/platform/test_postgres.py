"""The embedded Postgres by itself: crashes, a reused pid, a lost password, folders that only root may enter."""

from __future__ import annotations

import os
import shutil
import signal
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from config.embedded import leftovers
from config.embedded.errors import StartError
from config.embedded.launch import spawn, stop
from config.embedded.postgres import Postgres
from config.embedded.servers import Servers, servers_in
from tests.platform.running import eventually
from tests.small_disks import small_disk

pytestmark = [pytest.mark.processes]


@pytest.fixture
def servers(tmp_path: Path) -> Iterator[Servers]:
    """A Postgres alone in a folder under pytest's, which only its owner may enter: under root it runs in a namespace."""
    made = servers_in(tmp_path, database=True, redis=False, durable=False)
    yield made
    made.stop()


def start(servers: Servers) -> Postgres:
    servers.launch()
    servers.wait()
    assert servers.postgres is not None
    return servers.postgres


def ask(server: Postgres, statement: str) -> object:
    with psycopg.connect(server.url) as connection:
        row = connection.execute(statement).fetchone()
    return None if row is None else row[0]


def crash(server: Postgres) -> int:
    assert server.process is not None
    pid = server.process.pid
    server.process.send_signal(signal.SIGKILL)
    server.process.wait()
    return pid


def test_it_works(servers: Servers) -> None:
    server = start(servers)
    assert ask(server, "SHOW password_encryption") == "scram-sha-256"
    assert ask(server, "SHOW listen_addresses") == "127.0.0.1"
    assert ask(server, "SHOW shared_preload_libraries") == "pg_stat_statements"
    assert ask(server, "SELECT rolsuper FROM pg_roles WHERE rolname = current_user") is True


def test_wrong_password_is_refused(servers: Servers) -> None:
    server = start(servers)
    with pytest.raises(psycopg.OperationalError, match="password authentication failed"):
        psycopg.connect(f"postgresql://continuity:guess@127.0.0.1:{server.port}/continuity")


def test_pid_reused_by_another_process_does_not_stop_the_start(servers: Servers) -> None:
    server = start(servers)
    with psycopg.connect(server.url) as connection:
        connection.execute("SET synchronous_commit = on")
        connection.execute("CREATE TABLE kept AS SELECT 'acknowledged' AS word")
    dead = crash(server)
    assert eventually(lambda: leftovers.working_in(server.cluster) == [])
    # As seen by the server: a living process of the same user that took over the pid.
    stranger = spawn([str(shutil.which("sleep")), "60"], privileges=server.privileges)
    lock = server.cluster / "postmaster.pid"
    lock.write_text(lock.read_text().replace(str(dead), str(stranger.pid), 1))
    try:
        assert ask(start(servers), "SELECT word FROM kept") == "acknowledged"
    finally:
        stop(stranger, ())


def test_server_left_running_is_ended_before_the_next_start(servers: Servers) -> None:
    server = start(servers)
    abandoned = server.process
    assert abandoned is not None
    server.process = None
    assert ask(start(servers), "SELECT 1") == 1
    assert eventually(lambda: abandoned.poll() is not None)


def test_lost_password_file_is_made_anew(servers: Servers) -> None:
    server = start(servers)
    servers.stop()
    before = server.url
    (server.data_dir / "postgres_password").unlink()
    assert ask(start(servers), "SELECT 1") == 1
    assert server.url != before


def test_half_made_cluster_is_thrown_away(servers: Servers) -> None:
    assert servers.postgres is not None
    half = servers.postgres.data_dir / "postgres.new" / "cluster"
    half.mkdir(parents=True)
    (half / "PG_VERSION").write_text("18\n")
    assert ask(start(servers), "SELECT 1") == 1
    assert not half.exists()


def test_cluster_of_another_version_is_one_clear_line(servers: Servers) -> None:
    server = start(servers)
    servers.stop()
    (server.cluster / "PG_VERSION").write_text("12\n")
    with pytest.raises(StartError, match="was made by Postgres 12, installed is 18"):
        servers.launch()


def test_disk_that_fills_up_is_named(tmp_path: Path) -> None:
    with small_disk(tmp_path, "16m"):
        servers = servers_in(tmp_path, database=True, redis=False)
        with pytest.raises(StartError, match=f"the disk that holds {tmp_path} is full"):
            servers.launch()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root gives up rights")
@pytest.mark.parametrize(("mode", "owner"), [(0o711, 65534), (0o700, 0)])
def test_root_gives_up_its_rights(mode: int, owner: int) -> None:
    """Where everyone may enter, the server is nobody; where only root may, it is nobody inside a namespace of its own."""
    folder = Path("/tmp") / f"continuity-rights-{os.getpid()}-{mode:o}"
    folder.mkdir(mode=mode)
    servers = servers_in(folder, database=True, redis=False, durable=False)
    try:
        server = start(servers)
        assert server.process is not None
        assert Path(f"/proc/{server.process.pid}").stat().st_uid == owner
        inside = Path(f"/proc/{server.process.pid}/uid_map").read_text().split()
        assert inside == (["0", "0", "4294967295"] if owner else ["65534", "0", "1"])
    finally:
        servers.stop()
        shutil.rmtree(folder)
