"""Places of secrets in a message's parts, and the parts with them masked."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain, count
from typing import Any, TypeAlias

from continuity import secrets
from continuity.transcripts.base.model import Message, Part

Json: TypeAlias = Any
# The spans by part, path, and whether they are in the last key of the path.
_Wanted: TypeAlias = dict[tuple[int, tuple[Json, ...], bool], list[secrets.SecretSpan]]


def spans_of(parts: Sequence[Mapping[str, Json]]) -> list[dict[str, Json]]:
    """The secrets in parts as JSON: `{part, path, start, end, kind}` each, `path` being the keys down to the string; with `name: True`
    they are in the last key itself."""
    return [
        {"part": index, "path": path, "start": span.start, "end": span.end, "kind": span.kind, **told}
        for index, part in enumerate(parts)
        for path, told, spans in _found(part, [], "")
        for span in spans
    ]


def masked(parts: Sequence[Mapping[str, Json]], spans: Sequence[Mapping[str, Json]]) -> list[Json]:
    """A copy of `parts` in which the text of every span is replaced by a mark that names its kind, but for those that were unmasked."""
    spans = [span for span in spans if "unmasked" not in span]
    if not spans:
        return list(parts)
    wanted: _Wanted = {}
    for span in spans:
        place = (span["part"], tuple(span["path"]), bool(span.get("name")))
        wanted.setdefault(place, []).append(secrets.SecretSpan(span["start"], span["end"], span["kind"]))
    return [_replace(part, index, (), wanted) for index, part in enumerate(parts)]


def message_without(message: Message) -> Message | None:
    """The message with the secrets in its parts masked; None where it holds none."""
    parts = [part.as_json() for part in message.parts]
    spans = spans_of(parts)
    return replace(message, parts=tuple(Part.from_json(part) for part in masked(parts, spans))) if spans else None


def keep_unmasked(before: Sequence[Mapping[str, Json]], found: Sequence[Mapping[str, Json]]) -> list[dict[str, Json]]:
    """The spans `found`, each still unmasked where the same one was so `before`."""
    unmasked = {place_of(span): span["unmasked"] for span in before if "unmasked" in span}
    return [{**span, "unmasked": unmasked[place]} if (place := place_of(span)) in unmasked else dict(span) for span in found]


def place_of(span: Mapping[str, Json]) -> tuple[Json, ...]:
    """The key of a span among those of its message."""
    return (span["part"], *span["path"], *(["name"] if span.get("name") else []), span["start"], span["end"])


def _found(value: Json, path: list[Json], name: str) -> Iterator[tuple[list[Json], dict[str, bool], Sequence[secrets.SecretSpan]]]:
    """The secrets of each string under its path; `name` is the key that the value, or the list that holds it, stands under."""
    if isinstance(value, str):
        yield path, {}, secrets.find_in_property(name, value)
    elif isinstance(value, Mapping):
        for key, inner in value.items():
            yield [*path, key], {"name": True}, secrets.find(str(key))
            yield from _found(inner, [*path, key], str(key))
    elif isinstance(value, list | tuple):
        for index, inner in enumerate(value):
            yield from _found(inner, [*path, index], name)


def _replace(value: Json, part: int, path: tuple[Json, ...], wanted: _Wanted) -> Json:
    if isinstance(value, str):
        spans = wanted.get((part, path, False))
        return secrets.mask(value, spans) if spans else value
    if isinstance(value, Mapping):
        replaced: dict[Json, Json] = {}
        for key, inner in value.items():
            spans = wanted.get((part, (*path, key), True))
            replaced[_another(secrets.mask(str(key), spans), value.keys() | replaced.keys()) if spans else key] = _replace(
                inner, part, (*path, key), wanted
            )
        return replaced
    if isinstance(value, list | tuple):
        return [_replace(inner, part, (*path, index), wanted) for index, inner in enumerate(value)]
    return value


def _another(name: str, taken: Collection[Json]) -> str:
    """The name, with a number where it is taken: what stands under two secrets is kept both times."""
    return next(each for each in chain([name], (f"{name} {number}" for number in count(2))) if each not in taken)
