"""An agent's state made ready to be stored, and read back (FR-009a). Pure.

In this order: the latest turns; above the limit the oldest turns go, then trimmable fields; above 100 KB it is compressed; what is still
above the limit is refused. What is read back is at most ten times what was stored, so that nothing can swell in memory.
"""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from continuity.storage import trimming
from continuity.storage.sessions import Encoding
from continuity.storage.state_digest import digest_of
from continuity.storage.state_json import BadState, checked

COMPRESS_ABOVE = 100 * 1024
RATIO = 10
# Quick rather than small: who waits for this is about to work on.
LEVEL = 1

Compress = Callable[[bytes], bytes]


class StateTooLarge(BadState):
    """The state is above the limit, however it is stored."""

    def __init__(self, size: int, limit: int) -> None:
        self.size, self.limit = size, limit
        super().__init__(f"The state has {size:,} bytes, over the limit of {limit:,}")


@dataclass(frozen=True, slots=True)
class Packed:
    """`size` is that of the state as JSON in bytes, `messages` how many it still has, `digest` that of what is stored.
    `uncompressed_for` is why gzip failed, if it did."""

    body: bytes
    encoding: Encoding
    size: int
    digest: str
    messages: int
    dropped_turns: int = 0
    dropped_fields: tuple[str, ...] = ()
    uncompressed_for: str = ""


def pack(state: Any, *, history: int, limit: int, compress: Compress = partial(gzip.compress, compresslevel=LEVEL, mtime=0)) -> Packed:
    """`history` is in turns, `limit` in bytes of what is stored. Raises BadState, of which StateTooLarge is one."""
    trimmed = trimming.trim(trimming.with_latest(checked(state), history), limit)
    text = trimmed.written
    if len(text) > RATIO * limit:
        raise StateTooLarge(len(text), limit)  # It could not be read back.
    body, encoding, failure = text, Encoding.PLAIN, ""
    if len(text) > COMPRESS_ABOVE:
        try:
            smaller = compress(text)
        except (zlib.error, OSError, ValueError, MemoryError) as error:
            failure = type(error).__name__
        else:
            # What shrinks beyond the ratio is stored plain, or it would be taken for a bomb when it is read.
            if len(smaller) < len(text) <= RATIO * len(smaller):
                body, encoding = smaller, Encoding.GZIP
    if len(body) > limit:
        raise StateTooLarge(len(body), limit)
    messages = len(trimmed.state.get("messages", []))
    return Packed(body, encoding, len(text), digest_of(trimmed.state), messages, trimmed.turns, trimmed.fields, failure)


def unpack(body: bytes, encoding: Encoding) -> Mapping[str, Any]:
    """The state that was packed. Raises BadState where this is none."""
    text = _inflated(body) if encoding == Encoding.GZIP else body
    try:
        return checked(json.loads(text))
    except (ValueError, RecursionError) as error:
        raise BadState("What is stored is no state of an agent") from error


def _inflated(body: bytes) -> bytes:
    most = RATIO * len(body)
    reader = zlib.decompressobj(wbits=31)
    try:
        text = reader.decompress(body, most + 1)
    except zlib.error as error:
        raise BadState("What is stored is not compressed as it says") from error
    if len(text) > most or not reader.eof or reader.unused_data:
        raise BadState(f"What is stored is cut off, or swells to more than {RATIO} times its size")
    return text
