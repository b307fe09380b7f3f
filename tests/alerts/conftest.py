from pathlib import Path
from typing import Any

import pytest


@pytest.fixture(autouse=True)
def own_folder(settings: Any, tmp_path: Path) -> None:
    """What waits on disk for the store waits here: in a folder of everyone's, another process' next save would take it."""
    settings.CONTINUITY_DATA_DIR = tmp_path
