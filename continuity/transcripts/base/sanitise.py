"""Text and JSON values made safe to store and show: nothing that a database, a terminal or a parser chokes on."""

from __future__ import annotations

import math
import re
from typing import Any

REPLACEMENT = "\ufffd"
MAX_DEPTH = 64
MAX_INTEGER = 2**63 - 1

_UNSAFE = re.compile("[\x00\ud800-\udfff\x80-\x84\x86-\x9f]")
# What steers a terminal: colours, the cursor, its title.
_STEERING = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b\n]{0,2000}(?:\x07|\x1b\\)|[@-Z\\^_=>78])?|[\x07\x08]")
# What nobody sees: marks that turn the direction of writing round, empty characters, and tags. Joiners stay between letters and signs
# that are not ASCII (Persian, Hindi, emoji), a tag behind a flag, and one choice of a form behind a sign.
_UNSEEN = re.compile(
    "[\u202a-\u202e\u2066-\u2069\u200e\u200f\u061c\u200b\u2060-\u2065\u206a-\u206f\ufeff\u180e\ufff9-\ufffb]"
    "|(?<![^\x00-\x7f])[\u200c\u200d]|[\u200c\u200d](?![^\x00-\x7f])"
    "|(?<![\U0001f3f4\U000e0020-\U000e007f])[\U000e0000-\U000e007f]+|[\U000e0000-\U000e001f]"
    "|(?<=[\ufe00-\ufe0f\U000e0100-\U000e01ef])[\ufe00-\ufe0f\U000e0100-\U000e01ef]+|(?<![^\x00-\x7f])[\U000e0100-\U000e01ef]+"
)
# Whatever one of these begins with: looked for in one step a character, where `_UNSEEN` takes twenty. In most texts nothing of it stands.
_DOUBTFUL = re.compile(
    "[\x00\x80-\x84\x86-\x9f\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ud800-\udfff\ufe00-\ufe0f\ufeff\ufff9-\ufffb"
    "\U000e0000-\U000e01ef]"
)


def clean_text(text: str) -> str:
    """The text with NUL, C1 controls and lone surrogates replaced by U+FFFD, and without what steers a terminal or is not seen; the very
    same object when there is nothing of it."""
    return text if _is_safe(text) else _UNSEEN.sub("", _UNSAFE.sub(REPLACEMENT, _STEERING.sub("", text)))


def clean_json(value: Any, max_depth: int = MAX_DEPTH) -> Any:
    """A JSON value that any store can hold; the very same object when nothing had to change.

    Strings and keys are cleaned as `clean_text` does. NaN and the infinities become marks, integers beyond 64 bits become
    strings, containers nested deeper than `max_depth` become a mark, and values that JSON does not know become strings.
    """
    return value if _is_clean(value, max_depth) else _cleaned(value, max_depth, max_depth)


def clip(text: str, limit: int) -> tuple[str, int]:
    """The text within `limit` characters, and its original size in characters, 0 where nothing was left out.

    The middle is left out: a mark there names how much of how many characters is missing.
    """
    size = len(text)
    if size <= limit:
        return text, 0
    room = limit - len(_mark(size, size))
    if room < 2:
        return text[: max(limit, 0)], size
    mark = _mark(size - room, size)
    tail = room // 2
    return f"{text[: room - tail]}{mark}{text[size - tail :]}", size


def clip_json(value: Any, limit: int) -> tuple[Any, int]:
    """A clean JSON value with every string within `limit` characters, and the size of the longest original clipped."""
    if isinstance(value, str):
        return clip(value, limit)
    if isinstance(value, dict):
        pairs = {key: clip_json(item, limit) for key, item in value.items()}
        largest = max((size for _, size in pairs.values()), default=0)
        return ({key: item for key, (item, _) in pairs.items()}, largest) if largest else (value, 0)
    if isinstance(value, list):
        entries = [clip_json(item, limit) for item in value]
        largest = max((size for _, size in entries), default=0)
        return ([item for item, _ in entries], largest) if largest else (value, 0)
    return value, 0


def _mark(missing: int, size: int) -> str:
    return f"\n[... {missing:,} of {size:,} characters left out ...]\n"


def _is_safe(text: str) -> bool:
    # isascii() reads a flag of the string object, so that the usual text costs a few memchr
    if "\x1b" in text or "\x00" in text or "\x08" in text or "\x07" in text:
        return False
    if text.isascii() or not (doubt := _DOUBTFUL.search(text)):
        return True
    return _UNSAFE.search(text, doubt.start()) is None and _UNSEEN.search(text, doubt.start()) is None


def _is_clean(value: Any, depth: int) -> bool:
    kind = type(value)
    if kind is str:
        return _is_safe(value)
    if kind is dict:
        return depth > 0 and all(type(key) is str and _is_safe(key) and _is_clean(item, depth - 1) for key, item in value.items())
    if kind is list:
        return depth > 0 and all(_is_clean(item, depth - 1) for item in value)
    if kind is int:
        return abs(int(value)) <= MAX_INTEGER
    if kind is float:
        return math.isfinite(float(value))
    return value is None or kind is bool


def _cleaned(value: Any, depth: int, max_depth: int) -> Any:
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, str):
        return clean_text(str(value))
    if isinstance(value, int):
        return value if -MAX_INTEGER <= value <= MAX_INTEGER else _digits(value)
    if isinstance(value, float):
        return value if math.isfinite(value) else f"[{value}]"
    if isinstance(value, dict | list | tuple) and depth <= 0:
        return f"[nested deeper than {max_depth} levels]"
    if isinstance(value, dict):
        return {clean_text(str(key)): _cleaned(item, depth - 1, max_depth) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_cleaned(item, depth - 1, max_depth) for item in value]
    return clean_text(str(value))


def _digits(value: int) -> str:
    """The decimal digits, or a mark where Python refuses to write that many."""
    try:
        return str(value)
    except ValueError:
        return f"[integer of {value.bit_length():,} bits]"
