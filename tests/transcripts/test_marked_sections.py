import re

from hypothesis import given
from hypothesis import strategies as st

from continuity.transcripts.base.marked_sections import fences, sections, without

TAG = re.compile(r"<(a|b)>")


def found(text):
    return [(section.opening[1], section.inner) for section in sections(text, TAG, lambda opening: f"</{opening[1]}>")]


def test_it_works():
    assert found("x<a>1<b>2</b></a><b>3</b><a>4") == [("a", "1<b>2</b>"), ("b", "3")]


def test_an_opening_that_is_never_closed_hides_nothing_behind_it():
    assert found("<a><b>1</b>") == [("b", "1")]


def test_fences_are_blocks_with_what_stands_behind_their_opening():
    text = "one\n```py\nx\n````\ny\n```\ntwo\n```\nz"
    (block,) = fences(text)
    assert (block.info, block.body) == ("py", "x\n````\ny\n")
    assert without(text, [block]) == "one\n\ntwo\n```\nz"


@given(st.text(alphabet="`x\n ", max_size=200))
def test_blocks_lie_in_the_text_in_order(text):
    blocks = list(fences(text))
    assert all(text[block.start : block.end].startswith("```") and block.body in text[block.start : block.end] for block in blocks)
    assert [block.start for block in blocks] == sorted(block.start for block in blocks)
    assert len(without(text, blocks)) == len(text) - sum(block.end - block.start for block in blocks)
