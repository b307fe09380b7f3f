"""Places of secrets in a message's parts, and the parts with them masked."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeAlias

from continuity import secrets
from continuity.transcripts.base.model import Message, Part

Json: TypeAlias = Any


def spans_of(parts: Sequence[Mapping[str, Json]]) -> list[dict[str, Json]]:
    """The secrets in parts as JSON: `{part, path, start, end, kind}` each, `path` being the keys down to the string."""
    return [
        {"part": index, "path": path, "start": span.start, "end": span.end, "kind": span.kind}
        for index, part in enumerate(parts)
        for path, text in _strings(part, [])
        for span in secrets.find(text)
    ]


def masked(parts: Sequence[Mapping[str, Json]], spans: Sequence[Mapping[str, Json]]) -> list[Json]:
    """A copy of `parts` in which the text of every span is replaced by a mark that names its kind, but for those that were unmasked."""
    spans = [span for span in spans if "unmasked" not in span]
    if not spans:
        return list(parts)
    wanted: dict[tuple[int, tuple[Json, ...]], list[secrets.SecretSpan]] = {}
    for span in spans:
        place = (span["part"], tuple(span["path"]))
        wanted.setdefault(place, []).append(secrets.SecretSpan(span["start"], span["end"], span["kind"]))
    return [_replace(part, index, (), wanted) for index, part in enumerate(parts)]


def message_without(message: Message) -> Message | None:
    """The message with the secrets in its parts masked; None where it holds none."""
    parts = [part.as_json() for part in message.parts]
    spans = spans_of(parts)
    return replace(message, parts=tuple(Part.from_json(part) for part in masked(parts, spans))) if spans else None


def kept(before: Sequence[Mapping[str, Json]], found: Sequence[Mapping[str, Json]]) -> list[dict[str, Json]]:
    """The spans `found`, each still unmasked where the same one was so `before`."""
    unmasked = {place_of(span): span["unmasked"] for span in before if "unmasked" in span}
    return [{**span, "unmasked": unmasked[place]} if (place := place_of(span)) in unmasked else dict(span) for span in found]


def place_of(span: Mapping[str, Json]) -> tuple[Json, ...]:
    """What tells a span from the others of its message."""
    return (span["part"], *span["path"], span["start"], span["end"])


def _strings(value: Json, path: list[Json]) -> Iterator[tuple[list[Json], str]]:
    if isinstance(value, str):
        yield path, value
    elif isinstance(value, Mapping):
        for key, inner in value.items():
            yield from _strings(inner, [*path, key])
    elif isinstance(value, list | tuple):
        for index, inner in enumerate(value):
            yield from _strings(inner, [*path, index])


def _replace(
    value: Json, part: int, path: tuple[Json, ...], wanted: Mapping[tuple[int, tuple[Json, ...]], list[secrets.SecretSpan]]
) -> Json:
    if isinstance(value, str):
        spans = wanted.get((part, path))
        return secrets.mask(value, spans) if spans else value
    if isinstance(value, Mapping):
        return {key: _replace(inner, part, (*path, key), wanted) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_replace(inner, part, (*path, index), wanted) for index, inner in enumerate(value)]
    return value
