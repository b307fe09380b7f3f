"""JSON by the two functions in C that `json` itself works with."""

from __future__ import annotations

from importlib import import_module

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class _Plain:
    """How `json.loads` reads where nothing is said."""

    strict = True
    object_hook = None
    object_pairs_hook = None
    parse_float = float
    parse_int = int
    parse_constant = float


def parse(sent: bytes) -> Any:
    """The value of a JSON text in UTF-8. Raises ValueError."""
    text = sent.decode().removeprefix("\ufeff").strip(" \t\r\n")
    try:
        value, end = _scan(text, 0)
    except StopIteration as stopped:
        raise ValueError(f"no JSON value at character {stopped.value}") from None
    except SystemError:  # What the scanner says of some broken texts as long as nobody has loaded `json.decoder`.
        raise ValueError("no JSON value") from None
    if end != len(text):
        raise ValueError(f"more than one JSON value, at character {end}")
    return value


def parse_object(sent: bytes) -> dict[str, Any]:
    """The same, or an empty object where it is none."""
    try:
        value = parse(sent)
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}


def write(said: Any) -> str:
    """The JSON text of objects, lists, texts, whole numbers and truth values. Raises TypeError for anything else."""
    if isinstance(said, str):
        return str(quote(said))
    if isinstance(said, dict):
        return "{" + ",".join(f"{quote(name)}:{write(value)}" for name, value in said.items()) + "}"
    if isinstance(said, list):
        return "[" + ",".join(map(write, said)) + "]"
    if isinstance(said, bool):
        return "true" if said else "false"
    if isinstance(said, int):
        return str(said)
    raise TypeError(f"no text, number, list or object: {type(said).__name__}")


try:
    _c = import_module("_json")
    _scan, quote = _c.make_scanner(_Plain), _c.encode_basestring_ascii
except (ImportError, AttributeError):  # A Python without them.
    _json = import_module("json")
    _scan, quote = _json.JSONDecoder().raw_decode, _json.dumps
