"""Servers that are away, in the ways in which servers are."""

import socket
from collections.abc import Iterator

import pytest
from pytest_django import Settings

# Models can be imported only once Django is set up, which is after this file is read: so it imports them where it uses them.


@pytest.fixture(autouse=True)
def fresh(monkeypatch: pytest.MonkeyPatch, db: None) -> None:
    """Each probe looks for itself."""
    from diagnostics import health_probe

    monkeypatch.setattr(health_probe, "SEEN_FOR", 0.0)


@pytest.fixture
def closed_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


@pytest.fixture
def silent_port() -> Iterator[int]:
    """A port where a connection is taken and nothing is ever said, as by a stopped server."""
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen(16)
        yield int(silent.getsockname()[1])


@pytest.fixture
def postgres_is_away(monkeypatch: pytest.MonkeyPatch, closed_port: int) -> None:
    from django.db import connection

    monkeypatch.setitem(connection.settings_dict, "HOST", "127.0.0.1")
    monkeypatch.setitem(connection.settings_dict, "PORT", str(closed_port))


@pytest.fixture
def postgres_is_silent(monkeypatch: pytest.MonkeyPatch, silent_port: int) -> None:
    from django.db import connection

    monkeypatch.setitem(connection.settings_dict, "HOST", "127.0.0.1")
    monkeypatch.setitem(connection.settings_dict, "PORT", str(silent_port))


@pytest.fixture
def broker_is_away(settings: Settings, closed_port: int) -> Iterator[None]:
    from continuity.services.jobs import broker

    settings.REDIS_URL = f"redis://127.0.0.1:{closed_port}/0"
    broker.client.cache_clear()
    yield
    broker.client.cache_clear()
    broker._breaker.close()
