"""Token counts by model family, from the vocabularies that splintr ships; nothing is downloaded."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from continuity.transcripts.base.model import Message, Part
from continuity.usage.vocabularies import CHUNK_CHARS, LINE, OVER_LINES, pieces, vocabulary

DEFAULT_VOCABULARY = "o200k_base"
# Claude's vocabulary is not public. Sessions that report their usage show it 1.1 to 1.3 times above o200k_base.
CLAUDE_FACTOR = 1.2


@dataclass(frozen=True, slots=True)
class Family:
    """How the models whose name matches `pattern` count; `estimated` where their own vocabulary is not at hand."""

    name: str
    pattern: str
    vocabulary: str
    estimated: bool = False
    factor: float = 1.0


# The first match wins: narrower names stand before wider ones.
FAMILIES = (
    Family("claude", r"claude|anthropic", DEFAULT_VOCABULARY, estimated=True, factor=CLAUDE_FACTOR),
    Family("gpt-oss", r"gpt-?oss", "o200k_base"),
    Family("gpt", r"gpt-?4o|gpt-?4\.[15]|gpt-?[5-9]|chatgpt|\bo[134](?:-|$)|codex", "o200k_base"),
    Family("gpt-4", r"gpt-?4|gpt-?3\.5|text-embedding-(?:3|ada)", "cl100k_base"),
    Family("codellama", r"code-?llama", "codellama"),
    Family("llama-2", r"llama-?2|vicuna|tinyllama", "llama2"),
    Family("llama-4", r"llama-?4", "llama3", estimated=True),
    Family("llama-3", r"llama", "llama3"),
    Family("deepseek", r"deepseek", "deepseek_v3"),
    Family("qwen", r"qwen|qwq", "qwen3"),
    Family("glm", r"\bglm|chatglm", "glm4"),
    Family("kimi", r"kimi|moonshot", "kimi"),
    Family("mistral-7b", r"mistral-7b|mixtral-8x7b", "mistral_v1"),
    Family("codestral", r"codestral|mixtral-8x22b", "mistral_v2"),
    Family("mistral", r"mi[sx]tral|pixtral|devstral|magistral|ministral", "mistral_v3"),
    Family("gemma", r"gemma", "gemma3"),
    Family("gemini", r"gemini", "gemma3", estimated=True),
    Family("phi-4", r"\bphi-?4", "phi4"),
    Family("olmo", r"olmo", "olmo2"),
)
UNKNOWN = Family("unknown", "", DEFAULT_VOCABULARY, estimated=True)


@dataclass(frozen=True, slots=True)
class Counter:
    """Counts tokens as the models of one family do."""

    family: str
    vocabulary: str
    estimated: bool
    factor: float = 1.0

    def count(self, text: str) -> int:
        """Tokens of `text` as ordinary words: special tokens spelled out in it count as text."""
        return self.scaled(self.raw(text))

    def raw(self, text: str) -> int:
        """Tokens in the vocabulary, before the family's factor; those of the lines add up to those of a text, but for OVER_LINES."""
        encode = vocabulary(self.vocabulary).encode
        if len(text) <= CHUNK_CHARS and text.isascii():
            return len(encode(text))
        return sum(len(encode(piece)) for piece in pieces(text))

    def scaled(self, tokens: int) -> int:
        return tokens if self.factor == 1.0 else math.ceil(tokens * self.factor)


class Tally:
    """Counts texts that have most of their lines in common, as the counter does: a line that was counted once is looked up."""

    def __init__(self, counter: Counter) -> None:
        self._counter = counter
        self._whole = counter.vocabulary in OVER_LINES
        self._known: dict[str, int] = {}

    def count(self, text: str) -> int:
        """Tokens of `text`, the same as `Counter.count` gives."""
        if self._whole or text.find("\n", 0, -1) < 0:
            return self._counter.scaled(self._raw(text))
        return self._counter.scaled(self._lines(text))

    def count_parts(self, parts: Sequence[str]) -> int:
        """Tokens of the parts as one text, each of which ends with a line and begins with a word."""
        if self._whole:
            return self.count("".join(parts))
        return self._counter.scaled(sum(map(self._part, parts)))

    def _part(self, part: str) -> int:
        found = self._known.get(part)
        if found is None:
            found = self._known[part] = self._lines(part)
        return found

    def _lines(self, text: str) -> int:
        return sum(map(self._raw, filter(None, LINE.findall(text))))

    def _raw(self, piece: str) -> int:
        found = self._known.get(piece)
        if found is None:
            found = self._known[piece] = self._counter.raw(piece)
        return found


@lru_cache(maxsize=256)
def counter_for(model: str) -> Counter:
    """The counter for a model's name as tools write it (`openai/gpt-4o`, `claude-sonnet-4-5`); o200k_base where unknown."""
    lowered = model.lower()
    family = next((each for each in FAMILIES if re.search(each.pattern, lowered)), UNKNOWN)
    return Counter(family.name, family.vocabulary, family.estimated, family.factor)


def message_tokens(message: Message, counter: Counter) -> int:
    """Tokens of all parts of a message: words, calls with their arguments, and results; images count nothing here."""
    return sum(counter.count(_words(part)) for part in message.parts)


def _words(part: Part) -> str:
    if not part.input:
        return part.text
    return f"{part.text}{part.name} {json.dumps(dict(part.input), ensure_ascii=False, default=str)}"


def load_vocabularies() -> None:
    """Loads the vocabulary that most models are counted with: it takes as long as recording a thousand messages."""
    vocabulary(DEFAULT_VOCABULARY)
