"""One repository is one, wherever it was cloned and whoever's password is in the address."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from continuity.repository.git import Git
from continuity.repository.identity import identity, normalised
from tests.packs.place import git, repository


@pytest.mark.parametrize(
    "address",
    [
        "https://github.com/org/repo.git",
        "https://user:token@github.com/org/repo",
        "https://GitHub.com:443/org/repo/",
        "ssh://git@github.com:22/org/repo.git",
        "git@github.com:org/repo.git",
        "https://github.com/org/repo.git?token=abc#x",
    ],
)
def test_it_works(address):
    assert normalised(address) == "github.com/org/repo"


@pytest.mark.parametrize("address", ["/home/me/repo", "../repo", "file:///home/me/repo", "", "C:\\repo", "https://github.com", "x" * 5_000])
def test_a_path_of_this_machine_says_nothing(address):
    assert normalised(address) == ""


@given(user=st.text("abcXYZ019._~-", min_size=6), password=st.text("abcXYZ019._~%-", min_size=8))
def test_credentials_never_stay(user, password):
    assert normalised(f"https://{user}:{password}@host.example/a/b.git") == "host.example/a/b"


def test_a_clone_has_the_same_roots_and_another_place_no_other_key(tmp_path):
    tree = repository(tmp_path / "r")
    git(tree, "remote", "add", "origin", "https://me:pass@example.org/a/b.git")
    git(tmp_path, "clone", "-q", str(tree), "clone")
    git(tmp_path / "clone", "remote", "set-url", "origin", "git@example.org:a/b.git")
    one, other = identity(Git(tree)), identity(Git(tmp_path / "clone"))
    assert one == other and one.key and "pass" not in repr(one)


def test_a_shallow_clone_does_not_take_its_first_commit_for_the_root(tmp_path):
    tree = repository(tmp_path / "r")
    git(tmp_path, "clone", "-q", "--depth", "1", f"file://{tree}", "shallow")
    found = identity(Git(tmp_path / "shallow"))
    assert found.shallow and found.roots == ()
