"""The fields of an agent's entry in `agents.yaml` beside its events, each value checked where it stands. Pure."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

import yaml
from yaml.constructor import SafeConstructor

from continuity.agents import names, strategies
from continuity.agents.strategies import Strategy

MOST_EXPERTISE = 50
# Numbers to the base of 60 (1:30:00) take a time that grows with the square of their length.
LONGEST_NUMBER = 100
TEXT = "tag:yaml.org,2002:str"


class BadField(ValueError):
    """A value that a field can't hold; the message says why, `node` where."""

    def __init__(self, node: yaml.Node, why: str) -> None:
        super().__init__(why)
        self.node = node


def text(node: yaml.Node, noun: str, most: int) -> str:
    if not isinstance(node, yaml.ScalarNode) or not 1 <= len(node.value) <= most:
        raise BadField(node, f"{noun} is a text of 1 to {most} characters")
    return str(node.value)


def _number(noun: str, least: int, most: int) -> Callable[[yaml.Node], int]:
    def read(node: yaml.Node) -> int:
        given = text(node, noun, 12)
        digits = given.removeprefix("-")
        number = int(given) if digits.isascii() and digits.isdigit() else None
        if number is None or not least <= number <= most:
            raise BadField(node, f"{noun} is a whole number from {least:,} to {most:,}, not {given!r}")
        return number

    return read


def _strategy(node: yaml.Node) -> Strategy:
    given = text(node, "strategy", 40)
    if given not in list(Strategy):
        raise BadField(node, f"strategy is one of {', '.join(Strategy)}, not {given!r}")
    return Strategy(given)


def _backup(node: yaml.Node) -> str:
    given = text(node, "backup", 80)
    if not names.is_name(given):
        raise BadField(node, f"backup is the name of an agent, not {given!r}")
    return given


def _expertise(node: yaml.Node) -> list[str]:
    if not isinstance(node, yaml.SequenceNode) or len(node.value) > MOST_EXPERTISE:
        raise BadField(node, f"expertise is a list of at most {MOST_EXPERTISE} words")
    return [text(each, "each of expertise", 80) for each in node.value]


def _config(node: yaml.Node) -> dict[str, Any]:
    if not isinstance(node, yaml.MappingNode):
        raise BadField(node, "config is written as fields and values")
    return {text(key, "a name in config", 80): _value(value) for key, value in node.value}


def _value(node: yaml.Node) -> Any:
    if isinstance(node, yaml.MappingNode):
        return _config(node)
    if isinstance(node, yaml.SequenceNode):
        return [_value(each) for each in node.value]
    if node.tag != TEXT and len(node.value) > LONGEST_NUMBER:
        raise BadField(node, f"a number in config has at most {LONGEST_NUMBER} characters")
    try:
        value = SafeConstructor().construct_object(node)
    except (yaml.YAMLError, ValueError) as error:
        raise BadField(node, "a value in config is a text, a number, true, false or null") from error
    if isinstance(value, float) and not math.isfinite(value):
        raise BadField(node, "a number in config is finite")
    return value if value is None or isinstance(value, str | int | float | bool) else str(node.value)


# By the name in the file; `probe` is a command, which the runner reads.
FIELDS: Mapping[str, Callable[[yaml.Node], Any]] = {
    "role": lambda node: text(node, "role", 200),
    "expertise": _expertise,
    "priority": _number("priority", -1000, 1000),
    "strategy": _strategy,
    "backup": _backup,
    "config": _config,
    "probe": lambda node: text(node, "probe", 1000),
    "threshold": _number("threshold", 0, strategies.MOST_FAILURES),
    "timeout": _number("timeout", 1, strategies.LONGEST_TIMEOUT),
    "window": _number("window", 1, strategies.LONGEST_WINDOW),
}
