"""Text to words, queries to terms, and excerpts with marks."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from continuity.client.hooks import difference
from continuity.knowledge.directive_parser import signs
from continuity.search import Excerpt, excerpt, indexed, parse, wording, words_of_parts
from continuity.search.wording import LIMIT


def marked(shown: Excerpt) -> list[str]:
    return [shown.text[start:end] for start, end in shown.marks]


def test_it_works():
    assert indexed("Edit foo_bar.py, see CONT-04.") == "edit foo bar py see cont 04"
    assert marked(excerpt("Edit foo_bar.py, see CONT-04.", parse("foo_bar.py cont"))) == ["foo_bar.py", "CONT"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("parseHTTPResponse", "parsehttpresponse parse http response"),
        ("/srv/app/models.py:12", "srv app models py 12"),
        ("“Größe” – naïve", "größe naïve"),
        ("x" * 101 + " y", "y"),
        ("", ""),
    ],
)
def test_everything_but_letters_and_digits_divides(text, words):
    assert indexed(text) == words


@pytest.mark.parametrize(
    ("typed", "tsquery"),
    [
        ("postgres", "'postgres':*"),
        ("api", "'api'"),
        ('"never restart" worker', "('never' <-> 'restart' | 'neverǃrestart') & 'worker':*"),
        ("foo_bar.py", "('foo' <-> 'bar' <-> 'py' | 'fooǃbarǃpy')"),
        ("use -sqlite", "'use' & !'sqlite':*"),
        ('use -"no thanks"', "'use' & !('no' <-> 'thanks' | 'noǃthanks')"),
        ("-only", ""),
        ("& | ! ' \\ :* ()", ""),
        ("--flag", "'flag':*"),
    ],
)
def test_what_is_typed_becomes_terms(typed, tsquery):
    assert parse(typed).tsquery == tsquery


@pytest.mark.parametrize(
    ("typed", "tsquery"),
    [
        ("why copying", "('copy':*)"),
        ("the catalogues -draft foo_bar.py", "('catalog':* | ('foo' <-> 'bar' <-> 'py' | 'fooǃbarǃpy')) & !'draft':*"),
        ("why so", "('why' | 'so')"),
    ],
)
def test_where_nothing_holds_all_words_any_longer_one_is_looked_for_by_its_beginning(typed, tsquery):
    assert parse(typed).loosened.tsquery == tsquery


@given(st.text(max_size=80), st.text(max_size=400))
def test_marks_lie_in_the_excerpt_in_order(typed, text):
    shown = excerpt(text, parse(typed))
    assert shown.text in text
    assert "".join(piece for piece, _marked in shown.runs) == shown.text
    ends = [0, *(place for mark in shown.marks for place in mark), len(shown.text)]
    assert ends == sorted(ends)


def test_an_excerpt_shows_where_the_most_words_stand():
    text = "alpha " + "filler " * 200 + "alpha beta gamma" + " filler" * 200
    shown = excerpt(text, parse("alpha beta gamma"))
    assert marked(shown) == ["alpha", "beta", "gamma"]
    assert shown.cut_before and shown.cut_after and len(shown.text) < 300


def test_humps_are_marked():
    assert marked(excerpt("calls parseHTTPResponse()", parse("http"))) == ["HTTPResponse"]


def test_calls_are_found_by_name_and_by_what_they_are_given():
    call = {"kind": "tool_call", "name": "Bash", "input": {"command": "pytest -q", "env": [{"CI": 1}]}}
    assert words_of_parts([call, {"kind": "text", "text": "done"}]) == "Bash pytest -q 1\ndone"


def test_only_the_first_part_of_what_is_very_long_is_indexed():
    assert "late" not in indexed("ä " * LIMIT + "late")
    late = indexed("word " * 20_000 + "deep/down.py")
    assert late.endswith("deepǃdownǃpy")


@pytest.mark.parametrize(
    "read",
    [
        lambda run: wording.indexed("one two three " * 200 + run),
        lambda run: signs.neutral(f"continuation {run}"),
        lambda run: difference.missing([{"text": run}], "A summary."),
    ],
    ids=["indexed", "neutral", "missing"],
)
@pytest.mark.parametrize("of", ["a", "0", "-", "/", "a_"])
def test_a_long_run_of_one_sign_takes_no_square_of_its_length(read, of):
    """A blob of 100,000 characters without a space took minutes."""
    began = time.process_time()
    read(of * (100_000 // len(of)))
    assert time.process_time() - began < 10
