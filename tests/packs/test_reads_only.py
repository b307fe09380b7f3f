"""No command that writes to a repository is ever run, and nothing that it configures."""

import time

import pytest

from continuity.repository.git import READS, Git, NotARead
from continuity.repository.limits import Limits
from continuity.repository.state_reader import read_state
from handoffs.packs.oneshot import packs_of
from tests.packs.place import commit, fingerprint, git, repository, write


def test_it_works(tmp_path):
    root, state = read_state(repository(tmp_path / "r"))
    assert root == tmp_path / "r"
    assert list(state.files) == [".gitignore", "CLAUDE.md", "src/parser.py", "src/printer.py", "tests/test_parser.py"]
    assert [commit.message for commit in state.commits] == ["Print pages in colour", "Parse headers of mail"]
    assert state.commits[0].paths == ("src/printer.py",)
    assert state.head == git(root, "rev-parse", "HEAD").strip()


def test_every_command_that_runs_is_a_read_and_nothing_changes(tmp_path, monkeypatch):
    tree = repository(tmp_path / "r")
    first = git(tree, "rev-list", "--max-parents=0", "HEAD").strip()
    write(tree, src__printer_dot_py="changed = 1\n", new_dot_py="x = 1\n")
    asked = []
    whole = Git.read

    def read(self, *arguments, **given):
        asked.append(arguments)
        return whole(self, *arguments, **given)

    monkeypatch.setattr(Git, "read", read)
    before = fingerprint(tree)
    packs_of(tree, "the printer", since=first)
    assert fingerprint(tree) == before
    assert {*(each[0] for each in asked), "blame"} == READS  # that is asked of one line, by `continuity why`
    assert all("--get-regexp" in each for each in asked if each[0] == "config")


@pytest.mark.parametrize(
    "arguments",
    [
        ("commit",),
        ("status",),
        ("config", "a.b", "c"),
        ("update-ref", "HEAD", "x"),
        ("diff-tree", "--output=x", "HEAD"),
        ("diff-index", "HEAD"),
        (),
    ],
)
def test_another_command_is_refused(tmp_path, arguments):
    with pytest.raises(NotARead):
        Git(tmp_path).read(*arguments)


def test_what_a_repository_configures_does_not_run(tmp_path):
    tree, trap = repository(tmp_path / "r"), tmp_path / "ran"
    script = tmp_path / "trap.sh"
    script.write_text(f"#!/bin/sh\ntouch {trap}\ncat\n")
    script.chmod(0o755)
    for name in (
        "core.fsmonitor",
        "diff.external",
        "filter.x.clean",
        "filter.x.smudge",
        "diff.x.textconv",
        "core.pager",
        "core.sshCommand",
    ):
        git(tree, "config", name, str(script))
    (tree / ".gitattributes").write_text("* filter=x diff=x\n")
    (tree / "src/parser.py").write_text("other = 1\n")
    packs_of(tree, "parser", since="HEAD~1")
    assert not trap.exists()


def test_gits_own_variables_lead_nowhere(tmp_path, monkeypatch):
    tree, other = repository(tmp_path / "r"), repository(tmp_path / "other")
    write(other, x_dot_py="x = 1\n")
    commit_of_other = commit(other, "Another")
    monkeypatch.setenv("GIT_DIR", str(other / ".git"))
    assert read_state(tree)[1].head != commit_of_other


def test_a_repository_that_names_a_folder_above_it_as_its_own_reads_nothing_there(tmp_path):
    tree = repository(tmp_path / "r")
    write(tmp_path, private_dot_txt="the parser of my diary\n")
    git(tree, "config", "core.worktree", str(tmp_path))
    for folder in (tree, tree / "src"):
        root, state = read_state(folder)
        assert root == folder and not [path for path in state.files if "private" in path]


@pytest.mark.parametrize("path", ["", ".", "relative:"])
def test_a_program_in_the_repository_is_not_taken_for_git(tmp_path, monkeypatch, path):
    tree = repository(tmp_path / "r")
    for program in (tree / "git", tree / "relative/git"):
        program.parent.mkdir(exist_ok=True)
        program.write_text(f"#!/bin/sh\necho ran > {tmp_path}/ran\n")
        program.chmod(0o755)
    monkeypatch.setenv("PATH", path)
    read_state(tree)
    assert not (tmp_path / "ran").exists()


def test_commits_in_another_encoding_are_read(tmp_path):
    tree = repository(tmp_path / "r")
    git(tree, "config", "i18n.logOutputEncoding", "UTF-16")
    assert [commit.message for commit in read_state(tree)[1].commits] == ["Print pages in colour", "Parse headers of mail"]


def test_a_command_that_lasts_is_ended(tmp_path, monkeypatch):
    slow = tmp_path / "bin" / "git"
    slow.parent.mkdir()
    slow.write_text("#!/bin/sh\necho begun\nexec sleep 60\n")
    slow.chmod(0o755)
    monkeypatch.setenv("PATH", str(slow.parent) + ":/usr/bin:/bin")
    begun = time.monotonic()
    assert Git(tmp_path, Limits(seconds=0.3)).read("ls-files") == b"begun\n"
    assert time.monotonic() - begun < 20
