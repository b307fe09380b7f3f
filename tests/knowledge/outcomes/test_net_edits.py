"""Edits of the same lines are told as what became of them."""

from __future__ import annotations

from continuity.knowledge.evidence import CodeEdit
from continuity.knowledge.state.net_edits import net_edits


def edit(seq: int, body: str, path: str = "shop/dispatch.py") -> CodeEdit:
    return CodeEdit(path, seq, body)


def test_it_works() -> None:
    found = net_edits([edit(1, "-TRIES = 8\n-BASE = 10\n+TRIES = 12\n+BASE = 30"), edit(2, "-TRIES = 12\n+TRIES = 13")])

    assert [(each.seq, each.body) for each in found] == [(2, "-TRIES = 8\n-BASE = 10\n+BASE = 30\n+TRIES = 13")]


def test_what_was_taken_back_is_no_edit() -> None:
    assert net_edits([edit(1, "-a = 1\n+a = 2"), edit(2, "-a = 2\n+a = 1")]) == []


def test_edits_of_other_lines_and_files_stay() -> None:
    edits = [edit(1, "-a = 1\n+a = 2"), edit(2, "-b = 1\n+b = 2"), edit(3, "-a = 2\n+a = 3", path="shop/other.py"), edit(4, "+c = 1")]

    assert net_edits(edits) == edits
