"""Of an index only a fifth of a context counts."""

from __future__ import annotations

from diagnostics.evaluation.index import readable

PROSE = "The team agreed on this after a long talk about what would break.\n"


def names(count: int) -> list[str]:
    return [f"some_name_{chr(97 + number // 26)}{chr(97 + number % 26)}" for number in range(count)]


def test_it_works() -> None:
    context = PROSE * 3 + " ".join(names(40))

    kept = readable(context)

    assert kept.startswith(PROSE * 3)
    assert "some_name_aa" in kept
    assert "some_name_bn" not in kept


def test_an_index_of_a_fifth_stays_whole() -> None:
    index = " ".join(names(10))
    context = PROSE * 20 + index

    assert len(index) < len(context) / 5
    assert readable(context) == context


def test_what_is_kept_of_an_index_is_a_fifth_of_the_characters() -> None:
    words = names(100)
    context = " ".join(words)

    kept = readable(context).split()

    assert kept == words[: len(context) // 5 // (len(words[0]) + 1)]


def test_three_names_of_five_words_make_an_index_across_line_ends() -> None:
    mixed = "\n".join(["alpha_beta and", "gamma_delta or", "epsilon_zeta is here"])
    spread = "alpha_beta and then also gamma_delta or maybe again epsilon_zeta is here"

    assert "epsilon_zeta" not in readable(mixed)
    assert readable(spread) == spread


def test_fewer_than_five_words_are_no_index() -> None:
    assert readable("alpha_beta gamma_delta epsilon_zeta eta_theta") == "alpha_beta gamma_delta epsilon_zeta eta_theta"
