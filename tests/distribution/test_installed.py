"""The client alone, in an environment with nothing but Python, on each interpreter that is found."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from continuity import VERSION
from continuity.client.main import COMMANDS
from continuity.distribution import contents, pyz, starting, wheel
from tests.distribution.bare import MINORS, environment, python_of, run

EVERY_MODULE = """
import importlib, sys
for name in sys.argv[1:]:
    importlib.import_module(name)
print([name for name in sys.modules if name.split(".")[0] in ("django", "mcp", "pydantic")])
"""


@pytest.fixture(params=MINORS, ids=lambda minor: f"3.{minor}")
def python(request: pytest.FixtureRequest) -> str:
    found = python_of(request.param)
    if found is None:
        pytest.skip("not found here")
    return found


@pytest.fixture
def home(tmp_path: Path) -> Path:
    folder = tmp_path / "home of ours"
    folder.mkdir()
    return folder


@pytest.fixture
def installed(python: str, tmp_path: Path) -> Path:
    """The folder of commands of an environment into which pip put the wheel."""
    made = environment(tmp_path / "bare", python)
    file = tmp_path / wheel.FILE
    file.write_bytes(wheel.made())
    pip = [sys.executable, "-m", "pip", "--python", str(made), "install", "--quiet", "--no-index", "--disable-pip-version-check", str(file)]
    subprocess.run(pip, check=True, capture_output=True)
    return made.parent


@pytest.fixture
def pyz_file(tmp_path: Path) -> Path:
    file = tmp_path / pyz.FILE
    file.write_bytes(pyz.made())
    return file


def test_it_works(installed: Path, home: Path) -> None:
    told = run(home, installed / "continuity", "--version")
    assert (told.returncode, told.stderr) == (0, "")
    assert told.stdout.startswith(f"continuity {VERSION} (Python 3.")


def test_every_module_loads_and_no_package_with_it(installed: Path, home: Path) -> None:
    names = [name.removesuffix(".py").removesuffix("/__init__").replace("/", ".") for name in contents.files() if name.endswith(".py")]
    told = run(home, installed / "python", "-I", "-W", "error", "-c", EVERY_MODULE, *(n for n in names if not n.endswith("__main__")))
    assert (told.returncode, told.stdout, told.stderr) == (0, "[]\n", "")


def test_every_command_tells_how_it_is_used(installed: Path, home: Path) -> None:
    for name in COMMANDS:
        told = run(home, installed / "continuity", name, "--help")
        assert (told.returncode, told.stderr) == (0, ""), name
        assert told.stdout.startswith("usage: continuity"), name


def test_the_hooks_that_it_installs_start_it(installed: Path, home: Path) -> None:
    (home / ".claude").mkdir()
    assert run(home, installed / "continuity", "install", "claude-code", "--yes").returncode == 0
    settings = json.loads((home / ".claude" / "settings.json").read_text())
    [hook] = settings["hooks"]["Stop"][0]["hooks"]
    assert hook["command"] == f"{installed / 'continuity'} hook"
    told = run(home, "sh", "-c", settings["statusLine"]["command"], sent="{}")
    assert told.stdout == "Continuity · window unknown · not recorded yet\n"


def test_one_file_runs_and_stays(python: str, pyz_file: Path, home: Path) -> None:
    told = run(home, python, pyz_file, "--version")
    assert (told.returncode, told.stderr) == (0, "")
    assert told.stdout.startswith(f"continuity {VERSION} (Python 3.")
    assert (home / ".continuity").stat().st_mode & 0o077 == 0
    pyz_file.unlink()
    again = run(home, home / ".continuity" / "bin" / "continuity", "--version")
    assert (again.returncode, again.stdout) == (0, told.stdout)


def test_its_hooks_name_the_command_that_stays(pyz_file: Path, home: Path) -> None:
    (home / ".claude").mkdir()
    assert run(home, sys.executable, pyz_file, "install", "claude-code", "--yes").returncode == 0
    settings = json.loads((home / ".claude" / "settings.json").read_text())
    [hook] = settings["hooks"]["Stop"][0]["hooks"]
    assert hook["command"] == f"'{home / '.continuity' / 'bin' / 'continuity'}' hook"
    assert run(home, "sh", "-c", hook["command"], sent="{}").returncode == 0
    assert run(home, sys.executable, pyz_file, "uninstall", "claude-code", "--yes").returncode == 0
    assert not (home / ".claude" / "settings.json").exists()


def test_a_python_that_is_too_old_says_so(pyz_file: Path, home: Path) -> None:
    old = next((found for minor in range(10, 5, -1) if (found := python_of(minor))), None)
    if old is None:
        pytest.skip("no older Python here")
    told = run(home, old, pyz_file, "--version")
    assert told.returncode == 2
    assert "needs Python 3.11 or newer" in told.stderr
    assert not (home / ".continuity").exists()


def test_a_folder_that_cannot_be_made_is_told_in_one_line(pyz_file: Path, home: Path) -> None:
    (home / "file").write_text("")
    told = run(home, sys.executable, pyz_file, "--version", CONTINUITY_HOME=str(home / "file"))
    assert told.returncode == 1
    assert told.stderr == f"continuity: the client can't be unpacked into {home / 'file'}: Not a directory\n"


def test_old_builds_go_and_the_latest_stays(pyz_file: Path, home: Path) -> None:
    place = home / ".continuity" / "client"
    for number in range(5):
        (place / f"0.0.{number}-old").mkdir(parents=True)
    assert run(home, sys.executable, pyz_file, "--version").returncode == 0
    left = sorted(each.name for each in place.iterdir())
    assert len(left) == 3
    assert any(name.startswith(VERSION) for name in left)


def test_what_an_environment_started_runs_without_it(python: str, pyz_file: Path, home: Path, tmp_path: Path) -> None:
    made = environment(tmp_path / "bare", python)
    assert run(home, made, pyz_file, "--version").returncode == 0
    shutil.rmtree(tmp_path / "bare")
    told = run(home, home / ".continuity" / "bin" / "continuity", "--version")
    assert (told.returncode, told.stderr) == (0, "")


def test_a_build_that_is_gone_when_it_is_looked_at_stops_nothing(tmp_path: Path) -> None:
    for number in range(4):
        (tmp_path / f"0.0.{number}").mkdir()
    (tmp_path / "0.0.9-gone").symlink_to(tmp_path / "nowhere")
    starting.forget_old(str(tmp_path))
    assert len([path for path in tmp_path.iterdir() if path.is_dir()]) == 3
