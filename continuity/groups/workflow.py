"""The steps of a group's work (FR-021): whose each is, and to which others it may go on. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from continuity.agents.names import is_name
from continuity.groups.model import StepDemand

MOST_STEPS = 30
LONGEST_TITLE = 200
# Where a workflow is when all is done.
END = "end"
_FIELDS = frozenset({"key", "title", "owner", "expertise", "next"})


class BadWorkflow(ValueError):
    """What can't be a workflow, or a step in it; the message says why."""


@dataclass(frozen=True, slots=True)
class WorkflowStep:
    """`next` are the steps to which it may go on, the usual one first."""

    key: str
    title: str
    owner: str
    expertise: tuple[str, ...]
    next: tuple[str, ...]

    @property
    def wanted(self) -> StepDemand:
        return StepDemand(self.key, self.title, self.owner, self.expertise)

    def as_json(self) -> dict[str, Any]:
        return {
            "key": self.key,
            "title": self.title,
            "owner": self.owner,
            "expertise": list(self.expertise),
            "next": list(self.next),
        }


@dataclass(frozen=True, slots=True)
class Workflow:
    """Begins with its first step. Without steps there is no workflow."""

    steps: tuple[WorkflowStep, ...] = ()

    @property
    def first(self) -> str:
        return self.steps[0].key if self.steps else ""

    def step(self, key: str) -> WorkflowStep | None:
        return next((each for each in self.steps if each.key == key), None)

    def after(self, key: str, *, to: str = "") -> str:
        """Where the step goes on: `to`, or its usual next one. Raises BadWorkflow where it may not."""
        step = self.step(key)
        if step is None:
            raise BadWorkflow("All steps are done" if key == END else "There is no workflow")
        if to and to not in step.next:
            raise BadWorkflow(f"The step {key} goes on to {' or '.join(step.next)}, not to {to[:40]!r}")
        return to or step.next[0]

    def as_json(self) -> list[dict[str, Any]]:
        return [each.as_json() for each in self.steps]


def read(given: Sequence[Mapping[str, Any]]) -> Workflow:
    """A workflow from plain values; a step without `next` goes on to the following one, the last to the end. Raises BadWorkflow."""
    if len(given) > MOST_STEPS:
        raise BadWorkflow(f"A workflow has at most {MOST_STEPS} steps, not {len(given):,}")
    keys = [_key(each) for each in given]
    if len(set(keys)) < len(keys):
        raise BadWorkflow("Two steps have the same key")
    steps = tuple(_step(each, keys[number + 1] if number + 1 < len(keys) else END) for number, each in enumerate(given))
    for step in steps:
        for each in step.next:
            if each != END and each not in keys:
                raise BadWorkflow(f"The step {step.key} goes on to {each[:40]!r}, which is no step")
    if steps and END not in _reachable(steps):
        raise BadWorkflow("The last step can't be reached: no way leads to the end")
    return Workflow(steps)


def _key(given: Mapping[str, Any]) -> str:
    if not isinstance(given, Mapping):
        raise BadWorkflow("A step is an object with a key")
    key = given.get("key")
    if not isinstance(key, str) or not is_name(key) or key == END:
        raise BadWorkflow(f"The key of a step is a name of letters, digits, '_', '-' and '.', and not {END!r}: {str(key)[:40]!r}")
    return key


def _step(given: Mapping[str, Any], following: str) -> WorkflowStep:
    unknown = sorted(str(each)[:40] for each in given if each not in _FIELDS)
    if unknown:
        raise BadWorkflow(f"A step has {', '.join(sorted(_FIELDS))}; not {unknown[0]!r}")
    title, owner = given.get("title", ""), given.get("owner", "")
    if not isinstance(title, str) or len(title) > LONGEST_TITLE:
        raise BadWorkflow(f"A title is a text of at most {LONGEST_TITLE} characters")
    if not isinstance(owner, str) or (owner and not is_name(owner)):
        raise BadWorkflow("The owner of a step is the name of an agent")
    return WorkflowStep(given["key"], title, owner, _texts(given, "expertise"), _texts(given, "next") or (following,))


def _texts(given: Mapping[str, Any], name: str) -> tuple[str, ...]:
    found = given.get(name) or ()
    if not isinstance(found, list | tuple) or len(found) > 20 or not all(isinstance(each, str) and 0 < len(each) <= 80 for each in found):
        raise BadWorkflow(f"{name} of a step is a list of at most 20 texts of at most 80 characters")
    return tuple(found)


def _reachable(steps: Sequence[WorkflowStep]) -> set[str]:
    known = {each.key: each for each in steps}
    found: set[str] = set()
    left = [steps[0].key]
    while left:
        key = left.pop()
        if key not in found:
            found.add(key)
            left += known[key].next if key in known else ()
    return found
