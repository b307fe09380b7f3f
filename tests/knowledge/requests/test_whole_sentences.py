"""A line parted into its sentences."""

import pytest

from continuity.knowledge.requests.whole_sentences import concludes, sentences_of


def test_it_works() -> None:
    assert sentences_of("It works. It is fast.") == ["It works.", "It is fast."]


@pytest.mark.parametrize(
    ("line", "first"),
    [
        ("It matches `key=sk-...` as one token, so all goes. Next.", "It matches `key=sk-...` as one token, so all goes."),
        ("It says “Stop. Go on.” and waits. Next.", "It says “Stop. Go on.” and waits."),
        ("Keep it (see a.py. It is long.) as it is. Next.", "Keep it (see a.py. It is long.) as it is."),
        ("I would like to look at  2. Move the branch. Next.", "I would like to look at  2. Move the branch."),
        ("It just... did not happen. Next.", "It just... did not happen."),
        ("Run `make it.` Next.", "Run `make it.`"),
        ("It was 2. Next.", "It was 2."),
    ],
)
def test_a_sentence_ends_not_within_code_brackets_or_a_quotation(line: str, first: str) -> None:
    assert sentences_of(line) == [first, "Next."]


@pytest.mark.parametrize("unit", ["a. ", "(a. ", "`a. ", "“a. ", "at 2. ", "a... b "])
def test_hostile_lines_take_linear_time(unit: str) -> None:
    # quadratic time would take minutes here and hang the run
    assert sentences_of(unit * 50_000)


@pytest.mark.parametrize(
    ("words", "comes_to"),
    [
        ("**My recommendation:** keep it.", True),
        ("My pick: way 3.", True),
        ("### Conclusion", True),
        ("I'd go with the second one, since it is short.", True),
        ("In short: it is safe.", True),
        ("The recommendations page is slow.", False),
        ("Outcomes of orders are stored in the table.", False),
    ],
)
def test_words_that_say_what_an_answer_comes_to(words: str, comes_to: bool) -> None:
    assert concludes(words) is comes_to
