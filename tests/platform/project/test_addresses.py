"""Where the database and the broker are: from the environment, else from a living run file."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from config.addresses import NOTICES, Addresses, database_settings, resolve
from config.env import BadSetting, Environment
from config.supervision import runfile
from config.supervision.processes import Identity, own_identity

RUNNING = runfile.RunFile(own_identity(), "supervisor", "postgresql://u:p@127.0.0.1:1/run", "redis://:p@127.0.0.1:2/0")


@pytest.fixture
def data_dir(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.delenv("CONTINUITY_RUN_FILE", raising=False)
    return tmp_path


def test_it_works(data_dir: Path) -> None:
    runfile.write(data_dir / runfile.NAME, RUNNING)
    assert resolve(Environment({}), data_dir) == Addresses(RUNNING.database_url, RUNNING.redis_url, True, True)


def test_given_url_wins_over_the_run_file(data_dir: Path) -> None:
    runfile.write(data_dir / runfile.NAME, RUNNING)
    found = resolve(Environment({"DATABASE_URL": "postgresql://h/given"}), data_dir)
    assert found == Addresses("postgresql://h/given", RUNNING.redis_url, False, True)


def test_run_file_of_a_dead_or_other_process_is_ignored(data_dir: Path) -> None:
    reused = runfile.RunFile(
        Identity(own_identity().pid, own_identity().started - 1), "supervisor", RUNNING.database_url, RUNNING.redis_url
    )
    runfile.write(data_dir / runfile.NAME, reused)
    assert resolve(Environment({}), data_dir) == Addresses("", "", True, True)


@pytest.mark.parametrize("text", ["", "{", "[]", "null", '{"owner": 1}', "\ufeff{}"])
def test_torn_run_file_counts_as_none(data_dir: Path, text: str) -> None:
    (data_dir / runfile.NAME).write_text(text, encoding="utf-8")
    assert resolve(Environment({}), data_dir) == Addresses("", "", True, True)


def test_run_file_is_for_its_owner_only(data_dir: Path) -> None:
    runfile.write(data_dir / runfile.NAME, RUNNING)
    assert stat.S_IMODE((data_dir / runfile.NAME).stat().st_mode) == 0o600
    assert runfile.read(data_dir / runfile.NAME) == RUNNING


def test_url_becomes_settings_with_the_connection_rules() -> None:
    found = database_settings("postgres://us%40er:p%2Fw@db.example:5433/na%20me?sslmode=require", {"max_size": 3})
    assert (found["USER"], found["PASSWORD"], found["HOST"], found["PORT"], found["NAME"]) == (
        "us@er",
        "p/w",
        "db.example",
        "5433",
        "na me",
    )
    assert (found["CONN_MAX_AGE"], found["CONN_HEALTH_CHECKS"]) == (0, True)
    assert found["OPTIONS"] == {**NOTICES, "sslmode": "require", "pool": {"max_size": 3}}


def test_what_the_url_says_of_a_connection_wins() -> None:
    url = "postgresql://h/n?connect_timeout=2&options=-c%20statement_timeout%3D5"
    options = database_settings(url, None, {"statement_timeout": 15_000, "lock_timeout": 10_000})["OPTIONS"]
    assert options["connect_timeout"] == "2"
    assert options["options"] == "-c statement_timeout=15000 -c lock_timeout=10000 -c statement_timeout=5", "Postgres takes the last one"


def test_without_a_url_nothing_can_be_queried() -> None:
    assert database_settings("", None) == {"ENGINE": "django.db.backends.dummy"}


@pytest.mark.parametrize("url", ["mysql://h/n", "postgresql://h:port/n", "postgresql://h", "nonsense"])
def test_bad_url_is_refused_by_name(url: str) -> None:
    with pytest.raises(BadSetting, match=r"^DATABASE_URL: "):
        database_settings(url, None)
