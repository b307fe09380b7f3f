"""Reads a family of rules from its TOML file, and says by file, rule and field what is wrong with it."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from continuity.knowledge.model import AnchorType
from continuity.knowledge.rules.engine import AGENT, PERSON, REPORT, Rule, RuleLine, Setting
from continuity.knowledge.rules.marks import MARKS, count_marks
from continuity.knowledge.rules.patterns import SHARED, BadPattern, compiled, expanded
from continuity.knowledge.rules.predicates import PREDICATES

SPEAKERS: Mapping[str, frozenset[Setting]] = {"user": PERSON, "agent": AGENT, "report": REPORT}
JOINS = ("", "after", "before")

_ID = re.compile(r"[a-z]+\.[a-z_]+")
_FAMILY_FIELDS = {"order", "fragments", "ignores", "rule"}
_REQUIRED = {"id": str, "type": str, "speakers": list, "importance": float, "matches": list}
_OPTIONAL = {
    "order": int,
    "keywords": list,
    "any": list,
    "unless": list,
    "predicates": list,
    "adjust": dict,
    "per_mark": float,
    "narration": bool,
    "questions": bool,
    "joins": str,
    "ignores": list,
}
_NAMES = {
    int: "a whole number",
    float: "a number with a point",
    str: "a text",
    list: "a list of texts",
    dict: "a table",
    bool: "true or false",
}


class CatalogueError(ValueError):
    """An entry of the catalogue that can't be read; the message names file, rule and field."""


@dataclass(frozen=True, slots=True)
class CatalogueEntry:
    """One rule with its examples, and the keywords and expanded patterns that its cue consists of.

    Entries are tried by `order`, those of one order as they stand in their file.
    """

    rule: Rule
    order: int
    keywords: tuple[str, ...]
    patterns: tuple[str, ...]
    matches: tuple[str, ...]
    ignores: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RuleFamily:
    """The entries of one file; `ignores` are sentences by speaker that none of its rules may find."""

    name: str
    entries: tuple[CatalogueEntry, ...]
    ignores: Mapping[str, tuple[str, ...]]


def read_family(name: str, text: str) -> RuleFamily:
    """The family that the file `name`.toml holds. Raises CatalogueError."""
    place = f"{name}.toml"
    try:
        raw = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise CatalogueError(f"{place}: {error}") from error
    _known(raw, _FAMILY_FIELDS, place)
    order = _typed(raw.get("order"), int, f"{place}: order")
    fragments = _fragments(raw, place)
    look_alikes = _typed(raw.get("ignores", {}), dict, f"{place}: ignores")
    _known(look_alikes, SPEAKERS, f"{place}: ignores")
    ignores = {speaker: tuple(_typed(each, list, f"{place}: ignores.{speaker}")) for speaker, each in look_alikes.items()}
    rules = raw.get("rule")
    if not isinstance(rules, list) or not rules:
        raise CatalogueError(f"{place}: rule: at least one is needed")
    entries = tuple(_entry(each, name, number, order, fragments) for number, each in enumerate(rules, 1))
    ids = [entry.rule.name for entry in entries]
    for id in ids:
        if ids.count(id) > 1:
            raise CatalogueError(f"{place}: rule “{id}”: id: stands twice")
    return RuleFamily(name, entries, ignores)


def _fragments(raw: Mapping[str, Any], place: str) -> dict[str, str]:
    fragments = dict(SHARED)
    for name, pattern in _typed(raw.get("fragments", {}), dict, f"{place}: fragments").items():
        field = f"{place}: fragments.{name}"
        if name in SHARED:
            raise CatalogueError(f"{field}: is a name that all families share")
        try:
            fragments[name] = expanded(_typed(pattern, str, field), fragments)
        except BadPattern as error:
            raise CatalogueError(f"{field}: {error}") from error
    return fragments


