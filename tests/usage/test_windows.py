"""Which context window holds, from what is known of it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from continuity.usage.short_form import short
from continuity.windows import ContextWindow, Evidence, WindowSource, resolve, size_of, words
from continuity.windows.evidence import TOLD
from continuity.windows.sizes import FAMILIES, WINDOWS, next_size


def test_it_works() -> None:
    assert resolve(Evidence(model="claude-opus-4-6"), {}) == ContextWindow(1_000_000, WindowSource.MODEL)


@pytest.mark.parametrize(
    ("model", "tokens"),
    [
        ("claude-opus-4-5-20251101", 200_000),
        ("claude-opus-4-5@20251101", 200_000),
        ("claude-sonnet-4-20250514", 200_000),
        ("claude-opus-5-5", 1_000_000),
        ("claude-sonnet-4-5[1m]", 1_000_000),
        ("claude-opus-4-8[200k]", 200_000),
        ("us.anthropic.claude-opus-4-6-v1:0", 1_000_000),
        ("openrouter/anthropic/claude-sonnet-4.5", 200_000),
        ("claude-sonnet-4.6", 1_000_000),
        ("gpt-5-codex", 400_000),
        ("gpt-5.5-2026-04-23", 1_050_000),
        ("gpt-4o-mini", 128_000),
        ("models/gemini-2.5-pro", 1_048_576),
        # A version that has no line is not the one before it.
        ("claude-opus-4-9", None),
        ("gpt-5.9", None),
        ("qwen3-coder:30b", None),
        ("haiku", None),
        ("<synthetic>", None),
        ("", None),
    ],
)
def test_the_table_knows_a_model_by_its_name_wherever_it_is_served(model: str, tokens: int | None) -> None:
    assert size_of(model) == tokens


def test_every_line_of_the_table_finds_itself_and_fits_its_family() -> None:
    assert {name: size_of(name) for name in WINDOWS} == WINDOWS
    for family, sizes in FAMILIES.items():
        assert list(sizes) == sorted(sizes)
        assert any(name.startswith(family) for name in WINDOWS)


@given(st.text(max_size=300))
def test_any_name_is_a_model_or_unknown(model: str) -> None:
    size = size_of(model)
    assert size is None or size > 0


def test_the_best_source_holds_whatever_came_first() -> None:
    evidence = Evidence(model="claude-haiku-4-5")
    order = [WindowSource.TRANSCRIPT, WindowSource.STATUSLINE, WindowSource.CLIENT, WindowSource.SETTING]
    for number, source in enumerate(order, 1):
        evidence = evidence.told(source, number * 1000)
        assert resolve(evidence, {}) == ContextWindow(number * 1000, source)
    for source in reversed(order):
        assert resolve(evidence, {}).source is source
        evidence = evidence.told(source, 0)
    assert resolve(evidence, {}) == ContextWindow(200_000, WindowSource.MODEL)


def test_a_team_sets_windows_by_the_beginning_of_a_name() -> None:
    team = {"claude-": 200_000, "claude-opus-4-8": 500_000, "*": 32_768}
    assert resolve(Evidence(model="claude-opus-4-8-fast", statusline=1_000_000), team) == ContextWindow(500_000, WindowSource.TEAM)
    assert resolve(Evidence(model="claude-haiku-9"), team) == ContextWindow(200_000, WindowSource.TEAM)
    assert resolve(Evidence(model="llama"), team) == ContextWindow(32_768, WindowSource.TEAM)
    assert resolve(Evidence(model="llama", setting=8_192), team) == ContextWindow(8_192, WindowSource.SETTING)


def test_usage_above_the_window_of_a_model_shows_the_next_size() -> None:
    fitting, above = (Evidence().seen("claude-sonnet-4-5", used) for used in (199_000, 300_000))
    assert resolve(fitting, {}) == ContextWindow(200_000, WindowSource.MODEL)
    assert resolve(above, {}) == ContextWindow(1_000_000, WindowSource.USAGE)
    # Every later answer is smaller: it stays what was learned. Another model has a window of its own.
    assert resolve(above.seen("claude-sonnet-4-5", 1_000), {}).tokens == 1_000_000
    assert resolve(above.seen("<synthetic>", 0).seen("", 5_000), {}).tokens == 1_000_000
    assert resolve(above.seen("claude-haiku-4-5", 1_000), {}) == ContextWindow(200_000, WindowSource.MODEL)


def test_what_usage_cannot_tell_stays_unknown() -> None:
    assert resolve(Evidence().seen("llama", 90_000), {}) == ContextWindow()
    assert resolve(Evidence().seen("claude-next-9", 90_000), {}) == ContextWindow()
    assert resolve(Evidence().seen("claude-next-9", 300_000), {}) == ContextWindow(1_000_000, WindowSource.USAGE)
    assert next_size("claude-sonnet-4-5", 5_000_000) is None  # a wrong count
    assert resolve(Evidence().seen("claude-sonnet-4-5", 5_000_000), {}) == ContextWindow(200_000, WindowSource.MODEL)


@given(st.builds(Evidence, *[st.integers(0, 10**8)] * 5, st.sampled_from(["", "gpt-5", "claude-opus-4-5"])))
def test_evidence_is_kept_as_it_was(evidence: Evidence) -> None:
    assert Evidence.from_json(evidence.to_json()) == evidence


def test_every_source_has_its_words() -> None:
    assert set(words.WORDS) == set(WindowSource) - {WindowSource.UNKNOWN}
    assert set(TOLD) < set(WindowSource)


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("1M", 1_000_000),
        ("200k", 200_000),
        ("1.05m", 1_050_000),
        (" 262,144 ", 262_144),
        ("0", None),
        ("-1", None),
        ("much", None),
        ("9999M", None),
    ],
)
def test_a_window_is_read_from_words(text: str, tokens: int | None) -> None:
    assert words.read(text) == tokens


def test_a_window_is_told_shortly() -> None:
    assert [short(tokens) for tokens in (900, 200_000, 258_400, 1_000_000, 1_050_000)] == ["900", "200k", "258.4k", "1M", "1.05M"]
