"""The reader of `agents.yaml` (FR-016c): no code, only words, and every error with its line. Pure.

agents:
  - name: billing
    replay: full            # none, full or critical-only
    topics: ["task:*"]
    strategy: replace       # restart, replace or alert; docs/agents.md has the other fields
    backup: bookkeeping
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import yaml

from continuity.events import agents_fields
from continuity.events.agents_fields import BadField
from continuity.events.policies import DEFAULT, ReplayPolicy
from continuity.events.topics import BadTopic, checked_pattern

LARGEST = 256 * 1024
AGENTS = 1000
DEPTH = 8
# A thousand agents with all that can be said of one; more would only cost time.
NODES = 30_000


class BadAgentsFile(ValueError):
    """The file can't be used; the message names the line."""


@dataclass(frozen=True, slots=True)
class AgentEntry:
    """`said` are the fields that stand there, of those in `agents_fields.FIELDS`, `replay` and `topics`."""

    name: str
    policy: ReplayPolicy
    said: Mapping[str, Any] = field(default_factory=dict)


def read(text: str) -> dict[str, AgentEntry]:
    """Return what each agent asks for, by its name. Raises BadAgentsFile."""
    if len(text) > LARGEST:
        raise BadAgentsFile(f"The file has {len(text):,} characters, over the limit of {LARGEST:,}")
    try:
        _no_aliases(text)
        root = yaml.compose(text, Loader=yaml.SafeLoader)
    except BadAgentsFile:
        raise
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        raise BadAgentsFile(f"line {mark.line + 1 if mark else 1}: {error.problem or error.context or 'this is no YAML'}") from error
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise BadAgentsFile("This is no YAML") from error
    if root is None:
        return {}
    return _agents(root)


def _no_aliases(text: str) -> None:
    """Aliases could make a small file a huge one, and nothing here needs them; nor does anything lie so deep, or is so much."""
    depth = 0
    for number, event in enumerate(yaml.parse(text, Loader=yaml.SafeLoader)):
        if number > NODES:
            raise _wrong(event, f"there are more than {NODES:,} names and values")
        if isinstance(event, yaml.AliasEvent):
            raise _wrong(event, "names (&, *) are not read here: write the value out")
        depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
        if depth > DEPTH:
            raise _wrong(event, f"nothing is nested deeper than {DEPTH} levels")


def _agents(root: yaml.Node) -> dict[str, AgentEntry]:
    found: dict[str, AgentEntry] = {}
    for key, value in _pairs(root, "the file"):
        if key.value != "agents":
            continue
        if not isinstance(value, yaml.SequenceNode):
            raise _wrong(value, "agents is a list")
        if len(value.value) > AGENTS:
            raise _wrong(value, f"there are more than {AGENTS:,} agents")
        for node in value.value:
            entry = _entry(node)
            if entry.name in found:
                raise _wrong(node, f"the agent {entry.name!r} stands here twice")
            found[entry.name] = entry
    return found


def _entry(node: yaml.Node) -> AgentEntry:
    said: dict[str, Any] = {}
    for key, value in _pairs(node, "an agent"):
        if key.value == "name":
            said["name"] = _text(value, "name", 80)
        elif key.value == "replay":
            said["replay"] = _policy(value)
        elif key.value == "topics":
            said["topics"] = tuple(_topics(value))
        elif key.value in agents_fields.FIELDS:
            said[key.value] = _field(key.value, value)
        else:
            raise _wrong(key, f"{str(key.value)[:60]!r} is no field of an agent")
    if "name" not in said:
        raise _wrong(node, "an agent has a name")
    return AgentEntry(said.pop("name"), said.get("replay", DEFAULT), said)


def _field(name: str, node: yaml.Node) -> Any:
    try:
        return agents_fields.FIELDS[name](node)
    except BadField as error:
        raise _wrong(error.node, str(error)) from error


def _policy(node: yaml.Node) -> ReplayPolicy:
    given = _text(node, "replay", 40)
    if given not in list(ReplayPolicy):
        raise _wrong(node, f"replay is one of {', '.join(ReplayPolicy)}, not {given!r}")
    return ReplayPolicy(given)


def _topics(node: yaml.Node) -> Iterator[str]:
    if not isinstance(node, yaml.SequenceNode) or len(node.value) > 100:
        raise _wrong(node, "topics is a list of at most 100 patterns")
    for each in node.value:
        try:
            yield checked_pattern(_text(each, "a topic", 200))
        except BadTopic as error:
            raise _wrong(each, str(error)) from error


def _pairs(node: yaml.Node, noun: str) -> list[tuple[yaml.Node, yaml.Node]]:
    if not isinstance(node, yaml.MappingNode):
        raise _wrong(node, f"{noun} is written as fields and values")
    return list(node.value)


def _text(node: yaml.Node, noun: str, most: int) -> str:
    try:
        return agents_fields.text(node, noun, most)
    except BadField as error:
        raise _wrong(node, str(error)) from error


def _wrong(at: yaml.Node | yaml.Event, why: str) -> BadAgentsFile:
    line = at.start_mark.line + 1 if at.start_mark else 1
    return BadAgentsFile(f"line {line}: {why}")
