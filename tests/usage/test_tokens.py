from __future__ import annotations

import subprocess
import sys
import time

import pytest
import splintr
from hypothesis import given
from hypothesis import strategies as st

from continuity.usage import vocabularies
from continuity.usage.tokens import FAMILIES, Counter, Family, Tally, counter_for
from continuity.usage.vocabularies import CHUNK_CHARS, TokenVocabulary

O200K = splintr.Tokenizer.from_pretrained("o200k_base")


def test_it_works() -> None:
    assert counter_for("gpt-4o").count("Hello, world!") == 4


def test_unusual_words_are_not_kept_for_long(monkeypatch: pytest.MonkeyPatch) -> None:
    vocabulary = TokenVocabulary("o200k_base")
    vocabulary.encode("zxqvkj9yy hkwqzz3")
    assert vocabulary.kept
    monkeypatch.setattr(vocabularies, "KEEP_SECONDS", -1.0)
    vocabulary.encode("the")
    assert not vocabulary.kept


@pytest.mark.parametrize(
    ("model", "family", "estimated"),
    [
        ("claude-opus-4-5-20251101", "claude", True),
        ("us.anthropic.claude-sonnet-4-5", "claude", True),
        ("openai/gpt-4o-mini", "gpt", False),
        ("gpt-5.2-codex", "gpt", False),
        ("o3-mini", "gpt", False),
        ("gpt-4-turbo", "gpt-4", False),
        ("gpt-3.5-turbo", "gpt-4", False),
        ("gpt-oss-120b", "gpt-oss", False),
        ("meta-llama/Llama-3.1-70B-Instruct", "llama-3", False),
        ("Qwen/Qwen3-Coder", "qwen", False),
        ("deepseek-chat", "deepseek", False),
        ("mistral-large-latest", "mistral", False),
        ("gemini-2.5-pro", "gemini", True),
        ("somebody/else", "unknown", True),
        ("", "unknown", True),
    ],
)
def test_a_models_name_tells_its_family_and_whether_counts_are_estimates(model: str, family: str, estimated: bool) -> None:
    counter = counter_for(model)

    assert (counter.family, counter.estimated) == (family, estimated)


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.name)
def test_every_vocabulary_is_shipped_and_counts(family: Family) -> None:
    counter = counter_for(family.name)

    assert counter.vocabulary == family.vocabulary
    assert 5 <= counter.count("The quick brown fox jumps over the lazy dog.") <= 16


def test_special_tokens_in_a_text_count_as_its_words() -> None:
    assert counter_for("gpt-4o").count("<|endoftext|>") > 1


def test_a_claude_count_is_above_the_vocabulary_it_is_estimated_with() -> None:
    text = "Take the branch, run the tests and push it. " * 20

    assert counter_for("claude").count(text) > counter_for("gpt-4o").count(text)


def test_lone_surrogates_are_counted() -> None:
    assert counter_for("gpt-4o").count("broken \ud83d text") >= 3


@given(st.text(max_size=400))
def test_short_texts_count_exactly_as_the_vocabulary_does(text: str) -> None:
    assert counter_for("gpt-4o").count(text) == len(O200K.encode_ordinary(text))


def test_long_texts_in_pieces_count_nearly_as_in_one() -> None:
    text = "".join(f"Line {n}: the value of item_{n} is {n * 7}.\n" for n in range(4000))
    assert len(text) > 3 * CHUNK_CHARS

    assert counter_for("gpt-4o").count(text) == len(O200K.encode_ordinary(text))


@pytest.mark.parametrize("unit", ["a", " ", "\n", "=", "漢", "ab"])
def test_a_megabyte_of_one_repeated_character_is_no_trap(unit: str) -> None:
    counter = counter_for("gpt-4o")
    counter.count("warm")
    started = time.process_time()

    assert counter.count(unit * (1_000_000 // len(unit))) > 1000

    assert time.process_time() - started < 2


def test_vocabularies_load_only_when_needed() -> None:
    code = "import continuity.usage.tokens as t; t.counter_for('gpt-4o'); print(t.vocabulary.cache_info().currsize)"

    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip() == "0"


VOCABULARIES = sorted({family.vocabulary for family in FAMILIES})
LINES = st.lists(
    st.text(alphabet=st.sampled_from("ab Z19.,:;-#*`'\"()[]…é中\t"), max_size=12).map(lambda line: line.strip(" \t")), max_size=8
).map("\n".join)


@pytest.mark.parametrize("vocabulary", VOCABULARIES)
@given(texts=st.lists(LINES, min_size=1, max_size=4))
def test_a_tally_counts_as_its_counter_does(vocabulary: str, texts: list[str]) -> None:
    counter = Counter("any", vocabulary, estimated=True, factor=1.2)
    tally = Tally(counter)
    for text in [*texts, "\n".join(texts), "\n\n".join(texts) + "\n"]:
        assert tally.count(text) == counter.count(text), text
    parts = [f"## {text.rstrip()}\n\n" for text in texts]
    assert tally.count_parts(parts) == tally.count_parts(parts) == counter.count("".join(parts)), parts


def test_a_tally_counts_a_line_once() -> None:
    counted: list[str] = []

    class Noting(Counter):
        def raw(self, text: str) -> int:
            counted.append(text)
            return super().raw(text)

    tally = Tally(Noting("gpt", "o200k_base", estimated=False))
    for text in ("- one rule\n- another\n\n## Next\n", "- another\n\n- one rule\n## Next\n"):
        tally.count(text)
    assert sorted(counted) == ["## Next\n", "- another\n\n", "- one rule\n"]
