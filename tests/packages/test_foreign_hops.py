"""Five hand-offs through tools that know nothing of us: each session's file begins with the directive of the one before."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from handoffs.building.oneshot import from_transcript
from handoffs.contract.model import Options, Style
from tests.packages.samples import NOW
from tests.transcripts.records import answer, claude, codex, result, write_lines
from tests.transcripts.records import said as codex_said

RULES = ("Never touch the billing module.", "Always write a migration, never change the database by hand.")
DECISION = "Let's use Postgres for the job queue instead of Redis, because the reports need transactions."
CORRECTED = "No, the job runs at 02:30 UTC, not at 02:30 local time."
STALE = "Deploy with Jenkins."
TODOS = [("Write the schema", "completed"), ("Write the worker", "in_progress"), ("Test the worker", "pending")]


def todo(uuid: str, parent: str) -> dict[str, Any]:
    todos = [{"content": content, "status": status} for content, status in TODOS]
    block = {"type": "tool_use", "id": f"call_{uuid}", "name": "TodoWrite", "input": {"todos": todos}}
    return claude(uuid, parent, [block], "assistant")


def first(folder: Path) -> Path:
    return write_lines(
        folder,
        claude("u1", None, f"Please build the job queue. {RULES[0]} {RULES[1]}"),
        answer("u2", "u1", "Should the queue live in Redis or in Postgres?"),
        claude("u3", "u2", DECISION),
        todo("u4", "u3"),
        result("u5", "u4", "call_u4", "Todos have been modified successfully."),
        answer("u6", "u5", "The job runs at 02:30 local time."),
        claude("u7", "u6", f"{CORRECTED} {STALE}"),
        answer("u8", "u7", "Understood. Next I write the worker."),
        claude("u9", "u8", "We no longer deploy with Jenkins. Use GitHub Actions instead of Jenkins from now on."),
        answer("u10", "u9", "Noted. Next I write the worker."),
    )


def claude_session(folder: Path, directive: str, hop: int) -> Path:
    talk: list[dict[str, Any]] = [claude("u0", None, directive)]
    for n in range(6):
        talk.append(claude(f"p{n}", talk[-1]["uuid"], f"What does module_{hop}_{n} do?"))
        talk.append(answer(f"r{n}", f"p{n}", f"It reads page {n} of the archive."))
    return write_lines(folder, *talk)


def codex_session(folder: Path, directive: str, hop: int) -> Path:
    meta = codex("session_meta", {"id": f"0000-{hop}", "cwd": "/repo", "timestamp": "2026-01-02T03:04:05Z", "cli_version": "1.0"})
    role = "developer" if hop == 2 else "user"
    sides = (("user", "What is on shelf"), ("assistant", "A box stands on shelf"))
    filler = [codex_said(who, f"{words} {n}") for n in range(6) for who, words in sides]
    return write_lines(folder, meta, codex_said(role, directive), *filler)


def test_it_works(tmp_path: Path) -> None:
    styles = list(Style)
    path = first(tmp_path)
    for hop in range(1, 6):
        text = from_transcript(path, Options(budget=3000, style=styles[hop % 3]), now=NOW).prepared.text
        folder = tmp_path / str(hop)
        folder.mkdir()
        path = (codex_session if hop % 2 == 0 else claude_session)(folder, text, hop)
    made = from_transcript(path, Options(budget=3000), now=NOW).prepared

    critical = {anchor.text for anchor in made.package.anchors if anchor.critical}
    for words in (*RULES, DECISION):
        assert any(words in text for text in critical), words
        assert sum(words in anchor.text for anchor in made.package.anchors) == 1, words
    assert "02:30 UTC" in made.text
    assert "GitHub Actions" in made.text
    assert not any(anchor.text.strip() == STALE for anchor in made.package.anchors)
    (task,) = [task for task in made.package.tasks if "Write the worker" in task.steps_left]
    assert (task.steps_done, task.steps_left) == (("Write the schema",), ("Write the worker", "Test the worker"))
