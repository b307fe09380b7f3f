"""What was tried and taken back is one line of a directive."""

from __future__ import annotations

import pytest

from continuity.transcripts.base.model import Message
from tests.knowledge.talk import CWD, agent, call, distil, person, result
from tests.packages.samples import prepared

ASKED = person("Take out the aliases of the settings.")


def edit(n: int, path: str, old: str, new: str) -> tuple[Message, Message]:
    return call("Edit", f"e{n}", file_path=f"{CWD}/{path}", old_string=old, new_string=new), result("ok", f"e{n}")


TRIED = (
    ASKED,
    edit(1, "config.go", "type Settings = settings.Settings", "type Options = settings.Settings"),
    agent("Now the unqualified names have to be qualified in setup.go."),
    edit(2, "setup.go", "use(&SettingsOfAll{})", "use(&settings.SettingsOfAll{})"),
    edit(3, "setup.go", 'import (\n\t"os"\n)', 'import (\n\t"os"\n\t"settings"\n)'),
)
BACK = (
    agent("That shadows a variable. Revert setup.go."),
    edit(4, "setup.go", "&settings.SettingsOfAll{}", "&SettingsOfAll{}"),
    edit(5, "setup.go", '\t"settings"\n', ""),
)


def told(*messages: Message | tuple[Message, ...]) -> str:
    return prepared(distil(*messages).knowledge, budget=4000).text


def test_it_works() -> None:
    text = told(*TRIED, *BACK)
    assert "changed config.go; tried and undone: setup.go" in text
    assert "-use(&SettingsOfAll{})" not in text and "have to be qualified" not in text and "Modified: setup.go" not in text


def test_what_is_not_wholly_taken_back_was_changed() -> None:
    assert "undone" not in told(*TRIED) and "undone" not in told(*TRIED, *BACK[:-1])


@pytest.mark.parametrize(
    "edits",
    [
        (("\tfirst()\n\tmove_me_down()\n", "\tfirst()\n"), ("\tlast()\n", "\tlast()\n\tmove_me_down()\n")),
        (("nil", "err"), ("err", "nil")),
        (("move_me_down()\n", ""), ("", "move_me_down()\n")),
    ],
    ids=["moved within the file", "a word that may stand anywhere", "put in nobody knows where"],
)
def test_what_may_be_another_change_is_told(edits: tuple[tuple[str, str], ...]) -> None:
    assert "undone" not in told(ASKED, *(edit(n, "setup.go", old, new) for n, (old, new) in enumerate(edits)))


def test_a_file_that_was_committed_between_is_changed() -> None:
    commit = (call("Bash", "c", command="git commit -am 'Qualify names'"), result("[main 0123abc] Qualify names\n 2 files changed", "c"))
    assert "undone" not in told(*TRIED, commit, *BACK)


def test_what_an_earlier_request_undid_is_not_told_of_the_one_in_work() -> None:
    text = told(*TRIED, *BACK, agent("The aliases are out."), person("Now log each change of the settings."), edit(6, "log.go", "a", "b"))
    assert "changed log.go" in text and "tried and undone" not in text
