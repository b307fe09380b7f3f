"""A paste asks for nothing and binds nobody; the words beside it do."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from continuity.knowledge.extractors.own_words import without_pastes
from continuity.knowledge.model import AnchorType, Truth
from tests.knowledge.talk import Distilled, agent, distil, person, ran

LOG = (
    "2026-01-02T03:04:05Z INFO starting worker 1\n2026-01-02T03:04:06Z WARN you must never run this as root\n"
    "2026-01-02T03:04:07Z ERROR connection refused: redis:6379\n2026-01-02T03:04:08Z INFO we decided to use the fallback store"
)
TRACE = (
    'Traceback (most recent call last):\n  File "/app/main.py", line 3, in <module>\n    run()\n  File "/app/run.py", line 9, in run\n'
    "    raise ValueError('always pass a key')\nValueError: always pass a key"
)
GIT = (
    "➜  shop git:(main) ✗ git push origin main\nremote: Permission to ada/shop.git denied to bob.\n"
    "fatal: unable to access 'https://example.org/ada/shop/': The requested URL returned error: 403\n\n"
    "Please make sure you have the correct access rights\nand the repository exists."
)
GO = "--- FAIL: TestLogin (3.72s)\n    login_test.go:19: expected 200, got 500\n        Use 'git commit' to conclude the merge.\nFAIL"
LINT = (
    "> shop@1.4.0 lint /home/ada/shop\n> eslint . --fix\n\n/home/ada/shop/src/cart.spec.ts\n"
    "   71:55  warning  Unexpected any. It is never safe  @typescript-eslint/no-explicit-any\n"
    "  358:46  error    Use the type of the cart  @typescript-eslint/no-explicit-any\n\n✖ 2 problems (1 error, 1 warning)"
)
ASKED = "can you find out why the worker dies?"


def asked(found: Distilled) -> str:
    return found.state.latest_request.text if found.state.latest_request else ""


def request(*texts: str) -> str:
    return asked(distil(*map(person, texts)))


def test_it_works():
    assert request(f"{LOG}\n\n{ASKED}") == ASKED


@pytest.mark.parametrize("paste", [LOG, TRACE, GIT, GO, LINT])
@pytest.mark.parametrize(
    "form", ["{asked}\n\n{paste}", "{asked}\n{paste}", "{paste}\n\n{asked}", "{paste}\n{asked}", "{paste}\n\n{asked}\n\n{paste}"]
)
def test_a_request_beside_a_paste_is_found(paste, form):
    found = distil(person(form.format(paste=paste, asked=ASKED)))
    assert asked(found) == ASKED
    assert [task.description for task in found.knowledge.tasks] == [ASKED]


@pytest.mark.parametrize("paste", [LOG, TRACE, GIT, GO, LINT])
@pytest.mark.parametrize("form", ["{paste}", "{asked}\n\n{paste}", "{paste}\n\n{asked}"])
def test_a_paste_lays_nothing_down(paste, form):
    found = distil(person(form.format(paste=paste, asked=ASKED)))
    assert [a.text for a in found.current() if a.truth is Truth.STATED and a.type is not AnchorType.QUESTION] == []


def test_a_rule_beside_a_paste_binds():
    found = distil(person(f"{LOG}\n\nFix it. Never touch the schema.\n\n{TRACE}"))
    assert found.texts(AnchorType.CONSTRAINT) == ["Never touch the schema."]


def test_of_a_mere_paste_the_request_is_the_line_that_says_what_went_wrong():
    found = distil(person("Add a login page"), *ran("make test"), agent("Added, all tests pass."), person(GO))
    assert asked(found) == "--- FAIL: TestLogin (3.72s)"
    assert "connection refused" in request(LOG)


def test_words_turn_into_a_paste_within_a_line():
    log = '{"time":"2026-01-02","level":"INFO","msg":"up"}\n{"time":"2026-01-02","level":"WARN","msg":"down"}\n{"level":"INFO"}'
    assert request(f"this one still fails: {log}") == "this one still fails:"


def test_an_example_in_quotes_is_no_request():
    text = 'make our help look like this:\n"""\nada@box ~ [1]> brew aaaa\nExample usage:\n  brew update\n"""'
    assert request(text) == "make our help look like this:"


def test_a_short_no_over_a_paste_is_no_acceptance():
    found = distil(person("Fix the login"), agent("Shall I push?"), person(f"yes\n\n{GO}"))
    request_of_turn = found.state.turns[-1].request
    assert request_of_turn is not None and "yes" in request_of_turn.text


@pytest.mark.parametrize("text", [
    "Fix the login.\nNever touch the schema.\nRun make test.",
    "# Plan\n\n## Context\n\nERROR: x\n\n## Steps\n\n2026-01-02T03:04:05Z INFO a\n2026-01-02T03:04:05Z INFO b\n2026-01-02T03:04:05Z INFO c",
    "- add a page\n- remove the `x` flag\n- [x] done\n\n| a | b |\n|---|---|\n| 1 | 2 |",
    "do this:\n\n```\n$ make\n$ make test\n$ make run\n```\nthen commit",
    "error: the button is gone\nplease fix",
    "https://example.org/a\nhttps://example.org/b\nhttps://example.org/c\nread these",
])  # fmt: skip
def test_what_somebody_wrote_stays_as_it_is(text):
    assert without_pastes(text) is text


PIECES = st.sampled_from(
    [LOG, TRACE, GIT, GO, ASKED, "\n", "\n\n", "```\n", '"""\n', "# a\n", "Never do it. ", "x\r\n", "it fails: [a] b -> c\n"]
)


@settings(deadline=None)
@given(st.lists(PIECES, max_size=12).map("".join))
def test_every_character_stays_in_its_place(text):
    kept = without_pastes(text)
    assert len(kept) == len(text)
    assert all(a == b or b == "\n" for a, b in zip(text, kept, strict=True))


@pytest.mark.parametrize(
    "text", ["2026-01-02T03:04:05Z INFO a\n" * 100_000, "a: b " * 200_000 + "\n" + LOG, " " * 500_000 + LOG, '"""\n' * 50_000]
)
def test_hostile_texts_take_linear_time(text):
    # quadratic time would take minutes here and hang the run
    assert len(without_pastes(text)) == len(text)


def test_a_line_of_a_screen_is_a_paste() -> None:
    screen = (
        "> v shop/till *  [4 counts]\n   v * ok, I think we need to take the work back, I want: …\n"
        "     - [ NEW ] Let's keep the columns from now on — just now [+126 -350]"
    )
    words = without_pastes(f"{screen}\n\nthe last one is cut, can you fix that?")
    assert "take the work back" not in words and "keep the columns" not in words and "can you fix that?" in words
    assert "take the work back" not in without_pastes("> v shop/till *\n  v * ok, I think we need to take the work back …")
    assert without_pastes("> - keep the columns\n\nYes [+1]") == "> - keep the columns\n\nYes [+1]"
