"""Whether a changed file is committed, as far as git's results tell."""

from __future__ import annotations

import pytest

from continuity.knowledge.evidence import Keeping
from continuity.transcripts.base.model import Message
from tests.knowledge.talk import call, distil, person, ran, result

ASKED = person("Fix the total of the cart.")
ON = ran("git status -sb", "## main\n")


def edited(path: str, call_id: str = "e1") -> tuple[Message, Message]:
    return call("Edit", call_id, file_path=path, old_string="a = 1", new_string="a = 2"), result("ok", call_id)


def states(*messages: Message | tuple[Message, ...]) -> dict[str, tuple[str, str]]:
    return {each.path: (each.keeping.value, each.commit) for each in distil(*messages).knowledge.situation.changed}


def test_it_works() -> None:
    told = states(
        ASKED, ON, edited("src/cart.py"), ran("git add src/cart.py && git commit -m x", "[main abc1234] x\n 1 file changed, 1 insertion(+)")
    )
    assert told == {"src/cart.py": ("committed", "abc1234")}


def test_what_was_edited_in_this_turn_is_uncommitted() -> None:
    assert states(ASKED, ON, edited("src/cart.py")) == {"src/cart.py": ("uncommitted", "")}


def test_what_was_edited_before_the_person_spoke_is_not_certain() -> None:
    assert states(ASKED, ON, edited("src/cart.py"), person("Thanks, and the tax?")) == {"src/cart.py": ("unknown", "")}


@pytest.mark.parametrize(("command", "output"), [
    ("git status -s", " M src/cart.py\n"), ("git diff --stat", " src/cart.py | 2 +-\n 1 file changed"),
    ("git diff --name-only", "src/cart.py\n"), ("git diff", "diff --git a/src/cart.py b/src/cart.py\n-a\n+b"),
    ("git status", "On branch main\nChanges not staged for commit:\n\tmodified:   src/cart.py\n"),
    ("cd src && git status -s", " M cart.py\n"),
])  # fmt: skip
def test_what_git_lists_is_uncommitted(command: str, output: str) -> None:
    assert states(ASKED, ON, edited("src/cart.py"), person("And?"), ran(command, output)) == {"src/cart.py": ("uncommitted", "")}


@pytest.mark.parametrize("command", ["git diff main...HEAD --stat", "git diff HEAD~1 --name-only", "git diff v1.2 --stat"])
def test_a_comparison_of_commits_says_nothing_of_the_tree(command: str) -> None:
    assert (
        states(ASKED, ON, edited("src/cart.py"), person("And?"), ran(command, "src/cart.py\n src/cart.py | 2 +-"))["src/cart.py"][0]
        == "unknown"
    )


def test_only_what_was_added_is_committed() -> None:
    commit = ran("git add src/cart.py && git commit -m x", "[main abc1234] x\n 1 file changed, 2 insertions(+)")
    told = states(ASKED, ON, edited("src/cart.py"), edited("src/tax.py", "e2"), commit)
    assert told == {"src/cart.py": ("committed", "abc1234"), "src/tax.py": ("uncommitted", "")}


@pytest.mark.parametrize("command", ["git add -A && git commit -m x", "git commit -am x", "git add . && git commit -m x && git push"])
def test_a_commit_of_everything_takes_everything(command: str) -> None:
    told = states(ASKED, ON, edited("src/cart.py"), edited("src/tax.py", "e2"), ran(command, "[main abc1234] x\n 2 files changed"))
    assert {how for how, _ in told.values()} == {"committed"}


def test_a_commit_whose_files_are_not_known_leaves_doubt() -> None:
    told = states(ASKED, ON, edited("src/cart.py"), edited("src/tax.py", "e2"), ran("git commit -m x", "[main abc1234] x\n 1 file changed"))
    assert {how for how, _ in told.values()} == {"unknown"}


@pytest.mark.parametrize(
    "command", ["git commit -m x src/cart.py", "git commit src/cart.py -qm 'Fix src/tax.py'", "git commit --message x -- src/cart.py"]
)
def test_a_commit_that_names_its_files_takes_these(command: str) -> None:
    told = states(ASKED, ON, edited("src/cart.py"), edited("src/tax.py", "e2"), ran(command, "[main abc1234] x\n 1 file changed"))
    assert told == {"src/cart.py": ("committed", "abc1234"), "src/tax.py": ("uncommitted", "")}


