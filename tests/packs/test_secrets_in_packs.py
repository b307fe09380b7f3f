"""No secret is shown, nor a part of one: what is cut is cut between words, and files are searched whole."""

import pytest

from handoffs.packs.oneshot import packs_of
from tests.packs.place import commit, repository, session, write

SECRET = "ghp_" + "a1B2c3D4e5F6g7H8i9J0" + "k1L2m3N4o5P6q7R8"


def test_it_works(tmp_path):
    tree = repository(tmp_path / "r")
    write(
        tree,
        CLAUDE_dot_md=f"- Always use the token {SECRET} here.\n",
        src__key_dot_py=f'TOKEN = "{SECRET}"\n\ndef key(value="{SECRET}"):\n',
    )
    commit(tree, f"Use {SECRET}")
    write(tree, src__new_dot_py=f'TOKEN = "{SECRET}"\n')
    session(tmp_path / "sessions", said=f"Never print {SECRET} in src/key.py again.")
    packs = packs_of(tree, f"key token {SECRET}", since="HEAD~1", sessions=tmp_path / "sessions")
    assert packs.delta and SECRET not in packs.anchor + packs.context + packs.delta


@pytest.mark.parametrize("before", range(60, 260, 20))
def test_no_part_of_a_secret_is_shown_where_a_line_is_cut(tmp_path, before):
    tree = repository(tmp_path / "r")
    said = f"Never {'x' * before} {SECRET} in src/key.py."
    write(tree, CLAUDE_dot_md=f"- {said}\n", doc__adr__one_dot_md=f"# {said}\n", src__key_dot_py=f"# {said}\ndef key({said}):\n")
    commit(tree, said)
    write(tree, src__key_dot_py=f"# {said}\n# and more\n")
    session(tmp_path / "sessions", said=said)
    packs = packs_of(tree, "key adr", since="HEAD~1", sessions=tmp_path / "sessions")
    assert "doc/adr/one.md" in packs.anchor + packs.context and packs.delta
    assert SECRET[:8] not in packs.anchor + packs.context + packs.delta


def test_lines_from_the_middle_of_a_key_are_not_shown(tmp_path):
    tree = repository(tmp_path / "r")
    body = "".join(f"{n:02}{'MIIEowIBAAKCAQEA' * 3}\n" for n in range(60))
    key = f"-----BEGIN RSA PRIVATE KEY-----\n{body}-----END RSA PRIVATE KEY-----\n"
    write(tree, src__key_dot_py=f"{key}x = 1\n")
    commit(tree, "A key")
    write(tree, src__key_dot_py=f"{key.replace('30MII', '30XXX')}x = 2\n", new_dot_py=f"# new\n{key}")
    delta = packs_of(tree, "key").delta
    assert "+ x = 2" in delta and "new.py" in delta
    assert "MIIEow" not in delta
