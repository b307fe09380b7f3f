"""Whatever is in a folder, reading it ends and a pack can be made."""

import os
import subprocess

import pytest

from continuity.repository.limits import Limits
from continuity.repository.state_reader import read_state, read_text
from handoffs.packs.oneshot import packs_of
from tests.packs.place import commit, git, repository, write


def test_it_works(tmp_path):
    write(tmp_path, src__parser_dot_py="def parse(): ...\n", node_modules__x_dot_js="var a\n")
    packs = packs_of(tmp_path, "the parser")
    assert packs.files == ("src/parser.py",)
    assert packs.head == "" and packs.identity.key == ""


def test_no_commit_no_remote(tmp_path):
    git(tmp_path, "init", "-q")
    write(tmp_path, a_dot_py="def first(): ...\n")
    assert packs_of(tmp_path, "first").files == ("a.py",)


def test_an_empty_folder(tmp_path):
    packs = packs_of(tmp_path, "anything")
    assert (packs.files, packs.context, packs.anchor, packs.delta) == ((), "", "", "")


def test_the_git_program_is_absent(tmp_path, monkeypatch):
    repository(tmp_path / "r")
    monkeypatch.setenv("PATH", "")
    assert "src/parser.py" in packs_of(tmp_path / "r", "parser").files


def test_a_subfolder_a_worktree_and_a_detached_head(tmp_path):
    tree = repository(tmp_path / "r")
    assert read_state(tree / "src")[0] == tree
    git(tree, "worktree", "add", "-q", "--detach", str(tmp_path / "w"), "HEAD~1")
    root, state = read_state(tmp_path / "w")
    assert root == tmp_path / "w"
    assert "src/printer.py" not in state.files


def test_a_submodule_is_not_entered(tmp_path):
    inner, tree = repository(tmp_path / "inner"), repository(tmp_path / "r")
    git(tree, "submodule", "--quiet", "add", str(inner), "deep")
    commit(tree, "Add a submodule")
    assert not [path for path in read_state(tree)[1].files if path.startswith("deep")]


def test_links_lead_nowhere(tmp_path):
    tree = repository(tmp_path / "r")
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "key.py").write_text("KEY = 1\n")
    write(tree, out__key_dot_py="x = 1\n")
    commit(tree, "A folder")
    (tree / "out" / "key.py").unlink()
    (tree / "out").rmdir()
    (tree / "out").symlink_to(tmp_path / "outside")
    (tree / "direct.py").symlink_to(tmp_path / "outside" / "key.py")
    (tree / "loop").symlink_to("loop")
    root, state = read_state(tree)
    assert not {"out/key.py", "direct.py", "loop"} & set(state.files)
    assert read_text(root, "out/key.py") is None and read_text(root, "direct.py") is None and read_text(root, "../outside/key.py") is None


def test_a_pipe_a_socket_and_a_device_do_not_hold_us(tmp_path):
    tree = repository(tmp_path / "r")
    os.mkfifo(tree / "pipe.py")
    assert "pipe.py" not in read_state(tree)[1].files
    assert read_text(tree, "pipe.py") is None


def test_a_file_that_is_gone_or_ignored_is_never_named(tmp_path):
    tree = repository(tmp_path / "r")
    (tree / "src/parser.py").unlink()
    (tree / "secret.txt").write_text("parser secret\n")
    packs = packs_of(tree, "the parser secret.txt", since="HEAD~1")
    assert "src/parser.py" not in packs.files and "secret.txt" not in packs.files
    assert "src/parser.py" not in packs.anchor + packs.context + packs.delta


@pytest.mark.parametrize(
    ("name", "named"),
    [
        (b"a b;rm -rf ~.py", True),
        (b"-rf.py", True),
        (b"new\nline.py", False),
        (b"\x1b[31m.py", False),
        (b"\xff\xfe.py", False),
        ("‮yp.exe".encode(), False),
        ("größe.py".encode(), True),
    ],
)
def test_names(tmp_path, name, named):
    tree = repository(tmp_path / "r")
    (tree / os.fsdecode(name)).write_bytes(b"def f(): ...\n")
    state = read_state(tree)[1]
    assert (name.decode("utf-8", "surrogateescape") in state.files) is named
    commit(tree, "Names")
    packs_of(tree, "f").context.encode()


@pytest.mark.parametrize(
    "content",
    [
        b"\0" * 100_000,
        b"\xff\xfe\xfa" * 50_000,
        b"def f(" * 200_000,
        b"(" * 400_000,
        b"func (" + b" " * 300_000,
        b'"' * 300_000,
        b"class A:\n" * 60_000,
        b"\r" * 300_000,
        b"",
        b"x" * 1_500_000,
    ],
    ids=range(10),
)
@pytest.mark.parametrize("ending", ["py", "go", "ts", "java", "md", "json"])
def test_contents(tmp_path, content, ending):
    (tmp_path / f"odd.{ending}").write_bytes(content)
    packs = packs_of(tmp_path, "def f ( class A")
    assert packs.files == (f"odd.{ending}",)


def test_more_untracked_files_than_are_looked_at(tmp_path):
    tree = repository(tmp_path / "r")
    for n in range(60):
        (tree / f"n{n:02}.py").write_text("x = 1\n")
    state = read_state(tree, Limits(untracked=10))[1]
    assert len(state.files) == 5 + 10


def test_damaged_objects(tmp_path):
    tree = repository(tmp_path / "r")
    for path in (tree / ".git/objects").glob("??/*"):
        path.chmod(0o644)
        path.write_bytes(b"broken")
    assert "src/parser.py" in packs_of(tree, "parser", since="HEAD~1").files


def test_a_commit_named_like_an_option_is_no_option(tmp_path):
    tree = repository(tmp_path / "r")
    for since in ("--output=x", "-h", "nothing", "HEAD~99", "a b", "\n"):
        packs_of(tree, "parser", since=since)
    assert subprocess.run(["git", "status", "--short"], cwd=tree, capture_output=True, text=True, check=True).stdout == ""