def test_a_status_after_the_commit_counts() -> None:
    commit = ran("git add src/cart.py && git commit -m x && git status -s", "[main abc1234] x\n 1 file changed\n M src/tax.py\n")
    told = states(ASKED, ON, edited("src/cart.py"), edited("src/tax.py", "e2"), commit)
    assert told == {"src/cart.py": ("committed", "abc1234"), "src/tax.py": ("uncommitted", "")}


def test_a_status_before_the_commit_is_overtaken() -> None:
    commit = ran("git status -s && git add -A && git commit -m x", " M src/cart.py\n[main abc1234] x\n 1 file changed\n")
    assert states(ASKED, ON, edited("src/cart.py"), commit) == {"src/cart.py": ("committed", "abc1234")}


def test_what_a_whole_status_leaves_out_was_committed_by_somebody() -> None:
    told = states(
        ASKED,
        edited("src/cart.py"),
        ran("git status -s", " M src/cart.py\n"),
        person("Done"),
        ran("git status", "On branch main\nnothing to commit"),
    )
    assert told == {"src/cart.py": ("committed", "")}


def test_a_shortened_status_leaves_out_what_it_likes() -> None:
    shown = ran("git status -s", " M src/cart.py\n")
    assert (
        states(ASKED, edited("src/cart.py"), shown, ran("git status -s | head -1", " M a.py\n", call_id="c2"))["src/cart.py"][0]
        == "uncommitted"
    )


def test_an_edit_after_the_commit_is_uncommitted_again() -> None:
    commit = ran("git commit -am x", "[main abc1234] x\n 1 file changed")
    assert states(ASKED, ON, edited("src/cart.py"), commit, edited("src/cart.py", "e2")) == {"src/cart.py": ("uncommitted", "")}


@pytest.mark.parametrize(("command", "keeping"), [
    ("git stash", Keeping.STASHED), ("git stash && git stash pop", Keeping.UNCOMMITTED), ("git add src", Keeping.STAGED),
    ("git add src && git reset", Keeping.UNCOMMITTED),
])  # fmt: skip
def test_the_index_and_the_stash(command: str, keeping: Keeping) -> None:
    assert states(ASKED, ON, edited("src/cart.py"), ran(command, "")) == {"src/cart.py": (keeping.value, "")}


@pytest.mark.parametrize("command", ["git checkout -- src/cart.py", "git restore .", "git reset --hard", "git checkout src/cart.py"])
def test_changes_that_were_thrown_away_are_gone(command: str) -> None:
    assert states(ASKED, ON, edited("src/cart.py"), ran(command, "")) == {}


def test_a_commit_that_was_taken_back() -> None:
    commit = ran("git commit -am x", "[main abc1234] x\n 1 file changed")
    assert states(ASKED, ON, edited("src/cart.py"), commit, ran("git reset --soft HEAD~1", "")) == {"src/cart.py": ("uncommitted", "")}


def test_an_amended_commit_has_its_new_name() -> None:
    first = ran("git commit -am x", "[main abc1234] x\n 1 file changed")
    second = ran("git add -A && git commit --amend --no-edit", "[main def5678] x\n 2 files changed")
    done = distil(ASKED, ON, edited("src/cart.py"), first, edited("src/tax.py", "e2"), second)
    assert {each.path: each.commit for each in done.knowledge.situation.changed} == {"src/cart.py": "def5678", "src/tax.py": "def5678"}
    assert [commit.text for commit in done.knowledge.situation.commits] == ["[main def5678] x"]


def test_a_deleted_directory_takes_its_files_along() -> None:
    done = distil(ASKED, ON, edited("src/old/a.py"), ran("rm -rf src/old", ""))
    assert {file.path: file.action.value for file in done.knowledge.files} == {"src/old/a.py": "deleted", "src/old": "deleted"}
    assert [each.path for each in done.knowledge.situation.changed] == ["src/old"]


def test_nothing_is_told_where_no_version_control_was_seen() -> None:
    assert states(ASKED, edited("src/cart.py")) == {}
    assert states(ASKED, ON, edited("/etc/hosts")) == {}


def test_what_was_staged_and_edited_again_needs_staging_again() -> None:
    staged = (ASKED, ON, edited("src/cart.py"), ran("git add src/cart.py", call_id="r2"), edited("src/cart.py", "e2"))
    assert states(*staged) == {"src/cart.py": ("staged, edited since", "")}
    made = ran("git commit -m x", "[main abc1234] x\n 1 file changed, 1 insertion(+)", call_id="r3")
    assert states(*staged, made) == {"src/cart.py": ("uncommitted", "")}
    assert states(ASKED, ran("git status -s", "MM src/cart.py\n")) == {"src/cart.py": ("staged, edited since", "")}
