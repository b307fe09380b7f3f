"""One record: bytes to a clean JSON value, or the reason why not."""

from __future__ import annotations

import json
import re
from typing import Any

from continuity.transcripts.base.errors import BadRecord
from continuity.transcripts.base.sanitise import clean_json, clean_text

# Python refuses to read an integer of more digits; such a one stays text
MAX_DIGITS = 4000
# small values take twenty times their bytes in memory, so that of a large record they are counted first
MAX_VALUES = 1_000_000
COUNTED_FROM = 4 * 2**20

_BLANK = "\x00\ufeff \t\r\n"
_STRING = re.compile(rb'"(?:[^"\\]++|\\.)*+"', re.DOTALL)
_decoder = json.JSONDecoder(strict=False)
_careful_decoder = json.JSONDecoder(strict=False, parse_int=lambda digits: int(digits) if len(digits) <= MAX_DIGITS else digits)


def decode_record(data: bytes, *, complete: bool = True) -> Any:
    """The JSON value in `data`, cleaned; `complete` is False for a record in which the file ended.

    Invalid UTF-8 becomes U+FFFD. Raises BadRecord for what is not JSON, nests beyond what can be read or holds only NUL.
    """
    if len(data) > COUNTED_FROM and _values(data) > MAX_VALUES:
        raise BadRecord(f"holds more than {MAX_VALUES:,} values")
    text = data.decode("utf-8", "replace").strip(_BLANK)
    if not text:
        raise BadRecord("holds nothing but NUL bytes")
    try:
        return clean_json(_decode(text))
    except json.JSONDecodeError as error:
        if not complete:
            raise BadRecord("is cut off: the file ends within it") from error
        raise BadRecord(f"is not valid JSON ({_plain(error.msg)} at character {error.pos + 1:,})") from error
    except RecursionError as error:
        raise BadRecord("nests far too deep to be read") from error


def decode_text(data: bytes) -> str:
    """One line of a text file, cleaned, without its line end; invalid UTF-8 becomes U+FFFD."""
    return clean_text(data.decode("utf-8", "replace").removesuffix("\r"))


def _values(data: bytes) -> int:
    outside = _STRING.sub(b"", data)
    return outside.count(b",") + outside.count(b"[") + outside.count(b"{")


def _decode(text: str) -> Any:
    try:
        return _decoder.decode(text)
    except json.JSONDecodeError:
        raise
    except ValueError:
        return _careful_decoder.decode(text)


def _plain(message: str) -> str:
    return message[:1].lower() + message[1:].removesuffix(" at")
