"""Each answer that the client expects is in the OpenAPI schema that the server makes: fields with the same names and types."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from types import NoneType, UnionType
from typing import Any, NotRequired, cast, get_args, get_origin, get_type_hints, is_typeddict

import pytest

from config.api import api
from continuity.client import shapes
from continuity.client.client import Client

DOCUMENT = cast(dict[str, Any], api.get_openapi_schema())
TYPES = {str: "string", int: "integer", float: "number", bool: "boolean", NoneType: "null"}
SHAPES = {name: shape for name, shape in vars(shapes).items() if is_typeddict(shape)}


class Recorder:
    """Answers as an empty page, and keeps the calls."""

    def __init__(self) -> None:
        self.calls: list[tuple[str, str]] = []

    def call(self, method: str, path: str, body: Any = None, *, query: dict[str, Any] | None = None, answer: float | None = None) -> Any:
        self.calls.append((method, path))
        return {"items": [], "next_cursor": None}

    def close(self) -> None: ...


def call_of(name: str, method: Any) -> tuple[str, str]:
    """The verb and the path that a method of the client calls."""
    if name == "redeem":  # makes a connection of its own
        return "POST", "/client/keys"
    recorder = Recorder()
    needed = [
        each.name for each in inspect.signature(method).parameters.values() if each.default is each.empty and "VAR" not in each.kind.name
    ]
    found = getattr(Client.over(recorder), name)(
        **{each: {} if each in ("question", "note", "ratings") else "1" for each in needed if each != "self"}
    )
    if isinstance(found, Iterator):
        list(found)
    return recorder.calls[0]


def answer_of(verb: str, path: str) -> dict[str, Any]:
    """The schema of the answer to a call that succeeds."""
    for template, operations in DOCUMENT["paths"].items():
        if (
            re.fullmatch(".*/api/v1" + re.sub(r"\{\w+\}", "[^/]+", template.partition("/api/v1")[2]), f"/api/v1{path}")
            and verb.lower() in operations
        ):
            answers = operations[verb.lower()]["responses"]
            return cast(
                dict[str, Any],
                next(answers[each] for each in sorted(answers, key=str) if str(each)[0] == "2")["content"]["application/json"]["schema"],
            )
    raise AssertionError(f"{verb} {path} is not in the document")


def expectations() -> Iterator[tuple[str, Any, dict[str, Any]]]:
    """Each method of the client that promises a shape: its name, the shape, and the schema of the server's answer."""
    for name, method in inspect.getmembers(Client, inspect.isroutine):
        promised = get_type_hints(method).get("return")
        listed = [each for each in get_args(promised) if is_typeddict(each)]
        if is_typeddict(promised):
            yield name, promised, answer_of(*call_of(name, method))
        elif listed:
            yield name, listed[0], resolved(resolved(answer_of(*call_of(name, method)))["properties"]["items"]["items"])


def resolved(schema: dict[str, Any]) -> dict[str, Any]:
    while "$ref" in schema or len(schema.get("allOf", ())) == 1:
        schema = DOCUMENT["components"]["schemas"][schema["$ref"].rpartition("/")[2]] if "$ref" in schema else schema["allOf"][0]
    return schema


def differences(shape: Any, schema: dict[str, Any], place: str) -> Iterator[str]:
    """How a type of the client differs from a schema of the server: in both directions, as far as the client reads."""
    schema, origin = resolved(schema), get_origin(shape)
    if origin is NotRequired:
        yield from differences(get_args(shape)[0], schema, place)
    elif is_typeddict(shape):
        for name, kind in get_type_hints(shape, include_extras=True).items():
            if name in schema.get("properties", {}):
                yield from differences(kind, schema["properties"][name], f"{place}.{name}")
            else:
                yield f"{place}.{name} is not in the schema"
    elif shape is Any or not schema:
        return
    elif "anyOf" in schema or origin is UnionType:
        wanted = {type_of(each) for each in (get_args(shape) if origin is UnionType else [shape])}
        given = {resolved(each).get("type") for each in schema.get("anyOf", [schema])}
        if wanted != given:
            yield f"{place}: {wanted} is expected, {given} comes"
        for each, one in zip(
            by_type(get_args(shape), type_of), by_type(schema.get("anyOf", ()), lambda one: resolved(one).get("type")), strict=False
        ):
            yield from differences(each, one, place)
    elif type_of(shape) != schema.get("type"):
        yield f"{place}: {type_of(shape)} is expected, {schema.get('type')} comes"
    elif origin is list and "items" in schema:
        yield from differences(get_args(shape)[0], schema["items"], f"{place}[]")


def type_of(shape: Any) -> str:
    if is_typeddict(shape) or get_origin(shape) is dict:
        return "object"
    return TYPES.get(shape) or "array"


def by_type(values: Any, key: Any) -> list[Any]:
    return sorted(values, key=lambda each: str(key(each)))


EXPECTED = list(expectations())


def test_it_works() -> None:
    assert len(EXPECTED) > 20
    assert list(differences(shapes.Task, {"type": "object", "properties": {"key": {"type": "integer"}}}, "Task"))[:2] == [
        "Task.key: string is expected, integer comes",
        "Task.description is not in the schema",
    ]


@pytest.mark.parametrize(("method", "shape", "schema"), EXPECTED, ids=[name for name, *_ in EXPECTED])
def test_an_answer_has_what_the_client_reads(method: str, shape: Any, schema: dict[str, Any]) -> None:
    assert list(differences(shape, schema, shape.__name__)) == []


def test_each_shape_is_part_of_an_answer() -> None:
    reached: set[str] = set()
    waiting = [shape for _, shape, _ in EXPECTED]
    while waiting:
        shape = waiting.pop()
        if is_typeddict(shape) and shape.__name__ not in reached:
            reached.add(shape.__name__)
            waiting += get_type_hints(shape).values()
        waiting += [each for each in get_args(shape) if each is not NoneType]
    assert set(SHAPES) == reached
