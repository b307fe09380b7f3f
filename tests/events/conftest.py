"""A whole Continuity whose webhooks may go to this machine."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.platform.running import Application, eventually

PROGRAMS = ("web", "worker", "valkey", "monitor", "beat")


@pytest.fixture
def application(tmp_path_factory: pytest.TempPathFactory, begun: Path) -> Iterator[Application]:
    limits = {"CONTINUITY_API_RATE": "1000000/second", "CONTINUITY_AUDIT_SHARE": "0", "CONTINUITY_WEBHOOK_HOSTS": "127.0.0.1"}
    running = Application(tmp_path_factory.mktemp("bus") / "data", **limits).after(begun)
    running.start()
    assert eventually(lambda: running.has(*PROGRAMS) and running.answers()), running.output()
    yield running
    running.end()
