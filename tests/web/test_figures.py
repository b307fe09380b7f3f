"""How numbers, shares, times and states are written."""

from datetime import UTC, datetime, timedelta
from uuid import UUID, uuid4

import pytest
from django.template import Context, Template
from django.test.utils import override_script_prefix
from django.urls import reverse

from continuity.templatetags import figures

NOW = datetime(2026, 3, 17, 12, 0, tzinfo=UTC)


def test_it_works():
    assert figures.grouped(1234567.6) == "1,234,568"
    assert figures.bar(0.5, "ok", "<half>").count("&lt;half&gt;") == 1


@pytest.mark.parametrize(
    ("part", "digits", "written"), [(0.849, 0, "84%"), (0.8499, 1, "84.9%"), (1, 0, "100%"), (0.29, 0, "29%"), (None, 0, "")]
)
def test_a_share_never_seems_to_reach_what_it_does_not(part, digits, written):
    assert figures.share(part, digits) == written


@pytest.mark.parametrize(
    ("name", "written"),
    [("UnresolvedQuestion", "Unresolved question"), ("handed_off", "handed off"), ("IN_PROGRESS", "in progress"), ("rules", "rules")],
)
def test_names_are_written_as_words(name, written):
    assert figures.words(name) == written


@pytest.mark.parametrize(
    ("seconds", "written"),
    [
        (0, "now"),
        (-3, "now"),
        (60, "1 min ago"),
        (3599, "60 min ago"),
        (7200, "2 h ago"),
        (86_400, "1 day ago"),
        (13 * 86_400, "13 days ago"),
        (30 * 86_400, "15 Feb 2026"),
        (-7200, "in 2 h"),
    ],
)
def test_times_are_written_as_one_says_them(seconds, written):
    assert figures.spoken(NOW - timedelta(seconds=seconds), NOW) == written


@pytest.mark.parametrize(("part", "width"), [(-1, "0.0"), (0, "0.0"), (0.333, "33.3"), (5, "100.0")])
def test_a_bar_stays_in_its_frame(part, width):
    assert f'<rect width="{width}"' in figures.bar(part, "ok", "x")


@pytest.mark.parametrize(("part", "level"), [(0, "ok"), (0.6999, "ok"), (0.7, "warn"), (0.85, "bad"), (1, "bad")])
def test_fullness_worries_at_the_thresholds_of_the_decision(part, level):
    assert figures.level_of_use(part) == level


@pytest.mark.parametrize(("text", "written"), [("12345", "12345"), ("123456", "1234…"), ("", ""), ("<b>&</b>", "<b>&…")])
def test_a_long_text_ends_in_an_ellipsis_within_the_length(text, written):
    assert figures.shortened(text, 5) == written


def test_what_is_shortened_is_still_escaped():
    assert Template('{% load figures %}{{ "<script>alert"|shortened:9 }}').render(Context()) == "&lt;script&gt;…"


def test_a_message_is_found_by_its_place_in_the_transcript():
    number = UUID(int=7)
    assert figures.in_transcript(number, 12) == f"/conversations/{number}/messages?at=12#m12"


@pytest.mark.parametrize("page", ["handoff", "chain", "conversation", "admin:handoffs_handoff_change"])
def test_the_page_of_a_row_is_where_its_address_leads(page):
    for id_ in (uuid4(), uuid4()):
        assert figures.page_of(id_, page) == reverse(page, args=[id_])


def test_the_page_of_a_row_stands_below_where_the_site_is_mounted():
    id_ = uuid4()
    with override_script_prefix("/below/"):
        assert figures.page_of(id_, "handoff") == reverse("handoff", args=[id_])
    assert figures.page_of(id_, "handoff") == reverse("handoff", args=[id_])
