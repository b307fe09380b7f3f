"""The context windows of models, by the beginning of their names. As the providers published them on 2026-11-23.

To add a model, add a line to `WINDOWS`. The longest beginning that fits a name counts. A beginning fits where nothing of a version
follows it: `claude-opus-4` is no `claude-opus-4-9`, which is unknown until it has a line. A model that its users serve themselves
(Llama, Qwen and others) has whatever window they gave it, so it has no line here: a setting, or the tool, tells it.
"""

from __future__ import annotations

import re
from functools import lru_cache

MILLION, BINARY_MILLION = 1_000_000, 1_048_576

# Points and hyphens in names are the same: some tools write claude-sonnet-4.6, others claude-sonnet-4-6.
WINDOWS = {
    # Anthropic
    "claude-fable-5": MILLION,
    "claude-fable-5-1": MILLION,
    "claude-mythos-5": MILLION,
    "claude-mythos-preview": MILLION,
    "claude-opus-5": MILLION,
    "claude-opus-5-5": MILLION,
    "claude-opus-4-8": MILLION,
    "claude-opus-4-7": MILLION,
    "claude-opus-4-6": MILLION,
    "claude-opus-4-5": 200_000,
    "claude-opus-4-1": 200_000,
    "claude-opus-4": 200_000,
    "claude-sonnet-5": MILLION,
    "claude-sonnet-5-5": MILLION,
    "claude-sonnet-4-6": MILLION,
    "claude-sonnet-4-5": 200_000,
    "claude-sonnet-4": 200_000,
    "claude-haiku-4-5": 200_000,
    "claude-3-7-sonnet": 200_000,
    "claude-3-5-sonnet": 200_000,
    "claude-3-5-haiku": 200_000,
    "claude-3-opus": 200_000,
    "claude-3-sonnet": 200_000,
    "claude-3-haiku": 200_000,
    # OpenAI. Codex gives some of these less, and writes into its session how much.
    "gpt-5-5": 1_050_000,
    "gpt-5-4": 1_050_000,
    "gpt-5-4-mini": 400_000,
    "gpt-5-4-nano": 400_000,
    "gpt-5-3-codex": 400_000,
    "gpt-5-3-codex-spark": 128_000,
    "gpt-5-2": 400_000,
    "gpt-5-1": 400_000,
    "gpt-5": 400_000,
    "gpt-5-chat": 128_000,
    "gpt-4-1": 1_047_576,
    "gpt-4o": 128_000,
    "gpt-4-turbo": 128_000,
    "gpt-4": 8_192,
    "gpt-4-32k": 32_768,
    "gpt-3-5-turbo": 16_385,
    "o4-mini": 200_000,
    "o3": 200_000,
    "o3-mini": 200_000,
    "o1": 200_000,
    "o1-mini": 128_000,
    "o1-preview": 128_000,
    # Google
    "gemini-3-1-pro": BINARY_MILLION,
    "gemini-3-1-flash": BINARY_MILLION,
    "gemini-3-pro": BINARY_MILLION,
    "gemini-3-flash": BINARY_MILLION,
    "gemini-2-5-pro": BINARY_MILLION,
    "gemini-2-5-flash": BINARY_MILLION,
    "gemini-2-0-flash": BINARY_MILLION,
    "gemini-1-5-pro": 2 * BINARY_MILLION,
    "gemini-1-5-flash": BINARY_MILLION,
    # xAI
    "grok-4-fast": 2_000_000,
    "grok-4-1-fast": 2_000_000,
    "grok-4": 256_000,
    "grok-code-fast-1": 256_000,
    # Moonshot
    "kimi-k2-5": 262_144,
}

# The windows that a provider's models come with, smallest first: usage above one of them shows that the next one holds.
FAMILIES = {
    "claude": (200_000, MILLION),
    "gpt": (8_192, 16_385, 128_000, 272_000, 400_000, 1_050_000),
    "o": (128_000, 200_000),
    "gemini": (BINARY_MILLION, 2 * BINARY_MILLION),
    "grok": (131_072, 256_000, 2_000_000),
}

# A name may carry its window: claude-sonnet-4-5[1m].
_MARK = re.compile(r"\[(\d{1,4})([km])\]$")
_UNITS = {"k": 1_000, "m": MILLION}
# Where a provider, a region or a cloud stands before the name: us.anthropic.claude-…, openrouter/openai/gpt-…, models/gemini-….
_PLACE = re.compile(r"^.*/|^(?:[a-z]{2,6}\.)?(?:anthropic|openai|google|xai)\.")
_VERSION = re.compile(r"-\d{1,2}(?!\d)")
_FAMILY = re.compile(r"[a-z]+")
_LONGEST = 200


@lru_cache(maxsize=1000)
def size_of(model: str) -> int | None:
    """Tokens of the window of a model, None where it is not known."""
    name = _plain(model)
    if mark := _MARK.search(name):
        return int(mark[1]) * _UNITS[mark[2]] or None
    fitting = [beginning for beginning in WINDOWS if name.startswith(beginning) and _ends(name[len(beginning) :])]
    return WINDOWS[max(fitting, key=len)] if fitting else None


def next_size(model: str, used: int) -> int | None:
    """The window of a model of which `used` tokens were filled, more than it was thought to have; None where that tells nothing.

    Of a model whose own window is not known, only usage that fits into nothing but its family's largest window tells it.
    """
    family = _FAMILY.match(_plain(model))
    sizes = [size for size in FAMILIES.get(family[0] if family else "", ()) if size >= used]
    if not sizes or (size_of(model) is None and len(sizes) > 1):
        return None
    return sizes[0]


def _plain(model: str) -> str:
    return _PLACE.sub("", model[:_LONGEST].strip().lower()).replace(".", "-")


def _ends(rest: str) -> bool:
    return not rest or (not rest[0].isalnum() and not _VERSION.match(rest))
