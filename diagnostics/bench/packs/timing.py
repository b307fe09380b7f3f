"""How long packs take: found cold, looked at warm, asked of the server, given by a hook; and the memory of a large repository."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import NamedTuple

from continuity.client import __main__ as program
from continuity.client.light import files, live_sessions
from continuity.client.packs import finding
from continuity.repository.tree_state import read_tree_state
from diagnostics.bench.packs import trees
from diagnostics.bench.rows import BenchRow, percentile, row, timed

SMALL, LARGE = 1_000, 50_000
COLD_MS, LARGE_MS, WARM_MS, HOOK_MS = 1_000.0, 20_000.0, 100.0, 100.0
MEMORY_MB = 200.0
URL, KEY = "http://127.0.0.1:9", "cont_bench"  # nobody answers there
PROMPT = "Mend load_entry_7 in src/part_0000/item_00007.py"
# In a process of its own, whose peak is that of this work alone.
_ALONE = """
import json, resource, sys, time
from pathlib import Path
sys.path.insert(0, sys.argv[1])
from continuity.client.packs import finding
started = time.perf_counter()
finding.material(Path(sys.argv[2]), sys.argv[3], since="", first_head="", asked={})
took = (time.perf_counter() - started) * 1000
own, of_git = resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN)
# getrusage counts the program that started this one too: Linux takes its peak over.
status = Path("/proc/self/status")
told = status.read_text().splitlines() if status.exists() else ()
peak = next((int(line.split()[1]) for line in told if line.startswith("VmHWM")), own.ru_maxrss)
print(json.dumps([took, peak / 1024, 1000 * (own.ru_utime + own.ru_stime + of_git.ru_utime + of_git.ru_stime)]))
"""


def measured(n: int, *, full: bool) -> Iterator[tuple[BenchRow, float]]:
    """Rows, each with the peak of memory in MB where that was measured, else 0."""
    with tempfile.TemporaryDirectory() as place:
        tree = Path(place) / "small"
        trees.make(tree, SMALL)
        few = max(3, n // 10)
        found_alone = [alone(tree) for _ in range(few)]
        yield _cold(f"packs found cold, {SMALL:,} files", found_alone, COLD_MS), max(each.memory_mb for each in found_alone)
        remembered = read_tree_state(tree).remembered
        who = read_tree_state(tree).identity
        look = partial(read_tree_state, tree, remembered=remembered, known=who)
        yield row(f"where it stands, warm, {SMALL:,} files", [timed(look) for _ in range(n)], target_ms=WARM_MS), 0.0
        yield row("hook PostToolUse, a pack is ready", hooked(tree, Path(place), n), target_ms=HOOK_MS), 0.0
        if full:
            large = Path(place) / "large"
            trees.make(large, LARGE)
            found = alone(large)
            yield _cold(f"packs found cold in the background, {LARGE:,} files", [found], LARGE_MS), found.memory_mb


class AloneFigures(NamedTuple):
    """Of work in a process of its own; `processor_ms` is its processor's time with git's, which says the same on a busy machine."""

    took_ms: float
    memory_mb: float
    processor_ms: float


def _cold(name: str, each: Sequence[AloneFigures], target_ms: float) -> BenchRow:
    processor = percentile([figures.processor_ms for figures in each], 0.5)
    return replace(row(name, [figures.took_ms for figures in each], target_ms=target_ms), processor_ms=round(processor, 1))


def alone(tree: Path) -> AloneFigures:
    home = str(Path(program.__file__).parents[2])
    told = subprocess.run([sys.executable, "-c", _ALONE, home, str(tree), PROMPT], capture_output=True, text=True, check=True)
    return AloneFigures(*json.loads(told.stdout))


def hooked(tree: Path, place: Path, n: int) -> list[float]:
    """A hook as a tool calls it, with a pack that waits for it, while a recorder is at work: we hold its claim, so no other one starts and
    outlives the folder."""
    found, _, _ = finding.material(tree, PROMPT, since="", first_head="", asked={})
    session = place / "session.jsonl"
    text = "Files:\n" + "".join(f"{number}. {each['path']}\n" for number, each in enumerate(found["ranked"], 1))
    env = {**os.environ, files.HOME: str(place / "home"), "CONTINUITY_API_KEY": KEY, "CONTINUITY_URL": URL}
    live = place / "home" / "live" / files.key_of(f"{URL} {KEY}")
    live.mkdir(parents=True)
    claim = live_sessions.claim(str(live))
    told = {"texts": {"context": text}, "pack": "p", "root": str(tree), "paths": [each["path"] for each in found["ranked"]]}
    folder = place / "home" / "packs" / "ready"
    folder.mkdir(parents=True)
    ready = folder / f"{files.key_of(str(session))}.json"
    payload = {"hook_event_name": "PostToolUse", "session_id": "s", "transcript_path": str(session), "cwd": str(tree)}
    command = [sys.executable, "-IS", str(Path(program.__file__)), "hook"]
    samples = []
    try:
        for _ in range(n):
            ready.write_text(json.dumps(told), encoding="utf-8")
            work = partial(subprocess.run, command, input=json.dumps(payload).encode(), env=env, capture_output=True, check=True)
            samples.append(timed(work))
            if ready.exists():
                raise RuntimeError("the hook gave no pack")
    finally:
        claim.release()
    return samples
