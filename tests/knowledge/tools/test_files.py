"""The artifact trail: what happened to which path, by tool, patch and shell."""

from __future__ import annotations

import pytest

from continuity.knowledge import merge_files
from continuity.knowledge.model import FileAction, FileTouch
from tests.knowledge.talk import CWD, call, distil, ran, result


def test_it_works() -> None:
    done = distil(
        call("Write", file_path=f"{CWD}/a.py", content="x"), result("File created"), call("Edit", file_path=f"{CWD}/b.py"), result("ok")
    )
    assert done.paths() == {"a.py": "created", "b.py": "modified"}


@pytest.mark.parametrize(
    ("name", "arguments", "paths"),
    [
        ("Read", {"file_path": f"{CWD}/a.py", "offset": 10, "limit": 5}, {"a.py": "read"}),
        ("MultiEdit", {"file_path": f"{CWD}/a.py"}, {"a.py": "modified"}),
        ("NotebookEdit", {"notebook_path": f"{CWD}/n.ipynb"}, {"n.ipynb": "modified"}),
        ("write_to_file", {"path": "src/a.py"}, {"src/a.py": "created"}),
        ("str_replace_editor", {"command": "create", "path": f"{CWD}/a.py"}, {"a.py": "created"}),
        ("str_replace_editor", {"command": "str_replace", "path": f"{CWD}/a.py"}, {"a.py": "modified"}),
        ("str_replace_editor", {"command": "view", "path": f"{CWD}/a.py"}, {"a.py": "read"}),
        ("delete_file", {"target_file": "a.py"}, {"a.py": "deleted"}),
        ("read_file", {"absolute_path": "/etc/hosts"}, {"/etc/hosts": "read"}),
        (
            "apply_patch",
            {"patch": "*** Begin Patch\n*** Add File: a.py\n+x\n*** Delete File: b.py\n*** End Patch"},
            {"a.py": "created", "b.py": "deleted"},
        ),
        ("Grep", {"pattern": "x", "path": CWD}, {}),
    ],
)
def test_file_tools(name: str, arguments: dict[str, object], paths: dict[str, str]) -> None:
    assert distil(call(name, **arguments), result("ok")).paths() == paths  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("script", "paths"),
    [
        ("rm a.py b.py", {"a.py": "deleted", "b.py": "deleted"}),
        ("git rm -r old", {"old": "deleted"}),
        ("mv a.py lib/", {"lib/a.py": "renamed"}),
        ("git mv a.py b.py", {"b.py": "renamed"}),
        ("cp a.py b.py", {"b.py": "created"}),
        ("touch new.txt", {"new.txt": "created"}),
        ("cat > a.py <<'EOF'\nx\nEOF", {"a.py": "created"}),
        ("echo x >> notes.md", {"notes.md": "modified"}),
        ("make | tee build.log", {"build.log": "created"}),
        ("sed -i 's/a/b/' a.py b.py", {"a.py": "modified", "b.py": "modified"}),
        ("sed -n '10,20p' a.py", {"a.py": "read"}),
        ("cat a.py | head -5", {"a.py": "read"}),
        ("cd sub && rm a.py", {"sub/a.py": "deleted"}),
        ("cd $TMP && rm a.py", {}),
        ("rm -rf /tmp/x $HOME/y *.pyc", {}),
        ("mkdir -p src/lib", {}),
        ("rg foo src", {}),
        ("pytest > /dev/null 2>&1", {}),
        ("apply_patch <<'EOF'\n*** Begin Patch\n*** Update File: a.py\n*** Move to: b.py\n*** End Patch\nEOF", {"b.py": "renamed"}),
        ("git apply <<'EOF'\n--- a/x.py\n+++ b/x.py\n@@ -1 +1 @@\nEOF", {"x.py": "modified"}),
        ("git checkout --theirs conflicted.go", {"conflicted.go": "modified"}),
        ("bash -c 'cat > a.py <<EOF\nx\nEOF'", {"a.py": "created"}),
        ("sudo sh -c 'echo x >> /etc/hosts'", {"/etc/hosts": "modified"}),
        ("cat <<EOF | sudo tee -a /etc/hosts\nx\nEOF", {"/etc/hosts": "modified"}),
        ("tee a.py <<< word", {"a.py": "created"}),
        ("rtk read a.py", {"a.py": "read"}),
        ("timeout 5 sed -i s/a/b/ a.py", {"a.py": "modified"}),
        ("git -C sub rm a.py", {"sub/a.py": "deleted"}),
        ("sort -o b.txt a.txt && truncate -s 0 a.log && dd if=x of=c.bin", {"b.txt": "created", "a.log": "modified", "c.bin": "created"}),
        ("Set-Content -Path a.txt -Value x", {"a.txt": "created"}),
    ],
)
def test_shell_evidence(script: str, paths: dict[str, str]) -> None:
    assert distil(*ran(script)).paths() == paths


def test_a_failed_edit_leaves_no_trace() -> None:
    assert distil(call("Edit", file_path="a.py"), result("String not found", failed=True)).paths() == {}


def test_a_failing_script_counts_but_for_its_last_command() -> None:
    done = distil(*ran("cat > probe.py <<'EOF'\nx\nEOF\npython probe.py > out.txt", "Traceback", exit_code=1))
    assert done.paths() == {"probe.py": "created"}


def test_writing_to_a_file_that_was_read_modifies_it() -> None:
    done = distil(call("Read", file_path="a.py"), result("x"), call("Write", "c2", file_path="a.py"), result("ok", "c2"))
    assert done.paths() == {"a.py": "modified"}


