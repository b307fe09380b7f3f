"""The pure part holds for any text: a quote is found where it stands, widened to sentences, or refused."""

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from continuity.extraction import BadAnswer, ModelWindow, WindowExcerpt, WindowLimits, check, prompt_for, read_answer
from continuity.extraction.excerpts import excerpts_of
from continuity.extraction.quoting import place
from continuity.knowledge.model import Truth
from continuity.transcripts.base.model import Message, Part, PartKind, Role, Voice

LIMITS = WindowLimits()
SENTENCE = "Never send real letters from tests."


def excerpt(text, truth=Truth.STATED):
    return WindowExcerpt(1, 0, truth, text, text)


def window(text, truth=Truth.STATED):
    return ModelWindow(1, 1, (excerpt(text, truth),))


def test_it_works():
    text = f"Well then.\n\n{SENTENCE} Thanks!"
    found = place("send real\n  letters", [excerpt(text)], LIMITS)
    assert not isinstance(found, str)
    assert text[found[1].start : found[1].end] == SENTENCE


def letters(text):
    return "".join(filter(str.isalpha, text))


@given(st.text(st.sampled_from("abc  .\n"), max_size=300), st.integers(0, 300), st.integers(0, 300))
def test_whatever_is_found_is_verbatim_and_holds_the_quote(text, start, length):
    quote = text[start : start + length]
    found = place(quote, [excerpt(text)], LIMITS)
    if isinstance(found, tuple):
        ref = found[1]
        assert 0 <= ref.start < ref.end <= len(text)
        assert letters(quote) in letters(text[ref.start : ref.end])


@given(st.text(max_size=400))
def test_any_text_is_an_answer_or_refused(text):
    with suppress(BadAnswer):
        check(read_answer(text), window(SENTENCE), LIMITS)


simple = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20) | st.sampled_from([SENTENCE, "Decision"])
fields = st.sampled_from(["type", "message", "quote", "importance", "task", "status", "anchor", "how"])
values = simple | st.lists(simple, max_size=3) | st.dictionaries(fields, simple | st.lists(simple, max_size=2), max_size=6)


@given(st.dictionaries(st.sampled_from(["anchors", "tasks", "settled"]), st.lists(values, max_size=5)))
def test_any_items_are_counted_and_never_raise(answer):
    checked = check(answer, window(SENTENCE), LIMITS)
    kept = len(checked.anchors) + len(checked.tasks) + len(checked.settled) + len(checked.moved)
    assert kept + checked.rejected.total() == sum(map(len, answer.values()))


def test_only_what_is_shown_can_be_quoted_and_secrets_on_the_edge_stay_hidden():
    token = "ghp_" + "aB3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW3xY5"
    text = f"{'Fill. ' * 442}See {token} there. {SENTENCE} {'Fill. ' * 400}Keep the tests short, please."
    message = Message(Role.USER, (Part(PartKind.TEXT, Voice.PERSON, text),), "m1")
    (shown,) = excerpts_of(1, message, [])
    cut = shown.visible[0][1]
    assert text.index(token) < cut < text.index(token) + len(token)
    assert token[:12] not in shown.shown
    assert place(SENTENCE, [shown], LIMITS) == "not_verbatim"
    found = place("tests short, please", [shown], LIMITS)
    assert not isinstance(found, str)
    assert text[found[1].start : found[1].end] == "Keep the tests short, please."


@pytest.mark.parametrize("text", ["```\nrm -rf the build folder\n```", "> rm -rf the build folder"])
def test_code_and_quotations_are_nobodys_statement(text):
    assert place("rm -rf the build folder", [excerpt(text)], LIMITS) == "not_verbatim"


@pytest.mark.parametrize(("type", "critical"), [("Constraint", True), ("Decision", True), ("Correction", True), ("CriticalFact", False)])
def test_only_what_a_person_laid_down_is_critical(type, critical):
    item = {"type": type, "message": 1, "quote": SENTENCE, "importance": 1}
    assert check({"anchors": [item]}, window(SENTENCE), LIMITS).anchors[0].critical is critical
    assert check({"anchors": [item]}, window(SENTENCE, Truth.CLAIMED), LIMITS).anchors[0].critical is False


def test_the_prompt_holds_what_is_shown_and_not_the_original():
    prompt = prompt_for(ModelWindow(1, 1, (WindowExcerpt(1, 0, Truth.STATED, "the original", "the masked"),)), LIMITS)
    assert "the masked" in prompt.user
    assert "the original" not in prompt.user + prompt.system
