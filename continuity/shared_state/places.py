"""Places in a value, written as JSON Pointers (RFC 6901), and the rules by which two changes at one place are merged."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from continuity.shared_state.names import MergeRule
from continuity.shared_state.values import BadValue

MOST_RULES = 50
LONGEST = 500
ANY = "*"

Path = tuple[str, ...]


def pointer(path: Sequence[str]) -> str:
    """`/plan/steps/0`; empty for the whole value."""
    return "".join("/" + step.replace("~", "~0").replace("/", "~1") for step in path)


def path_of(text: str) -> Path:
    """Raises BadValue."""
    if len(text) > LONGEST or (text and not text.startswith("/")):
        raise BadValue("A place is written as /plan/steps, at most 500 characters", "merges")
    return tuple(step.replace("~1", "/").replace("~0", "~") for step in text.split("/")[1:])


def checked_rules(rules: Mapping[str, str]) -> dict[str, str]:
    """The rules, by pointer; `*` stands for any one key. Raises BadValue."""
    if len(rules) > MOST_RULES:
        raise BadValue(f"There are at most {MOST_RULES} rules of merging", "merges")
    for place, rule in rules.items():
        path_of(place)
        if rule not in list(MergeRule):
            raise BadValue(f"A place is merged as {' or '.join(MergeRule)}", "merges")
    return dict(rules)


class PlaceRules:
    """Finds the rule of a place; of several that fit the first."""

    def __init__(self, rules: Mapping[str, str]) -> None:
        self._by_length: dict[int, list[tuple[Path, MergeRule]]] = {}
        for place, rule in rules.items():
            path = path_of(place)
            self._by_length.setdefault(len(path), []).append((path, MergeRule(rule)))

    def of(self, path: Path) -> MergeRule | None:
        for wanted, rule in self._by_length.get(len(path), ()):
            if all(step in (ANY, given) for step, given in zip(wanted, path, strict=True)):
                return rule
        return None
