"""What is no change between two packages: the folder in front of a path, a line under another key, a list in another order."""

import pytest

from handoffs.building.comparison import PackageDifference, difference
from handoffs.contract.model import PackageItem, PackageSection, SectionKind

FOLDERS = ("/home/aylin/code/tide", "/srv/jonas/tide/", "", "/")


def section(kind, *lines):
    return PackageSection(
        kind, tuple(PackageItem(f"x{n}", key, text, 1, 5, 0.9, label=label) for n, (key, text, label) in enumerate(lines))
    )


def files(*lines):
    return [section(SectionKind.FILES, *((f"{action}:{path}", shown, action) for action, path, shown in lines))]


def said(key, text, label="", kind=SectionKind.DECISIONS):
    return [section(kind, (key, text, label))]


def compared(before, after):
    found = difference(before, after, {}, FOLDERS)
    return [item.text for _, item in found.new], [gone.item.text for gone in found.gone], [each.after.text for each in found.changed]


@pytest.mark.parametrize("path", ["/home/aylin/code/tide/app/a.py", "/srv/jonas/tide/app/a.py"])
def test_it_works(path):
    """A folder in front of a path is no change, whether the line keeps its key or not."""
    for key in (path, "app/a.py"):
        before, after = files(("modified", path, path)), files(("modified", key, "app/a.py"))
        assert difference(before, after, {}, FOLDERS) == difference(after, before, {}, FOLDERS) == PackageDifference((), (), ())


def test_a_file_of_the_same_name_elsewhere_is_another_one():
    before, after = files(("modified", "/opt/other/a.py", "/opt/other/a.py")), files(("modified", "a.py", "a.py"))
    assert compared(before, after) == (["a.py"], ["/opt/other/a.py"], [])
    longer = files(("modified", "x", "/home/aylin/code/tide-old/a.py"))
    assert compared(longer, after) == (["a.py"], ["/home/aylin/code/tide-old/a.py"], [])


def test_the_folders_in_commands_and_the_folder_itself_are_no_change():
    state = SectionKind.STATE
    assert compared(said("cwd", "/home/aylin/code/tide", "cwd", state), said("cwd", "/srv/jonas/tide", "cwd", state)) == ([], [], [])
    ran, again = "cd /home/aylin/code/tide && make test", "cd /srv/jonas/tide && make test"
    assert compared(said("a", ran, "", state), said("b", again, "", state)) == ([], [], [])
    assert compared(said("cwd", "/home/aylin/code/tide", "cwd", state), said("cwd", "/srv/jonas/dam", "cwd", state))[2] == [
        "/srv/jonas/dam"
    ]


def test_what_else_was_done_in_a_file_is_a_change():
    before = files(("modified", "/home/aylin/code/tide/a.py", "a.py — defines claim"))
    after = files(("modified", "a.py", "a.py — defines claim, lease"))
    assert compared(before, after) == ([], [], ["a.py — defines claim, lease"])
    assert compared(files(("created", "a.py", "a.py")), files(("deleted", "a.py", "a.py"))) == ([], [], ["a.py"])
    assert compared(files(("modified", "a.py", "a.py")), files(("read", "a.py", "a.py"))) == ([], [], [])


def test_one_statement_is_never_both_new_and_gone():
    assert compared(said("a", "Use `Postgres`."), said("b", "Use  postgres.", kind=SectionKind.RULES)) == ([], [], [])
    assert compared(said("a", "Use Postgres."), [*said("a", "Use Postgres."), *said("b", "Use Postgres.", kind=SectionKind.RULES)])[0] == []
    both = [*said("b", "Use Postgres."), *said("c", "Use Postgres.", kind=SectionKind.RULES)]
    assert compared([], both) == (["Use Postgres."], [], [])


def test_a_list_of_files_whose_state_became_uncertain_is_a_change():
    before, after = said("a", "x.py, y.py", "uncommitted", SectionKind.NEXT), said("b", "y.py, x.py", "unknown", SectionKind.NEXT)
    assert compared(before, after) == ([], [], ["y.py, x.py"])


def test_what_holds_again_is_a_change():
    assert compared(said("a", "Use Redis.", "not"), said("b", "Use Redis.")) == ([], [], ["Use Redis."])
