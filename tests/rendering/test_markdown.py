"""Markdown of anybody as HTML that does nothing but show."""

import re
import time
from html.parser import HTMLParser

import pytest

from continuity.rendering import markdown


class _Acts(HTMLParser):
    """Gathers what could act or load: tags but for those of text, and attributes but for a few."""

    def __init__(self):
        super().__init__()
        self.found = []

    def handle_starttag(self, tag, attrs):
        self.found += [tag] if tag in ("script", "img", "svg", "style", "iframe", "form", "input") else []
        self.found += [name for name, value in attrs if name not in ("href", "class", "rel", "title", "start")]
        self.found += [value for name, value in attrs if name == "href" and not value.startswith(("https://", "http://", "mailto:"))]


def test_it_works():
    shown = markdown.rendered("# Plan\nuse **both** `a<b`\n\n| a |\n|---|\n| 1 |\n\n```python\ndef f(): ...\n```")
    assert shown is not None
    assert '<p class="heading"><strong>Plan</strong></p>' in shown
    assert "<strong>both</strong> <code>a&lt;b</code>" in shown
    assert "<td>1</td>" in shown
    assert '<span class="k">def</span>' in shown


@pytest.mark.parametrize(
    "text",
    [
        "<script>alert(1)</script>",
        "<img src=x onerror=alert(1)>",
        "![seen](https://elsewhere.example/pixel.png)",
        "[go](javascript:alert(1))",
        "[go](data:text/html,x)",
        "<https://a.example/'onmouseover=alert(1)>",
        '```"><script>\nx\n```',
        '[a](https://a.example "\'><svg onload=alert(1)>")',
        "<style>body{display:none}</style>",
    ],
    ids=["script", "picture", "pixel", "javascript", "data", "address", "fence", "title", "style"],
)
def test_nothing_in_it_acts_or_loads(text):
    reader = _Acts()
    reader.feed(markdown.rendered(text) or "")
    assert reader.found == []


def test_links_lead_out_without_telling_from_where():
    assert 'rel="nofollow noopener noreferrer"' in (markdown.rendered("[x](https://a.example)") or "")


def test_headings_of_a_message_are_none_of_the_page():
    assert not re.search(r"<h\d", markdown.rendered("# a\n\nb\n===\n\n### c") or "")


@pytest.mark.parametrize("text", ["a" * (markdown.LONGEST + 1), "[" * (markdown.BRACKETS + 1)], ids=["long", "brackets"])
def test_what_would_take_long_is_left_as_it_is(text):
    assert markdown.rendered(text) is None


@pytest.mark.parametrize("part", ["*a ", "`a", "~~a", "> ", "_", "|a"], ids=["stars", "code", "waves", "quotes", "lines", "bars"])
def test_a_text_made_to_be_slow_is_not(part):
    text = part * (markdown.LONGEST // len(part))
    began = time.process_time()
    markdown.rendered(text)
    assert time.process_time() - began < 3
