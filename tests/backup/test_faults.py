"""A back-up that can't be finished, for want of room or by kill -9, leaves the one before as it was."""

import os
import signal
import subprocess
import sys
from contextlib import contextmanager

import psycopg
import pytest
from django.db import connection

from diagnostics.services.backups import reading
from tests.backup.test_backups import backup, told, url
from tests.platform.running import PROJECT, eventually
from tests.small_disks import small_disk

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.parametrize("disk", ["quota", pytest.param("full", marks=pytest.mark.long)])
def test_it_works(disk, team, tmp_path):
    told(team)
    folder = tmp_path / "disk"
    folder.mkdir()
    with small(folder, disk) as limited:
        path = folder / "one.backup"
        path.write_bytes(b"the one before")
        env = {**os.environ, "DATABASE_URL": url(connection.settings_dict["NAME"])}
        command = [*limited, sys.executable, "manage.py", "backup", str(path)]
        done = subprocess.run(command, cwd=PROJECT, env=env, text=True, capture_output=True, timeout=120, check=False)
        assert done.returncode == 1
        assert "what stood there before is untouched" in done.stderr and "Traceback" not in done.stderr
        assert [(each.name, each.read_bytes()) for each in folder.iterdir()] == [("one.backup", b"the one before")]


@contextmanager
def small(folder, kind):
    if kind == "quota":
        yield ["prlimit", "--fsize=20000"]
        return
    with small_disk(folder, "64k"):
        yield []


def test_kill_in_the_middle_leaves_the_one_before(team, tmp_path):
    told(team)
    path = tmp_path / "one.backup"
    path.write_bytes(b"the one before")
    env = {**os.environ, "DATABASE_URL": url(connection.settings_dict["NAME"])}
    unfinished = tmp_path / ".one.backup.unfinished"
    # pg_dump waits for this table: the back-up is in the middle for as long as we like.
    with psycopg.connect(env["DATABASE_URL"]) as holding, psycopg.connect(env["DATABASE_URL"], autocommit=True) as watching:
        holding.execute("LOCK TABLE continuity_message IN ACCESS EXCLUSIVE MODE")
        writing = subprocess.Popen([sys.executable, "manage.py", "backup", str(path)], cwd=PROJECT, env=env, stderr=subprocess.PIPE)
        waits = "SELECT 1 FROM pg_stat_activity WHERE application_name = 'pg_dump' AND wait_event_type = 'Lock'"
        assert eventually(lambda: watching.execute(waits).fetchone() is not None and unfinished.exists())
        writing.send_signal(signal.SIGKILL)
        writing.communicate()
    assert path.read_bytes() == b"the one before"
    backup(path)
    assert reading.check_file(path, "").rows > 0
    assert not unfinished.exists()
