"""Shell scripts are divided into their simple commands, whatever quotes and here-documents do."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from continuity.knowledge.extractors.shell.parser import parse, script_of


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
    assert words(script) == [["git", "commit", "-m", "Don t say  never"], ["git", "push"]]


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


@pytest.mark.parametrize("wrapper", [
    "rtk", "rtk proxy", "command", "sudo", "sudo -u bob -H", "sudo --user=bob", "doas -u bob", "env X=1 Y=2", "env -u A -i X=1", "X=1",
    "time", "time -p", "nohup", "nice -n 10", "ionice -c 2 -n 7", "timeout 60", "timeout -k 5 --signal=TERM 60s", "gtimeout 5m",
    "stdbuf -oL", "exec", "setsid -w", "caffeinate -i", "xargs -0 -n 1", "sudo env X=1 nohup timeout 5", "mise exec --", "direnv exec .",
    "op run --env-file=.env --", "our-wrapper", "./bin/with-env", "if", "!", "then",
])  # fmt: skip
def test_a_command_behind_a_wrapper_is_that_command(wrapper: str) -> None:
    assert words(f"{wrapper} git commit -m x") == [["git", "commit", "-m", "x"]]


@pytest.mark.parametrize("script", [
    "bash -c 'cd a && git commit -m x'", 'sh -lc "cd a; git commit -m x"',
    "sudo bash -c 'cd a && git commit -m x'", "eval 'cd a; git commit -m x'",
    "bash <<'EOF'\ncd a\ngit commit -m x\nEOF", "bash -c \"bash -c 'cd a && git commit -m x'\"",
])  # fmt: skip
def test_a_script_that_a_shell_is_given_is_read(script: str) -> None:
    assert words(script) == [["cd", "a"], ["git", "commit", "-m", "x"]]


def test_what_a_given_script_prints_goes_where_the_shell_is_told() -> None:
    (command,) = parse("bash -c 'make test' > out.log")
    assert (command.words, command.writes) == (["make", "test"], ["out.log"])


@pytest.mark.parametrize("script", ["which git commit", "echo git commit", "command -v git commit", "man git commit", "brew install git"])
def test_who_only_names_a_command_does_not_run_it(script: str) -> None:
    assert [command.program for command in parse(script)] != ["git"]


@pytest.mark.parametrize("options", ["-C sub", "-c user.name=x", "--git-dir x --work-tree y", "--no-pager", "-C sub -c a=b --no-pager"])
def test_gits_own_options_stand_aside(options: str) -> None:
    (command,) = parse(f"git {options} commit -m x")
    assert command.words == ["git", "commit", "-m", "x"]
    assert command.within == ("sub" if "-C sub" in options else "")


def test_a_here_string_is_no_argument() -> None:
    (command,) = parse("tee a.py <<< word")
    assert command.words == ["tee", "a.py"]


def test_scripts_within_scripts_come_to_an_end() -> None:
    assert parse("bash -c " * 200 + "x")
