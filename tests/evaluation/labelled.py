"""Label files and sessions made by hand, small enough to know every figure."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from diagnostics.evaluation.labels import Labels, parse_labels
from tests.packages.sessions import MESSAGES, write

SHARED = Path(__file__).resolve().parents[2].parent / "shared"
EVALUATION = SHARED / "evaluation"
LABEL_FILES = sorted(EVALUATION.glob("labels/*.json"))
needs_shared = pytest.mark.skipif(not LABEL_FILES, reason="the shared label files are not here")


def anchor(*tokens: str, type: str = "fact", critical: bool = False, state: str = "current") -> dict[str, Any]:
    return {"type": type, "line": 0, "quote": " ".join(tokens), "must_contain": list(tokens), "critical": critical, "state": state}


def task(*tokens: str, status: str = "in_progress") -> dict[str, Any]:
    return {"description": "a task", "status": status, "lines": [], "must_contain": list(tokens), "steps_done": [], "steps_left": []}


def probe(*tokens: str, dimension: str = "recall") -> dict[str, Any]:
    return {"dimension": dimension, "question": "?", "answer": "", "must_contain": list(tokens), "lines": []}


def raw(
    anchors: Sequence[Any] = (), tasks: Sequence[Any] = (), probes: Sequence[Any] = (), files: dict[str, list[str]] | None = None
) -> dict[str, Any]:
    return {
        "transcript": "chat.json",
        "format": "openai-chat",
        "cut": len(MESSAGES),
        "objective": "move the billing job",
        "waiting_for_user": False,
        "next_step": "",
        "anchors": list(anchors),
        "tasks": list(tasks),
        "files": {"created": [], "modified": [], "deleted": []} | (files or {}),
        "state": {},
        "probes": list(probes),
    }


def labels(*anchors: Any, **more: Any) -> Labels:
    return parse_labels(raw(anchors, **more), name="made")


NIGHTLY = raw(
    anchors=[
        anchor("migration", "production", type="constraint", critical=True),
        anchor("postgresql", "invoices", type="decision", critical=True),
        anchor("zeppelin", type="fact"),
    ],
    tasks=[task("scheduler")],
    probes=[probe("jobs/nightly.py", dimension="artifact"), probe("submarine", dimension="recall")],
)


def folder_of(tmp_path: Path, **label_files: Any) -> Path:
    """A folder `labels` with these files (`a=…` becomes `a.json`), with their session in `transcripts` beside it."""
    sessions = tmp_path / "transcripts" / "openai-chat"
    sessions.mkdir(parents=True)
    write(sessions / "chat.json")
    found = tmp_path / "labels"
    found.mkdir()
    for name, content in label_files.items():
        (found / f"{name}.json").write_text(json.dumps(content), encoding="utf-8")
    return found
