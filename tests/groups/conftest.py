"""A team whose agents are ready, and a group of them with a clock of the test's own. Models are imported only where a fixture is used."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import pytest

from tests.agents.conftest import no_beats_of_before
from tests.model.conftest import model

__all__ = ["model", "no_beats_of_before"]


@pytest.fixture
def table(team: Any) -> Any:
    return import_module("tests.groups.table").Table(team)
