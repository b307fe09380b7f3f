"""Commits through chains and wrappers, refused ones, those of others."""

from __future__ import annotations

import pytest

from tests.knowledge.talk import call, distil, person, ran, result

ASKED = person("Commit the work.")


def commits(*messages: object) -> list[str]:
    return [commit.text for commit in distil(*messages).knowledge.situation.commits]  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "command", ["just commit", "npm run release", "mise x -- git commit -m x", "make ship", "git commit -m x && git push"]
)
def test_it_works(command: str) -> None:
    assert commits(ASKED, ran(command, "> hooks ok\n[main abc1234] Fix the total\n 1 file changed")) == ["[main abc1234] Fix the total"]


@pytest.mark.parametrize("command", ["git commit -qam 'Fix the total'", "pytest -q && git commit -qam 'Fix the total' && git push"])
def test_a_quiet_commit_in_any_spelling_is_seen(command: str) -> None:
    assert commits(ASKED, ran(command, "3 passed\nTo git.example.com:shop.git")) == ["Fix the total"]


def test_a_commit_whose_push_failed_was_made() -> None:
    run = ran(
        "git commit -m x && git push",
        "[main abc1234] x\n 1 file changed\n ! [rejected] main -> main (fetch first)\nerror: failed to push",
        1,
    )
    now = distil(ASKED, run).knowledge.situation
    assert [commit.text for commit in now.commits] == ["[main abc1234] x"]
    assert [blocked.command for blocked in now.blocked] == ["git commit -m x && git push"]


@pytest.mark.parametrize("command", ["cat log.txt", "pytest -q", "gh run view 1", "grep -r main ."])
def test_a_commit_that_is_only_shown_is_none(command: str) -> None:
    assert commits(ASKED, ran(command, "[main abc1234] Fix the total\n1 passed")) == []


@pytest.mark.parametrize(
    ("command", "printed"),
    [
        ("cd /tmp/probe && git commit -m x", "[main abc1234] x"),
        ("REPO_DIR=/tmp/probe bash harness.sh setup", "Set up.\n[main abc1234] x"),
        ("bash harness.sh setup", "Initialized empty Git repository in /home/me/probe/.git/\n[main abc1234] x"),
    ],
)
def test_a_commit_in_a_scratch_repository_is_none(command: str, printed: str) -> None:
    assert commits(ASKED, ran(command, printed)) == []


def test_a_refused_commit_stays_until_one_is_made() -> None:
    hook = ran("git commit -m x", "lint-staged failed\n✖ eslint --max-warnings=0:\nerror: hook declined", 1)
    now = distil(ASKED, hook).knowledge.situation
    assert [(run.command, run.exit_code) for run in now.blocked] == [("git commit -m x", 1)]
    assert "hook declined" in now.blocked[0].result
    assert distil(ASKED, hook, ran("git commit -m x", "[main abc1234] x")).knowledge.situation.blocked == ()


def test_nothing_to_commit_is_no_refusal() -> None:
    assert distil(ASKED, ran("git commit -m x", "nothing to commit, working tree clean", 1)).knowledge.situation.blocked == ()


def test_a_commit_ends_a_merge_that_had_conflicts() -> None:
    merge = ran("git merge origin/main", "CONFLICT (content): Merge conflict in a.py\nAutomatic merge failed", 1)
    assert len(distil(ASKED, merge).knowledge.situation.blocked) == 1
    done = distil(ASKED, merge, ran("git add a.py && git commit --no-edit", "[fix abc1234] Merge branch 'main'"))
    assert done.knowledge.situation.blocked == ()


def test_a_commit_by_somebody_else_is_seen_in_the_log() -> None:
    mine = ran("git commit -am x", "[main abc1234] Fix the total")
    log = ran("git log --oneline -3", "fff0000 Bump\nabc1234 Fix the total\n0000aaa Start")
    told = commits(ASKED, mine, person("I committed too"), log)
    assert told == ["[main abc1234] Fix the total", "git log: fff0000 Bump"]


def test_a_commit_that_was_rebased_takes_its_new_name() -> None:
    mine = ran("git commit -am x", "[main abc1234] Fix the total")
    assert commits(ASKED, mine, ran("git log --oneline", "def5678 Fix the total\n0000aaa Start")) == ["[main def5678] Fix the total"]


@pytest.mark.parametrize("command", ["git log --oneline origin/main", "git log --all --oneline", "git log --oneline main..HEAD -- a.py"])
def test_another_branchs_log_tells_nothing(command: str) -> None:
    mine = ran("git commit -am x", "[main abc1234] Fix the total")
    assert commits(ASKED, mine, ran(command, "fff0000 Bump\nabc1234 Fix the total")) == ["[main abc1234] Fix the total"]


def test_a_log_above_the_commit_that_a_pull_brought_shows_what_was_committed_since() -> None:
    pulled = ran("git pull", "Updating db3ed2a1..204dff11\nFast-forward\n a.py | 2 +-\n 1 file changed", call_id="p1")
    log = ran("git log --oneline -5", "0561de31 Keep the changes of the stop\n204dff11 Release 0.7.2\ndb3ed2a1 Mend the cart", call_id="l1")
    assert commits(ASKED, *pulled, *log) == ["204dff11 (fast-forward)", "git log: 0561de31 Keep the changes of the stop"]


@pytest.mark.parametrize(("command", "shown", "keeping"), [
    ("git log --oneline main..HEAD", "fff0000 Bump\nabc1234 Fix the total", "committed"),
    ("git log --oneline -5", "fff0000 Bump\nabc1234 Fix the total\n0000aaa Start", "committed"),
    ("git log --oneline -5", "abc1234 Fix the total\n0000aaa Start", "staged"),
    ("git log --oneline HEAD..main", "fff0000 Bump\nabc1234 Fix the total", "staged"),
    ("git log --oneline main..HEAD -- a.py", "fff0000 Bump\nabc1234 Fix the total", "staged"),
])  # fmt: skip
def test_a_commit_by_hand_took_what_was_staged(command: str, shown: str, keeping: str) -> None:
    edit = call("Edit", "e1", file_path="/home/ada/shop/cart.py", old_string="a", new_string="b"), result("ok", "e1")
    first = ran("git log --oneline -5", "abc1234 Fix the total\n0000aaa Start", call_id="l1")
    found = distil(ASKED, *first, *edit, *ran("git add -A", call_id="a1"), *ran(command, shown, call_id="l2"))
    assert [each.keeping.value for each in found.state.changed.values()] == [keeping]
