"""Where a repository stands: a digest of all contents, which costs little when nothing changed."""

import os
import subprocess

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from continuity.repository import tree_state as standings
from continuity.repository.tree_state import read_tree_state
from tests.packs.place import commit, fingerprint, git, repository, write


@pytest.fixture(scope="module")
def tree(tmp_path_factory):
    return repository(tmp_path_factory.mktemp("standing") / "r")


def test_it_works(tree):
    first = read_tree_state(tree)
    assert (first.root, first.head) == (tree, git(tree, "rev-parse", "HEAD").strip())
    assert read_tree_state(tree, remembered=first.remembered, known=first.identity).changed == first.changed
    assert first.identity.roots


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(st.lists(st.sampled_from(["one", "two", "six", "ten"]), min_size=2, max_size=4), st.booleans())
def test_any_changed_contents_differ_whatever_is_remembered(tree, texts, old):
    """Same size, same time of change as far as a program can set it."""
    found: dict[str, str] = {}
    remembered: standings.Remembered = {}
    path = tree / "src" / "printer.py"
    for text in texts:
        path.write_text(text)
        if old:
            os.utime(path, ns=(1_000, 1_000))
        seen = read_tree_state(tree, remembered=remembered)
        remembered = seen.remembered
        assert found.setdefault(text, seen.changed) == seen.changed
    assert len(set(found.values())) == len(found)
    git(tree, "checkout", "-q", "--", "src/printer.py")


def test_nothing_is_read_again_that_did_not_change(tmp_path, monkeypatch):
    tree = repository(tmp_path / "r")
    monkeypatch.setattr(standings, "RACY", -(10**18))  # as if all of it were old
    first = read_tree_state(tree)
    monkeypatch.setattr(standings, "read_bytes", None)
    assert read_tree_state(tree, remembered=first.remembered, known=first.identity).changed == first.changed


@pytest.mark.parametrize("change", ["branch", "commit", "new", "gone", "staged"])
def test_each_kind_of_change_shows(tmp_path, change):
    tree = repository(tmp_path / "r")
    first = read_tree_state(tree)
    if change == "branch":
        git(tree, "checkout", "-q", "HEAD~1")
    elif change == "commit":
        git(tree, "commit", "-q", "--allow-empty", "-m", "Nothing")
    elif change == "new":
        write(tree, src__other_dot_py="x = 1\n")
    elif change == "gone":
        (tree / "src" / "parser.py").unlink()
    else:
        write(tree, src__parser_dot_py="y = 1\n")
        git(tree, "add", "-A")
    assert read_tree_state(tree, remembered=first.remembered).changed != first.changed


def test_looking_changes_nothing(tmp_path):
    tree = repository(tmp_path / "r")
    git(tree, "-c", "protocol.file.allow=always", "submodule", "add", "-q", str(tree), "below")
    commit(tree, "Add a module")
    before = fingerprint(tree)
    for folder in (tree, tree / "below", tree / "src"):
        assert read_tree_state(folder).head
    assert fingerprint(tree) == before


def test_without_git_and_without_a_commit_it_stands_somewhere_too(tmp_path):
    write(tmp_path / "plain", a_dot_py="x\n")
    assert (read_tree_state(tmp_path / "plain").head, list(read_tree_state(tmp_path / "plain").files)) == ("", ["a.py"])
    subprocess.run(["git", "init", "-q", str(tmp_path / "empty")], check=True)
    assert read_tree_state(tmp_path / "empty").head == ""


def test_more_than_can_be_hashed_counts_by_its_times(tmp_path, monkeypatch):
    monkeypatch.setattr(standings, "HASHED_FILES", 0)
    tree = repository(tmp_path / "r")
    first = read_tree_state(tree)
    assert first.changed == read_tree_state(tree).changed
    write(tree, src__parser_dot_py="other = 1\n")
    assert first.changed != read_tree_state(tree).changed
