"""Where it cannot start it says so in one line; where it can, it starts as root and as an ordinary user."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from config.embedded import exec_as
from tests.platform.running import PROJECT, Application
from tests.small_disks import small_disk

pytestmark = [pytest.mark.processes]
NOBODY, NAMELESS = 65534, 65533


def refusal(application: Application) -> str:
    """Start, expect failure, and return the one line it printed."""
    ended = application.try_start()
    assert ended.returncode == 1, ended.stderr
    assert application.left_running() == []
    (line,) = ended.stderr.splitlines()
    return line


def test_it_works(tmp_path: Path) -> None:
    assert refusal(Application(tmp_path / "data", PORT="none")) == "continuity: PORT: 'none' is not a whole number"


def test_busy_port_is_one_line(tmp_path: Path) -> None:
    application = Application(tmp_path / "data")
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", application.port))
        taken.listen()
        line = refusal(application)
    assert line == f"continuity: port {application.port} on 127.0.0.1 is in use: end what uses it, or set PORT to another"
    assert not (tmp_path / "data" / "postgres").exists()


def test_data_folder_that_is_a_file_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("not a folder")
    assert refusal(Application(tmp_path / "data")).startswith(f"continuity: {tmp_path / 'data'}")


def test_unreachable_database_starts_no_server_of_ours(tmp_path: Path) -> None:
    given = {"DATABASE_URL": "postgresql://a:b@127.0.0.1:1/c", "REDIS_URL": "redis://127.0.0.1:1/0", "SECRET_KEY": "k"}
    application = Application(tmp_path / "data", CONTINUITY_DATABASE_WAIT_SECONDS="0", **given)
    ended = application.try_start()
    assert ended.returncode == 1
    assert ended.stderr.splitlines()[0].startswith("continuity: the database does not answer: ")
    assert not (tmp_path / "data" / "postgres").exists()


def test_external_database_requires_a_secret_key(tmp_path: Path) -> None:
    application = Application(tmp_path / "data", DATABASE_URL="postgresql://a:b@127.0.0.1:1/c", REDIS_URL="redis://127.0.0.1:1/0")
    ended = application.try_start()
    assert ended.returncode == 1
    assert ended.stderr.splitlines()[0] == "continuity: SECRET_KEY: required when DATABASE_URL is set"


def test_full_disk_is_one_line(tmp_path: Path) -> None:
    disk = tmp_path / "disk"
    disk.mkdir()
    with small_disk(disk, "16m"):
        line = refusal(Application(disk / "data"))
    assert line.startswith(f"continuity: the disk that holds {disk / 'data'} has ")
    assert line.endswith("200 MB are needed")


@pytest.mark.long
@pytest.mark.skipif(os.geteuid() != 0 or shutil.which("setpriv") is None, reason="becoming another user takes root")
def test_ordinary_user_can_start_and_stop() -> None:
    become = [str(shutil.which("setpriv")), f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups"]
    packages = next(path for path in sys.path if path.endswith("site-packages"))
    if subprocess.run([*become, "test", "-r", packages, "-a", "-r", PROJECT / "config"], check=False).returncode != 0:
        pytest.skip("an ordinary user cannot read this checkout")
    home = Path("/tmp") / f"continuity-user-{os.getpid()}"
    home.mkdir()
    os.chown(home, NOBODY, NOBODY)
    # Python itself may lie where only root may enter: reading and entering is the one right that is kept.
    become += ["--inh-caps=+dac_read_search", "--ambient-caps=+dac_read_search"]
    application = Application(home / "data", [*become, sys.executable], HOME=str(home))
    try:
        application.start()
        assert Path(f"/proc/{application.process('postgres').pid}").stat().st_uid == NOBODY
        assert application.stop() == 0, application.output()
        assert application.left_running() == []
    finally:
        application.end()
        shutil.rmtree(home)


@pytest.mark.skipif(os.geteuid() != 0 or shutil.which("setpriv") is None, reason="becoming another user takes root")
def test_user_without_a_name_gets_one_in_a_namespace() -> None:
    """As containers give them out; initdb asks for the name."""
    python, script = Path("/usr/bin/python3"), Path("/tmp") / f"continuity-exec-as-{os.getpid()}.py"
    if not python.exists():
        pytest.skip("no Python that this user may run")
    script.write_bytes(Path(exec_as.__file__).read_bytes())
    become = ["setpriv", f"--reuid={NAMELESS}", f"--regid={NAMELESS}", "--clear-groups"]
    command = [*become, str(python), "-I", "-S", str(script), exec_as.NAMESPACE, "9", str(os.getpid()), str(shutil.which("id")), "-un"]
    try:
        said = subprocess.run(command, text=True, capture_output=True, check=False)
    finally:
        script.unlink()
    assert said.stdout == "nobody\n", said.stderr
