"""Words of one line with their code."""

from hypothesis import given
from hypothesis import strategies as st

from continuity.rendering.inline_code import with_code
from continuity.templatetags.figures import coded


def test_it_works() -> None:
    assert with_code("Use `a < b`, not `b`.") == "Use <code>a &lt; b</code>, not <code>b</code>."
    assert coded("<b>`x`</b>") == "&lt;b&gt;<code>x</code>&lt;/b&gt;"


def test_code_that_was_cut_off_is_code() -> None:
    assert with_code("write `python -m pytest` and `check …") == "write <code>python -m pytest</code> and <code>check …</code>"


def test_one_without_a_partner_stays() -> None:
    assert with_code("a ` b") == "a ` b"
    assert with_code("a `b\nc` d `e`") == "a `b\nc<code> d </code>e`"


@given(st.text("ab`<&\n", max_size=80))
def test_no_other_element_comes_of_it(text: str) -> None:
    told = with_code(text).replace("<code>", "").replace("</code>", "")
    assert "<" not in told
    assert told.replace("`", "") == text.replace("`", "").replace("&", "&amp;").replace("<", "&lt;")
