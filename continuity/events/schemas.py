"""A part of JSON Schema that is checked in time linear in the payload: a hostile schema or payload can't hold anybody up. Pure.

Known: `type`, `enum`, `const`, `properties`, `required`, `additionalProperties` (yes, no, or a schema), `items`, `minItems`, `maxItems`,
`minLength`, `maxLength`, `minimum`, `maximum`. What only explains is passed over. Anything else, such as `pattern` or `$ref`, is refused
when the schema is declared, so that nobody believes in a check that is not made.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

DEPTH = 16
KEYWORDS = 500
EXPLAINING = frozenset({"$schema", "$id", "title", "description", "default", "examples", "$comment", "deprecated"})
_TYPES: Mapping[str, Callable[[Any], bool]] = {
    "object": lambda value: isinstance(value, dict),
    "array": lambda value: isinstance(value, list),
    "string": lambda value: isinstance(value, str),
    "boolean": lambda value: isinstance(value, bool),
    "null": lambda value: value is None,
    "number": lambda value: isinstance(value, int | float) and not isinstance(value, bool),
    "integer": lambda value: (isinstance(value, int) and not isinstance(value, bool)) or (isinstance(value, float) and value.is_integer()),
}
_SIZES = ("minItems", "maxItems", "minLength", "maxLength")
_LIMITS = ("minimum", "maximum")


class BadSchema(ValueError):
    """A schema that can't be declared; the message says where and why."""


class Unfit(ValueError):
    """A payload that its topic's schema does not allow; the message names the place, never what stands there."""


def check_schema(schema: Any) -> None:
    """Raises BadSchema."""
    left = [KEYWORDS]
    _check(schema, "schema", 0, left)


def _check(schema: Any, place: str, depth: int, left: list[int]) -> None:
    if not isinstance(schema, dict):
        raise BadSchema(f"{place} is no object")
    if depth > DEPTH:
        raise BadSchema(f"{place} is nested deeper than {DEPTH} levels")
    left[0] -= len(schema) + 1
    if left[0] < 0:
        raise BadSchema(f"The schema has more than {KEYWORDS} keywords")
    for keyword, value in schema.items():
        at = f"{place}.{keyword[:60]}"
        if keyword in EXPLAINING or keyword == "const":
            continue
        if keyword == "type":
            kinds = value if isinstance(value, list) else [value]
            if not kinds or not all(isinstance(kind, str) and kind in _TYPES for kind in kinds):
                raise BadSchema(f"{at} is none of {', '.join(_TYPES)}")
        elif keyword == "enum":
            if not isinstance(value, list) or not 1 <= len(value) <= 200:
                raise BadSchema(f"{at} is no list of 1 to 200 values")
        elif keyword == "required":
            if not isinstance(value, list) or not all(isinstance(name, str) for name in value):
                raise BadSchema(f"{at} is no list of names")
        elif keyword == "properties":
            if not isinstance(value, dict):
                raise BadSchema(f"{at} is no object")
            for name, inner in value.items():
                _check(inner, f"{at}.{name[:60]}", depth + 1, left)
        elif keyword == "items":
            _check(value, at, depth + 1, left)
        elif keyword == "additionalProperties":
            if not isinstance(value, bool):
                _check(value, at, depth + 1, left)
        elif keyword in _SIZES:
            if not isinstance(value, int) or isinstance(value, bool) or value < 0:
                raise BadSchema(f"{at} is no whole number from 0 on")
        elif keyword in _LIMITS:
            if not _TYPES["number"](value):
                raise BadSchema(f"{at} is no number")
        else:
            raise BadSchema(f"{at} is a keyword that is not checked here")


def check(payload: Any, schema: Mapping[str, Any], place: str = "payload") -> None:
    """Raises Unfit where the payload is not as the schema (one that `check_schema` passed) says."""
    kinds = schema.get("type")
    if kinds is not None and not any(_TYPES[kind](payload) for kind in (kinds if isinstance(kinds, list) else [kinds])):
        raise Unfit(f"{place} is not of type {kinds if isinstance(kinds, str) else ' or '.join(kinds)}")
    if "const" in schema and not _same(payload, schema["const"]):
        raise Unfit(f"{place} is not the one value allowed")
    if "enum" in schema and not any(_same(payload, each) for each in schema["enum"]):
        raise Unfit(f"{place} is none of the values allowed")
    if isinstance(payload, dict):
        _check_object(payload, schema, place)
    elif isinstance(payload, list):
        _sized(len(payload), schema, "minItems", "maxItems", place, "entries")
        if "items" in schema:
            for number, each in enumerate(payload):
                check(each, schema["items"], f"{place}.{number}")
    elif isinstance(payload, str):
        _sized(len(payload), schema, "minLength", "maxLength", place, "characters")
    elif _TYPES["number"](payload) and not schema.get("minimum", payload) <= payload <= schema.get("maximum", payload):
        raise Unfit(f"{place} is not between {schema.get('minimum', '…')} and {schema.get('maximum', '…')}")


def _check_object(payload: dict[str, Any], schema: Mapping[str, Any], place: str) -> None:
    for name in schema.get("required", ()):
        if name not in payload:
            raise Unfit(f"{place}.{name[:60]} is missing")
    known, others = schema.get("properties", {}), schema.get("additionalProperties", True)
    for name, value in payload.items():
        at = f"{place}.{name[:60]}"
        if name in known:
            check(value, known[name], at)
        elif others is False:
            raise Unfit(f"{at} is not known")
        elif isinstance(others, dict):
            check(value, others, at)


def _same(one: Any, other: Any) -> bool:
    """1 is 1.0 but not true."""
    return isinstance(one, bool) == isinstance(other, bool) and bool(one == other)


def _sized(size: int, schema: Mapping[str, Any], least: str, most: str, place: str, noun: str) -> None:
    if not schema.get(least, 0) <= size <= schema.get(most, size):
        raise Unfit(f"{place} has {size:,} {noun}, not {schema.get(least, 0):,} to {schema.get(most, '…')}")