def _entry(raw: Any, family: str, number: int, order: int, fragments: Mapping[str, str]) -> CatalogueEntry:
    place = f"{family}.toml: rule {number}"
    if not isinstance(raw, dict):
        raise CatalogueError(f"{place}: must be a table")
    id = raw.get("id")
    if not isinstance(id, str) or not _ID.fullmatch(id) or not id.startswith(f"{family}."):
        raise CatalogueError(f"{place}: id: must be {family}.<name> in lower case")
    place = f"{family}.toml: rule “{id}”"
    _known(raw, {*_REQUIRED, *_OPTIONAL}, place)
    for field, kind in _REQUIRED.items():
        _typed(raw.get(field), kind, f"{place}: {field}")
    for field, kind in _OPTIONAL.items():
        if field in raw:
            _typed(raw[field], kind, f"{place}: {field}")
    if not raw["matches"]:
        raise CatalogueError(f"{place}: matches: at least one example is needed")
    keywords, patterns = tuple(raw.get("keywords", ())), _expanded(raw.get("any", ()), fragments, f"{place}: any")
    unless = _pattern((), _expanded(raw.get("unless", ()), fragments, f"{place}: unless"), f"{place}: unless")
    rule = _rule(raw, place, _pattern(keywords, patterns, f"{place}: any"), unless)
    return CatalogueEntry(rule, raw.get("order", order), keywords, patterns, tuple(raw["matches"]), tuple(raw.get("ignores", ())))


def _rule(raw: Mapping[str, Any], place: str, cue: re.Pattern[str] | None, unless: re.Pattern[str] | None) -> Rule:
    if not 0 < raw["importance"] <= 1:
        raise CatalogueError(f"{place}: importance: must be above 0 and at most 1, not {raw['importance']}")
    if cue is None:
        raise CatalogueError(f"{place}: any: a rule needs keywords or patterns")
    settings = [_one_of(each, SPEAKERS, f"{place}: speakers") for each in raw["speakers"]]
    predicates = {each: _one_of(each, PREDICATES, f"{place}: predicates") for each in raw.get("predicates", ())}
    return Rule(
        raw["id"],
        _one_of(raw["type"], {each.value: each for each in AnchorType}, f"{place}: type"),
        cue,
        frozenset[Setting]().union(*settings),
        raw["importance"],
        unless,
        narration=raw.get("narration", False),
        questions=raw.get("questions", False),
        predicates=predicates,
        weigh=_weigh(raw, place),
        joins=_one_of(raw.get("joins", ""), {each: each for each in JOINS}, f"{place}: joins"),
    )


def _expanded(patterns: Iterable[str], fragments: Mapping[str, str], place: str) -> tuple[str, ...]:
    try:
        return tuple(expanded(pattern, fragments) for pattern in patterns)
    except BadPattern as error:
        raise CatalogueError(f"{place}: {error}") from error


def _pattern(keywords: tuple[str, ...], patterns: tuple[str, ...], place: str) -> re.Pattern[str] | None:
    try:
        return compiled(keywords, patterns)
    except BadPattern as error:
        raise CatalogueError(f"{place}: {error}") from error


def _weigh(raw: Mapping[str, Any], place: str) -> Callable[[RuleLine], float] | None:
    """What to add to the importance of a line: so much for each mark beyond those of a finding, and for each predicate that holds."""
    per_mark = raw.get("per_mark", 0.0)
    adjust = [
        (_one_of(name, PREDICATES, f"{place}: adjust"), _typed(by, float, f"{place}: adjust.{name}"))
        for name, by in raw.get("adjust", {}).items()
    ]
    if not per_mark and not adjust:
        return None

    def weigh(line: RuleLine) -> float:
        marks: float = per_mark * (count_marks(line) - MARKS) if per_mark else 0.0
        adjusted: float = marks + sum(by for holds, by in adjust if holds(line))
        return adjusted

    return weigh


def _known(raw: Mapping[str, Any], fields: Any, place: str) -> None:
    for field in raw:
        if field not in fields:
            raise CatalogueError(f"{place}: {field}: there is no such field; there are {', '.join(sorted(fields))}")


def _typed(value: Any, kind: type, place: str) -> Any:
    texts = value if isinstance(value, list) else ()
    if type(value) is not kind or not all(isinstance(each, str) for each in texts):
        raise CatalogueError(f"{place}: must be {_NAMES[kind]}")
    return value


def _one_of(value: str, known: Mapping[str, Any], place: str) -> Any:
    if value not in known:
        raise CatalogueError(f"{place}: there is no “{value[:60]}”; there are {', '.join(sorted(filter(None, known)))}")
    return known[value]
