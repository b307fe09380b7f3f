"""Shell scripts are divided into their simple commands, whatever quotes and here-documents do."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from continuity.distill.evidence.shell import parse, script_of


def words(script: str) -> list[list[str]]:
    return [c.words for c in parse(script)]


def test_it_works() -> None:
    assert words("cd app && pytest -q | tail -3") == [["cd", "app"], ["pytest", "-q"], ["tail", "-3"]]


@pytest.mark.parametrize(
    ("script", "expected"),
    [
        ("echo 'a && b'", [["echo", "a && b"]]),
        ('echo "a \\" ; b"', [["echo", 'a " ; b']]),
        ("A=1 B=2 make test", [["make", "test"]]),
        ("sudo -u", [["-u"]]),
        ("timeout 60 pytest", [["pytest"]]),
        ("ls # never run this", [["ls"]]),
        ("echo a#b", [["echo", "a#b"]]),
        ("if test -f x; then rm x; fi", [["test", "-f", "x"], ["rm", "x"]]),
        ("a \\\n  b", [["a", "b"]]),
        ("a\nb;c & d || e", [["a"], ["b"], ["c"], ["d"], ["e"]]),
        ("pytest 2>&1", [["pytest"]]),
        ("(jq . a.json || cat b.json) || true", [["jq", ".", "a.json"], ["cat", "b.json"], ["true"]]),
        ("echo $(pwd)", [["echo", "$(pwd)"]]),
        ("(cd $(dirname $(pwd)))", [["cd", "$(dirname", "$(pwd)"]]),
        ("", []),
        ("'unclosed", [["unclosed"]]),
    ],
)
def test_words_of_each_command(script: str, expected: list[list[str]]) -> None:
    assert words(script) == expected


def test_operators_before_commands_are_kept() -> None:
    assert [c.before for c in parse("a && b | c; d")] == ["", "&&", "|", ";"]


def test_redirects_name_the_files_written() -> None:
    (command,) = parse("make > out.log 2>> err.log < in.txt")
    assert (command.words, command.writes, command.appends) == (["make"], ["out.log"], ["err.log"])


def test_a_here_document_belongs_to_its_command() -> None:
    first, second = parse("cat > a.py <<'EOF'\nx = 1 && y\nEOF\npython a.py")
    assert (first.words, first.writes, first.body) == (["cat"], ["a.py"], "x = 1 && y\n")
    assert second.words == ["python", "a.py"]


def test_two_here_documents_in_one_line() -> None:
    first, second = parse("cat <<A; cat <<B\none\nA\ntwo\nB\n")
    assert (first.body, second.body) == ("one\n", "two\n")


def test_a_message_in_a_substitution_does_not_confuse_quotes() -> None:
    script = 'git commit -m "$(cat <<\'EOF\'\nDon\'t say "never"\nEOF\n)" && git push'
    assert words(script) == [["git", "commit", "-m", "HEREDOC"], ["git", "push"]]


@pytest.mark.parametrize(
    ("command", "script"),
    [("ls", "ls"), (["bash", "-lc", "ls -a"], "ls -a"), (["git", "status"], "git status"), (None, ""), ([1], ""), ({}, "")],
)
def test_scripts_of_shell_tools(command: object, script: str) -> None:
    assert script_of(command) == script


@given(st.text(alphabet="ab '\"\\&|;<>$()#\n=E", max_size=200))
def test_no_script_breaks_the_parser(script: str) -> None:
    for command in parse(script):
        assert command.words or command.writes or command.appends


@pytest.mark.parametrize("unit", ["'", '"', "<<E ", "\\", "$(cat <<E\n", "a;", "("])
def test_long_scripts_are_read_in_bounded_time(unit: str) -> None:
    assert len(parse(unit * 100_000)) <= 40_000
