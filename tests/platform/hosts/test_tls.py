"""Postgres and Valkey over TLS: each of our clients checks the server, and speaks to none that can't show a certificate it trusts."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from django.db import connection

from config.addresses import broker_tls
from config.env import BadSetting
from tests.events.receiving import certificate
from tests.platform.hosts.tls_front import tls_front
from tests.platform.running import PROJECT

ASK = """
import sys, django
django.setup()
def ask(what, work):
    try:
        print(what, work() or "ok")
    except Exception as error:
        print(what, "refused", type(error).__name__)
from django.conf import settings
from django.core.cache import cache
from django.db import connection
from continuity.services.jobs import broker
from continuity.storage.redis import RedisStorageAdapter
from continuity.storage.registry import config_of
from config.celery import app
ask("postgres", lambda: connection.cursor().execute("SELECT 1") and None)
ask("cache", lambda: cache.set("tls", 1))
ask("broker", lambda: app.connection_for_write().ensure_connection(max_retries=1, interval_start=0) and None)
def states():
    adapter = RedisStorageAdapter()
    adapter.initialize(config_of("redis"))
    adapter.list_sessions()
    adapter.close()
ask("states", states)
"""


@pytest.fixture(scope="module")
def trusted(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return certificate(tmp_path_factory.mktemp("tls") / "server.pem")


@pytest.fixture(scope="module")
def fronts(trusted: Path) -> Iterator[tuple[str, str]]:
    """The two URLs without what says whom to trust."""
    redis, postgres = urlsplit(os.environ["REDIS_URL"]), urlsplit(os.environ["DATABASE_URL"])
    with tls_front(postgres.port or 0, trusted, postgres=True) as database, tls_front(redis.port or 0, trusted, postgres=False) as broker:
        there = f"postgresql://{postgres.netloc.rpartition('@')[0]}@127.0.0.1:{database}"
        yield there, f"rediss://{redis.netloc.rpartition('@')[0]}@127.0.0.1:{broker}/0"


def asked(database: str, broker: str) -> dict[str, str]:
    """How each client fared."""
    env = {**os.environ, "DATABASE_URL": database, "REDIS_URL": broker}
    done = subprocess.run([sys.executable, "-c", ASK], cwd=PROJECT, env=env, text=True, capture_output=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    return {line.split(" ", 1)[0]: line.split(" ")[1] for line in done.stdout.splitlines()}


EVERYBODY = ("postgres", "cache", "broker", "states")


def test_it_works(fronts: tuple[str, str], trusted: Path) -> None:
    database, broker = fronts
    found = asked(f"{database}/continuity?sslmode=verify-full&sslrootcert={trusted}", f"{broker}?ssl_ca_certs={trusted}")
    assert found == dict.fromkeys(EVERYBODY, "ok")


def test_a_server_that_nobody_vouches_for_is_refused(fronts: tuple[str, str], tmp_path: Path) -> None:
    other = certificate(tmp_path / "other.pem")
    database, broker = fronts
    found = asked(f"{database}/continuity?sslmode=verify-full&sslrootcert={other}", f"{broker}?ssl_ca_certs={other}")
    assert found == dict.fromkeys(EVERYBODY, "refused")


@pytest.mark.long
def test_who_speaks_without_tls_gets_no_answer(fronts: tuple[str, str]) -> None:
    database, broker = fronts
    assert asked(f"{database}/continuity?sslmode=disable", broker.replace("rediss:", "redis:")) == dict.fromkeys(EVERYBODY, "refused")


def test_the_broker_checks_the_server_unless_told_otherwise() -> None:
    assert broker_tls("redis://127.0.0.1/0") is None
    checked = broker_tls("rediss://127.0.0.1/0?ssl_ca_certs=/ca.pem")
    assert checked == {"ssl_ca_certs": "/ca.pem", "ssl_cert_reqs": 2}
    assert broker_tls("rediss://127.0.0.1/0?ssl_cert_reqs=none") == {"ssl_cert_reqs": 0, "ssl_check_hostname": False}
    with pytest.raises(BadSetting, match="ssl_cert_reqs"):
        broker_tls("rediss://127.0.0.1/0?ssl_cert_reqs=perhaps")


@pytest.mark.django_db
def test_a_dump_over_tls_needs_a_program_that_knows_it(monkeypatch: pytest.MonkeyPatch) -> None:
    from diagnostics.services.backups import postgres_tools

    monkeypatch.setenv("PATH", "/nowhere")
    monkeypatch.setitem(connection.settings_dict, "OPTIONS", {**connection.settings_dict["OPTIONS"], "sslmode": "verify-full"})
    with pytest.raises(postgres_tools.ToolMissing, match="no pg_dump that knows TLS"):
        postgres_tools.dump()