def test_the_tools_own_report_decides_between_new_and_changed() -> None:
    data = {"type": "update", "structuredPatch": [{"newStart": 10, "newLines": 4}, {"newStart": 40, "newLines": 3}]}
    (file,) = distil(call("Write", file_path="a.py"), result("ok", data=data)).knowledge.files
    assert (file.action, file.note) == (FileAction.MODIFIED, "40-42")


def test_created_then_modified_is_created_and_counts_both() -> None:
    done = distil(call("Write", file_path="a.py"), result("ok"), call("Edit", "c2", file_path="a.py"), result("ok", "c2"))
    (file,) = done.knowledge.files
    assert (file.action, file.count, file.seq, file.last_seq) == (FileAction.CREATED, 2, 2, 4)


def test_created_then_deleted_is_deleted() -> None:
    (file,) = distil(call("Write", file_path="a.py"), result("ok"), *ran("rm a.py", call_id="c2")).knowledge.files
    assert (file.action, file.note) == (FileAction.DELETED, "created here")


def test_created_then_renamed_is_created_under_the_new_path() -> None:
    (file,) = distil(call("Write", file_path="a.py"), result("ok"), *ran("mv a.py b.py", call_id="c2")).knowledge.files
    assert (file.path, file.action) == ("b.py", FileAction.CREATED)


def test_of_several_renames_in_a_row_the_first_path_is_kept() -> None:
    (file,) = distil(*ran("mv a.py b.py && mv b.py c.py"), *ran("mv c.py d.py", call_id="c2")).knowledge.files
    assert (file.path, file.action, file.note) == ("d.py", FileAction.RENAMED, "a.py")


def test_a_file_that_was_moved_back_names_where_it_was_last() -> None:
    assert distil(*ran("mv a.py b.py && mv b.py a.py")).knowledge.files == ()
    epochs = [FileTouch("b.py", FileAction.RENAMED, 1, 1, note="a.py"), FileTouch("a.py", FileAction.RENAMED, 2, 2, note="b.py")]
    (file,) = merge_files(epochs)
    assert (file.path, file.note) == ("a.py", "b.py")


def test_files_are_merged_over_epochs_latest_first() -> None:
    rows = [
        FileTouch("a.py", FileAction.CREATED, 10, 20, 0, 2),
        FileTouch("a.py", FileAction.MODIFIED, 1500, 1600, 1, 3, "5-9"),
        FileTouch("b.py", FileAction.READ, 30, 1700, 0, 9),
        FileTouch("c.py", FileAction.MODIFIED, 40, 50, 0, 1),
    ]
    merged = merge_files(rows)
    assert [(f.path, f.action.value, f.count, f.note) for f in merged] == [
        ("b.py", "read", 9, ""),
        ("a.py", "created", 5, "5-9"),
        ("c.py", "modified", 1, ""),
    ]
    assert merge_files(reversed(rows)) == merged


def test_a_side_chain_leaves_files_but_no_words() -> None:
    done = distil(call("Write", agent="explorer", file_path="a.py"), result("ok", agent="explorer"))
    assert done.paths() == {"a.py": "created"}


ABSOLUTE = f"{CWD}/src/a.py"
WAYS = [
    ran("cat > src/a.py <<'EOF'\nx\nEOF"),
    ran("cat ./src/a.py"),
    ran("cd src && echo x >> a.py"),
    (call("Read", file_path=ABSOLUTE), result("x")),
    (call("Edit", file_path="src/a.py"), result("ok")),
    (call("Edit", file_path="./src/../src/a.py", cwd=f"{CWD}/src"), result("ok", cwd=f"{CWD}/src")),
    (call("read_file", path="~/shop/src/a.py"), result("x")),
    ran("git -C src add a.py && tee a.py < /dev/null", cwd=f"{CWD}/src"),
]


@pytest.mark.parametrize("first", range(5))  # a path that is told from elsewhere is understood where the file is known
def test_one_file_has_one_row_however_it_is_named(first: int) -> None:
    began = call("Bash", command="true"), result("")
    done = distil(began, *WAYS[first:], *WAYS[:first])
    assert set(done.paths()) == {"src/a.py"}
    assert done.paths()["src/a.py"] in ("created", "modified")


@pytest.mark.parametrize("names", [["src/a.py", ABSOLUTE], [ABSOLUTE, "src/a.py"], [ABSOLUTE, "./src/a.py"]])
def test_where_no_directory_is_told_a_file_is_known_by_the_end_of_its_path(names: list[str]) -> None:
    done = distil(*(message for name in names for message in (call("Edit", file_path=name, cwd=""), result("ok", cwd=""))))
    assert list(done.paths()) == [names[0].removeprefix("./")]


def test_files_of_one_name_in_two_projects_stay_two() -> None:
    names = ["/a/src/x.py", "/b/src/x.py", "src/x.py", "README.md", "/a/README.md"]
    done = distil(*(message for name in names for message in (call("Edit", file_path=name, cwd=""), result("ok", cwd=""))))
    assert set(done.paths()) == set(names)


def test_a_file_that_a_redirect_changed_is_changed_though_it_was_read_under_another_name() -> None:
    done = distil(call("Read", file_path=ABSOLUTE), result("x"), *ran("cat >> ./src/a.py <<EOF\ny\nEOF"), *ran(f"cat {ABSOLUTE}", "x"))
    assert done.paths() == {"src/a.py": "modified"}
