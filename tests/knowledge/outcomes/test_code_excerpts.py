"""Code that was read: what is kept of it, and what is forgotten when it changes."""

from __future__ import annotations

import pytest

from continuity.knowledge.evidence import CodeExcerpt
from continuity.knowledge.extractors.outcomes.code_excerpts import BODY, LOOK, SIZE
from continuity.transcripts.base.model import Message
from tests.knowledge.talk import CWD, agent, call, distil, person, ran, result

ASKED = person("Why does a discarded session leave its branch behind?")
SOURCE = """\
   283→// discardSession removes a session and cleans up its branch.
   284→func discardSession(s session) error {
   285→\tif err := clear(s.id); err != nil {
   286→\t\treturn err
   287→\t}
   288→
   289→\treturn deleteBranch(s.branch)
   290→}
   291→
   292→var count int"""
BODY_OF_IT = """\
// discardSession removes a session and cleans up its branch.
func discardSession(s session) error {
\tif err := clear(s.id); err != nil {
\t\treturn err
\t}

\treturn deleteBranch(s.branch)
}"""


def shown(path: str, text: str, call_id: str = "r1") -> tuple[Message, Message]:
    return call("Read", call_id, file_path=f"{CWD}/{path}"), result(text, call_id)


def kept(*messages: Message | tuple[Message, ...]) -> list[CodeExcerpt]:
    return list(distil(ASKED, *messages).knowledge.situation.excerpts)


def test_it_works() -> None:
    assert kept(shown("fix.go", SOURCE)) == [CodeExcerpt("fix.go", 3, "discardSession", BODY_OF_IT, 283)]


def test_a_look_by_the_shell_is_one() -> None:
    plain = "def discard_session(session):\n    clear(session)\n    return session.branch\n\n\nx = 1\n"
    (found,) = kept(ran("sed -n '10,16p' fix.py", plain))
    assert (found.name, found.line) == ("discard_session", 10)
    assert found.body == "def discard_session(session):\n    clear(session)\n    return session.branch"


def test_what_a_definition_holds_is_no_definition_of_its_own() -> None:
    text = (
        "class Store:\n    def load(self):\n        return 1\n\n    def save(self):\n        return 2\n\n\nclass Other:\n    x = 1\n\ny = 1"
    )
    assert [each.name for each in kept(shown("store.py", text))] == ["Store", "Other"]


def test_a_signature_of_several_lines_is_whole() -> None:
    text = "async function handoff(\n  session: Session,\n  note: Note,\n): Promise<void> {\n  await send(session);\n}\n\nlet x = 1;"
    assert kept(shown("a.ts", text))[0].body.endswith("await send(session);\n}")


def test_of_a_long_result_only_what_the_latest_words_name_is_kept() -> None:
    filler = "\n".join(f"def other_{n}():\n    return {n}\n" for n in range(LOOK))
    text = f"{filler}\n# Deletes the branch.\ndef delete_branch(name):\n    run('git', 'branch', '-D', name)\n    return name\n\n{filler}"
    assert kept(shown("git.py", text)) == []
    named = agent("`delete_branch` may fail: let me look at it, and at every_other.")
    (found,) = kept(named, shown("git.py", text))
    assert (found.name, found.body.split("\n")[0]) == ("delete_branch", "# Deletes the branch.")
    numbered = "\n".join(f"{n}\t{line}" for n, line in enumerate(text.split("\n"), 1))
    (found,) = kept(named, shown("git.py", numbered))
    assert found.line == text.split("\n").index("# Deletes the branch.") + 1


def test_of_tests_only_what_is_named_is_kept_and_of_documents_nothing() -> None:
    assert kept(shown("tests/test_fix.py", "def test_discard():\n    assert discard()\n\n\nx = 1")) == []
    assert kept(shown("docs/fix.md", SOURCE)) == []


def test_a_long_definition_is_cut_with_a_mark() -> None:
    text = "def discard_all():\n" + "\n".join(f"    step_{n}()" for n in range(2 * BODY))
    (found,) = kept(shown("fix.py", text))
    assert len(found.body.split("\n")) == BODY + 1 and found.body.endswith("…")
    (found,) = kept(shown("fix.py", "def discard_all():\n" + "\n".join(f"    # {'x' * 140}" for _ in range(20)) + "\n\nx = 1"))
    assert len(found.body) <= SIZE + 2 and found.body.endswith("…")


def test_a_result_that_ends_in_the_head_of_a_definition_shows_none() -> None:
    assert kept(shown("fix.go", "   283→func discardSession(s session) error {\n   284→\tif err := clear(s.id); err != nil {")) == []


@pytest.mark.parametrize("new", ["\treturn deleteBranchIfAny(s.branch)", "\treturn nil"])
def test_what_an_edit_takes_lines_out_of_is_forgotten(new: str) -> None:
    edit = call("Edit", "e1", file_path=f"{CWD}/fix.go", old_string="\treturn deleteBranch(s.branch)", new_string=new)
    assert kept(shown("fix.go", SOURCE), edit, result("ok", "e1")) == []
    assert len(kept(shown("fix.go", SOURCE), edit, result("no", "e1", failed=True))) == 1, "it changed nothing"
    other = call("Edit", "e1", file_path=f"{CWD}/other.go", old_string="\treturn deleteBranch(s.branch)", new_string=new)
    assert len(kept(shown("fix.go", SOURCE), other, result("ok", "e1"))) == 1


def test_a_file_that_is_written_anew_is_forgotten() -> None:
    written = call("Write", "w1", file_path=f"{CWD}/fix.go", content="package fix\n")
    assert kept(shown("fix.go", SOURCE), written, result("ok", "w1", data={"type": "create"})) == []


def test_code_with_a_secret_is_not_kept() -> None:
    text = 'def connect_to_store():\n    token = "ghp_' + "a1B2c3D4e5" * 3 + 'f6G7h8"\n    return token\n\nx = 1'
    assert kept(shown("store.py", text)) == []


def test_a_hostile_result_takes_no_long_time() -> None:
    assert kept(agent("Look at fooBar."), shown("a.py", "fooBar " * 8000)) == []
    assert kept(agent("Look at fooBar."), shown("a.py", "((((" * 5000 + "\ndef foo_bar(" + "(" * 5000)) == []


def test_a_point_of_the_latest_list_is_named_however_much_was_said_since() -> None:
    found = agent("Two bugs:\n\n1. `discardSession` fails where the branch is gone.\n2. `otherThing` is stale.\n\nLet me fix them.")
    later = [agent(f"I looked at the place number {n} and it is as it should be.") for n in range(3)]
    assert [each.name for each in kept(found, *later, shown("fix.go", "var x = 1\n" * 130 + SOURCE))] == ["discardSession"]


def test_code_whose_end_a_result_does_not_show_says_that_it_goes_on() -> None:
    shows = "\n".join(("func take(e env) error {", *(f"\tstep{n}(e)" for n in range(6)), "\treturn nil"))
    assert [each.body.endswith("return nil\n…") for each in kept(shown("env.go", shows))] == [True]
    assert [each.body.endswith("}") for each in kept(shown("env.go", shows + "\n}"))] == [True]
