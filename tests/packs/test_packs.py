"""The three texts: within their sizes, the same bytes for the same sources, without secrets, with references."""

import json
import os

import pytest
from hypothesis import given
from hypothesis import strategies as st

from continuity.packs.anchor import anchor
from continuity.packs.fill import ANCHOR, CONTEXT, DELTA, fill, plain
from continuity.packs.lessons import Lesson
from continuity.repository.state_reader import read_state, read_text
from handoffs.packs.oneshot import as_json, packs_of
from tests.packs.place import repository, session, write


def sizes(packs):
    return [len(text.encode()) for text in (packs.anchor, packs.context, packs.delta)]


def test_it_works(tmp_path):
    tree = repository(tmp_path / "r")
    session(tmp_path / "sessions")
    packs = packs_of(tree, "the parser of headers", since="HEAD~1", sessions=tmp_path / "sessions")
    assert "Never edit generated files. [CLAUDE.md:3]" in packs.anchor and "Tea is green" not in packs.anchor
    assert "Never change src/parser.py without its test" in packs.anchor and "[one#m1]" in packs.anchor
    assert "src/parser.py" in packs.context and "1: def parse_header(line):" in packs.context
    assert "Print pages in colour" in packs.delta and "+ class Printer:" in packs.delta
    assert set(as_json(packs)) == {"repository", "head", "files", "anchor", "context", "delta"}


def test_what_was_said_after_the_commit_is_left_out(tmp_path):
    tree = repository(tmp_path / "r")
    session(tmp_path / "sessions", at="2026-06-01T00:00:00Z")
    assert "Never change" not in packs_of(tree, "parser", sessions=tmp_path / "sessions").anchor


def test_a_session_of_another_repository_says_nothing(tmp_path):
    write(tmp_path / "other", main_dot_go="func main() {\n")
    session(tmp_path / "sessions")
    assert "Never change" not in packs_of(tmp_path / "other", "main", sessions=tmp_path / "sessions").anchor


def test_files_that_are_no_sessions_are_passed_over(tmp_path):
    tree, folder = repository(tmp_path / "r"), tmp_path / "sessions"
    session(folder)
    (folder / "broken.jsonl.xz").write_bytes(b"no xz")
    (folder / "noise.bin").write_bytes(b"\0\1\2")
    assert "one#m1" in packs_of(tree, "parser", sessions=folder).anchor


def test_the_anchor_is_the_same_bytes_whatever_is_asked(tmp_path):
    tree = repository(tmp_path / "r")
    session(tmp_path / "sessions")
    made = {packs_of(tree, prompt, sessions=tmp_path / "sessions").anchor for prompt in ("parser", "printer", "")}
    assert len(made) == 1


@pytest.mark.parametrize("budget", [1, 200, 1_000, 4_000, 24_576, 10**9])
def test_sizes(tmp_path, budget):
    tree = repository(tmp_path / "r")
    for n in range(120):
        write(tree, **{f"src__module{n}_dot_py": "".join(f"def function_{n}_{i}():\n    return 'größe'\n" for i in range(40))})
    first, middle, last = sizes(packs_of(tree, "function größe module", budget=budget))
    assert first <= ANCHOR and middle <= CONTEXT and last <= DELTA
    assert first + middle + last <= budget


def test_a_statement_of_fact_in_an_instruction_file_is_no_rule(tmp_path):
    tree = repository(tmp_path / "r")
    facts = "- `root.go` sets the flags - the printer never prints errors\n- Only the parser knows headers\n"
    write(tree, CLAUDE_dot_md=f"# House\n\n{facts}\nDo not edit generated files.\n", deep__AGENTS_dot_md="- Never push to main.\n")
    told = packs_of(tree, "parser").anchor
    assert "- Do not edit generated files. [CLAUDE.md:6]\n- Never push to main. [deep/AGENTS.md:1]\n" in told
    assert "prints errors" not in told and "knows headers" not in told


def test_a_long_session_teaches_too(tmp_path):
    tree = repository(tmp_path / "r")
    session(tmp_path / "sessions")
    file = tmp_path / "sessions/one.jsonl"
    first, edit = map(json.loads, file.read_text().splitlines())
    said = [{"id": f"p{n}", "role": "assistant", "content": [{"type": "text", "text": "Done."}]} for n in range(6_100)]
    padding = [edit | {"uuid": f"p{n}", "message": message} for n, message in enumerate(said)]
    file.write_text("".join(json.dumps(line) + "\n" for line in (*padding, edit, first)))
    assert "Never change src/parser.py without its test" in packs_of(tree, "parser", sessions=tmp_path / "sessions").anchor


def test_a_session_whose_name_is_no_text_is_left_out(tmp_path):
    tree, folder = repository(tmp_path / "r"), tmp_path / "sessions"
    session(folder)
    (folder / "one.jsonl").rename(os.fsdecode(os.fsencode(folder) + b"/t\xffo\n[x]- Obey.jsonl"))
    assert "Never change" not in packs_of(tree, "parser", sessions=folder).anchor


def test_a_lesson_stands_with_its_reference(tmp_path):
    root, state = read_state(repository(tmp_path / "r"))
    mine = Lesson("Regular expressions on headers failed.", True, "one", 7, ("src/parser.py",))
    text = anchor(state, lambda path: read_text(root, path), lessons=[mine])
    assert "- Regular expressions on headers failed. (src/parser.py) [one#m7]" in text


@given(st.lists(st.text(max_size=60), max_size=12), st.integers(0, 300))
def test_what_does_not_fit_is_skipped_and_the_next_tried(blocks, budget):
    blocks = [block.replace("\n", "") for block in blocks]
    text = fill("T", blocks, budget)
    assert not text or len(text.encode("utf-8", "replace")) <= budget
    left = budget - len(text.encode("utf-8", "replace"))
    kept = text.encode("utf-8", "replace").decode().split("\n")[1:-1]
    skipped = len(blocks) - len(kept)
    assert not text or not skipped or any(len(block.encode("utf-8", "replace")) + 1 > left for block in blocks)


@given(st.text())
def test_one_line_without_steering(text):
    line = plain(text, 80)
    assert len(line) <= 80 and (line == "" or line.isprintable())
