"""The arguments of a tool call as text for people."""

from collections.abc import Mapping
from typing import Any


def arguments(value: Any, indent: int = 0) -> str:
    """A call's arguments to be read by people: one `name: value` a line, long texts as they are."""
    room = "  " * indent
    if isinstance(value, Mapping):
        return "\n".join(_named(str(name), inner, indent) for name, inner in value.items())
    if isinstance(value, list):
        return "\n".join(f"{room}- {arguments(inner, indent + 1).lstrip()}" for inner in value)
    return f"{room}{value}"


def _named(name: str, value: Any, indent: int) -> str:
    room = "  " * indent
    if isinstance(value, Mapping | list) and value:
        return f"{room}{name}:\n{arguments(value, indent + 1)}"
    text = str(value)
    return f"{room}{name}:\n{text}" if "\n" in text else f"{room}{name}: {text}"
