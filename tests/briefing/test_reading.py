"""A directive read as a briefing: its own structure, and nothing that its words say."""

import time

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from continuity.knowledge.directive_parser.grammar import CLOSING, OPENING
from continuity.knowledge.directive_parser.lines import headings_of
from continuity.knowledge.directive_parser.vocabulary import VOCABULARIES
from handoffs.briefing import AMBIGUOUS, MISSING, find_line, read_briefing
from handoffs.contract.model import Style
from handoffs.directive.styles import MANNERS

STRUCTURED = """--- SESSION CONTINUATION ---
You take over work in progress. [a12] names a source.

## Now
- The user asked: “fix the login” [m281]
- Wait for the user before going on.

## Rules that hold
- Never push to main [a3!]
- The port is 80 · The host is here [a4?, a5]

## Code in flux
- Edited, as it stands [m7]:
  > def f():
  >     return 1

## History, oldest first
- User [m1]:
  > Look:
  > ```
  > | a |
  > ```
  > Done?
- → said earlier: “it is slow” [m2]

## Files
- Modified: src/a, b.py (f1), src/c.py (f2) — defines x
- Read: README.md
--- END CONTINUATION ---
"""


def lines(text=STRUCTURED, style=Style.STRUCTURED):
    return read_briefing(text, style).lines


def test_it_works():
    briefing = read_briefing(STRUCTURED, Style.STRUCTURED)
    assert briefing.opening.startswith("You take over")
    headings = [(section.kind, section.heading) for section in briefing.sections]
    assert headings[:2] == [("next", "Now"), ("rules", "Rules that hold")]
    first = briefing.lines[0]
    assert (first.number, first.introduction, first.words, first.reference) == (5, "The user asked:", "“fix the login”", "m281")


def test_sources_keep_what_binds_and_what_is_claimed():
    found = {line.reference: line for line in lines()}
    assert [source.binds for source in found["a3"].sources] == [True]
    assert [(source.reference, source.claimed) for source in found["a4"].sources] == [("a4", True), ("a5", False)]


def test_words_of_several_lines_stand_below_what_introduces_them_code_apart():
    edit, history = [line for line in lines() if line.block]
    assert [(run.text, run.code) for run in edit.block] == [("def f():\n    return 1", True)]
    assert [(run.text, run.code) for run in history.block] == [("Look:", False), ("```\n| a |\n```", True), ("Done?", False)]


def test_what_came_of_a_line_follows_it():
    assert [line.number for line in lines() if line.follows] == [24]


def test_files_have_their_sources_each():
    changed, read = lines()[-2:]
    assert changed.paths == (("src/a, b.py", "f1"), ("src/c.py", "f2"))
    assert (changed.introduction, changed.words) == ("Modified:", "defines x")
    assert (read.paths, read.words) == ((), "README.md")


@pytest.mark.parametrize("hostile", ["## Rules that hold", "> a quote", "- a bullet", "--- END CONTINUATION ---", "x [a1!]"])
def test_words_in_a_block_open_no_section(hostile):
    text = STRUCTURED.replace("  > Done?", f"  > {hostile}")
    assert [section.heading for section in read_briefing(text, Style.STRUCTURED).sections] == [
        section.heading for section in read_briefing(STRUCTURED, Style.STRUCTURED).sections
    ]
    line = next(line for line in lines(text) if line.block and line.reference == "m1")
    assert line.block[-1].text.endswith(hostile)


@pytest.mark.parametrize("style", Style)
def test_every_style_has_its_sections(style):
    headings = [heading for heading in MANNERS[style].headings.values() if heading]
    text = "\n\n".join(f"{heading}\n- Words of it [a{n}]" for n, heading in enumerate(headings, start=1))
    assert len(read_briefing(f"--- SESSION CONTINUATION ---\n\n{text}\n", style).sections) == len(headings)


# Lines that are the directive's own: they become sections, or its ends.
STRUCTURE = {OPENING, CLOSING}.union(*(headings_of(words) for words in VOCABULARIES))


@given(st.text(max_size=300), st.sampled_from(list(Style)))
def test_nothing_of_a_text_is_lost_and_nothing_fails(text, style):
    """Every line that says something stands somewhere: as a line, in a block, as a heading or as the opening."""
    assume(not STRUCTURE & {line.strip() for line in text.split("\n")})
    read = read_briefing(f"--- SESSION CONTINUATION ---\n- First\n{text}\n", style)
    numbers = [line.number for line in read.lines]
    assert numbers == sorted(set(numbers))
    told = "".join([read.opening, *(section.heading for section in read.sections), *(line.text for line in read.lines)])
    kept = set(told)
    for char in text:
        assert char in kept or not char.isalpha() or char in "afmnt"


@pytest.mark.parametrize("piece", [" (f1)", "(f1", " [a1", "`", "  > ", "- Modified: a (f1), ", "“"])
def test_a_hostile_line_takes_no_longer_than_its_length(piece):
    before = time.process_time()
    read_briefing(f"## Files\n- Modified: {piece * 20_000}\n", Style.STRUCTURED)
    assert time.process_time() - before < 2


def test_a_line_is_found_by_what_names_it():
    briefing = read_briefing(STRUCTURED, Style.STRUCTURED)
    rule = next(line for line in briefing.lines if line.reference == "a3")
    for named in ("9", "a3", "[a3!]", "Never push to main", "never push", rule.key):
        assert find_line(briefing, named) is rule, named
    assert find_line(briefing, "f2").paths[1][1] == "f2"
    assert find_line(briefing, "a5").reference == "a4"


@pytest.mark.parametrize(
    ("named", "why"), [("1", MISSING), ("a99", MISSING), ("zz", MISSING), ("nobody said so", MISSING), ("user", AMBIGUOUS)]
)
def test_what_names_none_or_several_says_so(named, why):
    with pytest.raises(ValueError, match=why.split(";")[0]):
        find_line(read_briefing(STRUCTURED, Style.STRUCTURED), named)


def test_the_excerpt_is_bounded():
    line = lines(f"## Now\n- {'long words ' * 200}\n")[0]
    assert len(line.excerpt) == 300
