"""Accepted decisions become files of a folder, once; drafts and other things do not."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from continuity.client.packs.exporting import export

ARTIFACT: dict[str, Any] = {
    "id": "abcdef12-0000",
    "kind": "adr",
    "status": "accepted",
    "title": "We use Postgres / for the store…",
    "sentences": [{"text": "We use Postgres for the store.", "seq": 9}, {"text": "We use SQLite.", "seq": 2}],
    "text": "",
    "files": ["src/store.py"],
    "conversation_id": "12345678-aaaa",
    "decided_at": "2026-11-24T10:00:00Z",
}


def test_it_works(tmp_path: Path) -> None:
    (written,) = export([ARTIFACT], tmp_path / "adr")
    assert written.name == "abcdef12-we-use-postgres-for-the-store.md"
    text = written.read_text()
    assert "2026-11-24 · accepted" in text
    assert "- We use SQLite. [12345678#m2]" in text and "`src/store.py`" in text
    written.write_text("changed by hand")
    assert export([ARTIFACT], tmp_path / "adr") == []
    assert written.read_text() == "changed by hand"


def test_only_accepted_decisions_are_written(tmp_path: Path) -> None:
    others = [{**ARTIFACT, "status": "draft"}, {**ARTIFACT, "kind": "landmine"}]
    assert export(others, tmp_path / "adr") == []


def test_a_title_leads_nowhere_else(tmp_path: Path) -> None:
    (written,) = export([{**ARTIFACT, "title": "../../etc/passwd"}], tmp_path / "adr")
    assert written.parent == tmp_path / "adr"
