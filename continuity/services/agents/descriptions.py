"""An agent's description at registration: what was sent, else what its file says, the operators' file, what is known, a default."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pydantic_core import to_json

from continuity.agents import names, strategies
from continuity.agents.strategies import Strategy
from continuity.core.errors import Invalid, TooLarge
from continuity.events import agents_file
from continuity.events.agents_file import AgentEntry, BadAgentsFile
from continuity.events.policies import DEFAULT
from continuity.events.topics import BadTopic, checked_patterns
from continuity.models import Agent
from continuity.secrets import message_masking
from continuity.services.subscriptions import agents_files
from continuity.transcripts.base.sanitise import clean_json

LARGEST_CONFIG = 64 * 1024
DEFAULTS: Mapping[str, Any] = {
    "role": "",
    "expertise": [],
    "priority": 0,
    "config": {},
    "topics": [],
    "replay": DEFAULT,
    "strategy": Strategy.RESTART,
    "backup": "",
    "threshold": strategies.THRESHOLD,
    "timeout_seconds": strategies.TIMEOUT_SECONDS,
    "window_seconds": strategies.WINDOW_SECONDS,
    "probes": False,
}
_IN_FILE = {"timeout": "timeout_seconds", "window": "window_seconds"}


@dataclass(frozen=True, slots=True)
class AgentDescription:
    """The columns of an agent; `said_replay` where somebody said which of its missed events it gets; `probe_command` is the file's."""

    columns: Mapping[str, Any]
    said_replay: bool
    probe_command: str = ""


def describe(name: str, *, given: Mapping[str, Any], file: str, known: Agent | None) -> AgentDescription:
    """Raises Invalid, naming the field or the line of the file, and TooLarge."""
    if not names.is_name(name):
        raise Invalid("An agent's name is letters, digits, '_', '-' and '.', at most 80, and begins with a letter or digit.", field="name")
    entries = agents_files.entry_of(name), _sent_file(file).get(name)
    probe = next((str(entry.said["probe"]) for entry in reversed(entries) if entry and entry.said.get("probe")), "")
    said = {**_in_file(entries[0]), **_in_file(entries[1]), **given}
    before = {field: getattr(known, field) for field in DEFAULTS} if known else {}
    found = {**DEFAULTS, **before, **said}
    found["replay"] = agents_files.policy_of(name) or found["replay"]  # As with subscriptions: the operators' file holds.
    if found["strategy"] == Strategy.REPLACE and (not found["backup"] or found["backup"] == name):
        raise Invalid("An agent that is to be replaced names its backup, which is another one.", field="backup")
    if found["backup"] and not names.is_name(found["backup"]):
        raise Invalid("A backup is the name of an agent.", field="backup")
    columns = {**found, "config": _clean(found["config"]), "topics": _topics(found["topics"])}
    return AgentDescription(columns, "replay" in said, probe)


def _sent_file(text: str) -> Mapping[str, AgentEntry]:
    try:
        return agents_file.read(text) if text else {}
    except BadAgentsFile as error:
        raise Invalid(f"agents.yaml: {error}.", field="file") from error


def _in_file(entry: AgentEntry | None) -> dict[str, Any]:
    said = dict(entry.said) if entry else {}
    probes = {"probes": True} if said.pop("probe", None) else {}
    return {_IN_FILE.get(name, name): value for name, value in said.items()} | probes


def _clean(config: Any) -> Any:
    cleaned = clean_json(config)
    size = len(to_json(cleaned))
    if size > LARGEST_CONFIG:
        raise TooLarge(noun="An agent's configuration", size=f"{size:,} bytes", limit=f"{LARGEST_CONFIG:,}")
    return message_masking.masked([cleaned], message_masking.spans_of([cleaned]))[0]


def _topics(topics: Any) -> list[str]:
    try:
        return [checked_patterns(each) for each in topics]
    except BadTopic as error:
        raise Invalid(f"{error}.", field="topics") from error
