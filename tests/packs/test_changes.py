"""What changed since a commit, in later commits, in the index and in the work tree."""

import subprocess

import pytest

from continuity.repository.changes import Changes, changes
from continuity.repository.state_reader import read_state
from tests.packs.place import commit, git, repository, write


def test_it_works(tmp_path):
    tree = repository(tmp_path / "r")
    assert changes(*read_state(tree)).files == ()
    write(tree, src__parser_dot_py="def parse_header(line):\n    return line.strip()\n", new_dot_py="x = 1\n")
    (tree / "CLAUDE.md").unlink()
    found = changes(*read_state(tree), "HEAD~1")
    assert [(each.path, each.before is None) for each in found.files] == [
        ("new.py", True),
        ("src/parser.py", False),
        ("src/printer.py", True),
    ]
    assert (found.gone, found.subjects) == (1, ("Print pages in colour",))


def test_what_is_staged_is_not_committed(tmp_path):
    tree = repository(tmp_path / "r")
    write(tree, src__parser_dot_py="def parse_header(line):\n    return line.strip()\n", new_dot_py="x = 1\n")
    (tree / "CLAUDE.md").unlink()
    git(tree, "add", "-A")
    found = changes(*read_state(tree))
    assert [(each.path, each.before is None) for each in found.files] == [("new.py", True), ("src/parser.py", False)]
    assert found.gone == 1


def test_a_file_that_was_changed_and_then_removed_is_gone_once(tmp_path):
    tree = repository(tmp_path / "r")
    write(tree, src__printer_dot_py="other = 1\n")
    commit(tree, "Another printer")
    (tree / "src/printer.py").unlink()
    assert changes(*read_state(tree), "HEAD~1").gone == 1


def test_a_link_in_the_place_of_a_file_is_not_gone(tmp_path):
    tree = repository(tmp_path / "r")
    (tree / "src/printer.py").unlink()
    (tree / "src/printer.py").symlink_to("parser.py")
    commit(tree, "A link")
    assert changes(*read_state(tree), "HEAD~1") == Changes((), 0, ("A link",))


def test_a_file_that_is_too_large_to_compare_hides_no_other(tmp_path, monkeypatch):
    monkeypatch.setattr("continuity.repository.changes.HASHED_BYTES", 1_000)
    tree = repository(tmp_path / "r")
    write(tree, a_dot_bin="x" * 2_000)
    commit(tree, "A large file")
    write(tree, src__printer_dot_py="other = 1\n")
    assert [each.path for each in changes(*read_state(tree)).files] == ["src/printer.py"]


def test_commits_are_those_that_the_named_one_does_not_hold(tmp_path):
    tree = repository(tmp_path / "r")
    git(tree, "checkout", "-q", "-b", "side", "HEAD~1")
    write(tree, side_dot_py="x = 1\n")
    commit(tree, "Aside")
    assert changes(*read_state(tree), "main").subjects == ("Aside",)


def test_a_conflict_is_shown_as_it_stands(tmp_path):
    tree = repository(tmp_path / "r")
    git(tree, "checkout", "-q", "-b", "side")
    write(tree, src__printer_dot_py="theirs = 1\n")
    commit(tree, "Theirs")
    git(tree, "checkout", "-q", "main")
    write(tree, src__printer_dot_py="ours = 1\n")
    commit(tree, "Ours")
    with pytest.raises(subprocess.CalledProcessError):
        git(tree, "merge", "side")
    (found,) = changes(*read_state(tree)).files
    assert (found.path, found.before) == ("src/printer.py", "ours = 1\n") and "<<<<<<<" in found.after


def test_windows_line_ends_are_no_change(tmp_path):
    tree = repository(tmp_path / "r")
    (tree / "src/printer.py").write_bytes((tree / "src/printer.py").read_bytes().replace(b"\n", b"\r\n"))
    assert changes(*read_state(tree)).files == ()
