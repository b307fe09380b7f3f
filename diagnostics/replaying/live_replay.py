"""Writing files anew, line by line, while a watcher in a process of its own records them."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from continuity.client.commands.sessions.push import GROWING
from continuity.transcripts import detect

# The reader gives up what it held back after two quiet seconds.
QUIET_SECONDS = 5.0
CATCH_UP_SECONDS = 3600.0
ROUND = 0.02


def replay(files: Sequence[Path], folder: Path, *, url: str, key: str, speed: float) -> None:
    """Writes copies at `speed` lines a second each (0: at once) while they are recorded. Raises TimeoutExpired, CalledProcessError.

    What is no list of lines (one JSON document, Markdown) can't grow: it is written whole and pushed.
    """
    copies = [folder / f"{number}" / path.name for number, path in enumerate(files)]
    for copy in copies:
        copy.parent.mkdir()
    environment = {**os.environ, "CONTINUITY_URL": url, "CONTINUITY_API_KEY": key, "CONTINUITY_HOME": str(folder / "client")}
    pairs = list(zip(files, copies, strict=True))
    growing = [(path, copy) for path, copy in pairs if grows(path)]
    if growing:
        with _watching([copy for _path, copy in growing], environment):
            _write(growing, speed)
        _run(["watch", *(str(copy) for _path, copy in growing), "--until-quiet", str(QUIET_SECONDS)], environment)
    for path, copy in pairs:
        if (path, copy) not in growing:
            copy.write_bytes(path.read_bytes())
            _run(["push", str(copy)], environment)


def grows(path: Path) -> bool:
    """Whether its tool writes this file line by line."""
    return detect(path) in GROWING


def _write(pairs: Sequence[tuple[Path, Path]], speed: float) -> None:
    started = time.monotonic()
    open_files = [(path.open("rb"), copy.open("ab", buffering=0)) for path, copy in pairs]
    written = 0
    while open_files:
        allowed = (time.monotonic() - started) * speed if speed else float("inf")
        while written < allowed and open_files:
            written += 1
            open_files = [files for files in open_files if _write_line(*files)]
        time.sleep(ROUND)


def _write_line(source: IO[bytes], target: IO[bytes]) -> bool:
    line = source.readline()
    if not line:
        source.close()
        target.close()
        return False
    target.write(line)
    return True


@contextmanager
def _watching(copies: Sequence[Path], environment: dict[str, str]) -> Iterator[None]:
    command = [sys.executable, "-m", "continuity.client", "watch", *map(str, copies)]
    watcher = subprocess.Popen(command, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        yield
    finally:
        watcher.terminate()
        watcher.wait()


def _run(arguments: Sequence[str], environment: dict[str, str]) -> None:
    command = [sys.executable, "-m", "continuity.client", *arguments]
    subprocess.run(command, env=environment, check=True, capture_output=True, stdin=subprocess.DEVNULL, timeout=CATCH_UP_SECONDS)
