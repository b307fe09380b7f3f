"""Reading JSON objects from outside: every refusal names the field that is wrong."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from datetime import datetime
from enum import Enum
from typing import Any, TypeVar

E = TypeVar("E", bound=Enum)
T = TypeVar("T")


class Fields:
    """One JSON object at a path (`unfinishedWork[2]`). Each reader raises ValueError with the path of a bad field."""

    def __init__(self, raw: Any, path: str = "") -> None:
        if not isinstance(raw, Mapping):
            raise ValueError(f"{path or 'package'}: must be an object, not {_kind(raw)}")
        self._raw = raw
        self._path = path

    def __contains__(self, name: str) -> bool:
        return self._raw.get(name) is not None

    def text(self, name: str, default: str | None = None) -> str:
        value = self._get(name, default)
        if not isinstance(value, str):
            raise self._wrong(name, "text", value)
        return value

    def integer(self, name: str, default: int | None = None) -> int:
        value = self._get(name, default)
        if isinstance(value, float) and value.is_integer():
            value = int(value)
        if not isinstance(value, int) or isinstance(value, bool):
            raise self._wrong(name, "a whole number", value)
        return value

    def number(self, name: str, default: float | None = None) -> float:
        value = self._get(name, default)
        if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
            raise self._wrong(name, "a number", value)
        return float(value)

    def flag(self, name: str, default: bool | None = None) -> bool:
        value = self._get(name, default)
        if not isinstance(value, bool):
            raise self._wrong(name, "true or false", value)
        return value

    def optional_integer(self, name: str) -> int | None:
        return self.integer(name) if name in self else None

    def optional_flag(self, name: str) -> bool | None:
        return self.flag(name) if name in self else None

    def texts(self, name: str) -> tuple[str, ...]:
        values = self._list(name)
        for index, value in enumerate(values):
            if not isinstance(value, str):
                raise self._wrong(f"{name}[{index}]", "text", value)
        return tuple(values)

    def moment(self, name: str) -> datetime:
        value = self.text(name)
        try:
            moment = datetime.fromisoformat(value)
        except ValueError:
            raise self._wrong(name, "a date and time in ISO 8601", value) from None
        if moment.tzinfo is None:
            raise self._wrong(name, "a date and time with a time zone", value)
        return moment

    def choice(self, name: str, kind: type[E], default: E | None = None) -> E:
        value = self._get(name, default)
        try:
            return kind(value)
        except ValueError:
            raise self._wrong(name, f"one of {', '.join(str(member.value) for member in kind)}", value) from None

    def named(self, name: str, names: Mapping[str, T]) -> T:
        """One of `names`, by name, whatever its case."""
        value = self.text(name)
        for known, meaning in names.items():
            if known.lower() == value.lower():
                return meaning
        raise self._wrong(name, f"one of {', '.join(names)}", value)

    def object(self, name: str) -> Fields:
        return Fields(self._get(name, None), self._at(name))

    def objects(self, name: str, read: Callable[[Fields], T]) -> tuple[T, ...]:
        return tuple(read(Fields(value, self._at(f"{name}[{index}]"))) for index, value in enumerate(self._list(name)))

    def optional(self, name: str, read: Callable[[Fields], T]) -> T | None:
        return read(self.object(name)) if name in self else None

    def counts(self, name: str) -> dict[str, int]:
        """An object of whole numbers; empty where it is missing."""
        inner = self.object(name) if name in self else Fields({}, self._at(name))
        return {str(key): inner.integer(str(key)) for key in inner._raw}

    def _list(self, name: str) -> list[Any]:
        value = self._raw.get(name)
        if value is None:
            return []
        if not isinstance(value, list | tuple):
            raise self._wrong(name, "a list", value)
        return list(value)

    def _get(self, name: str, default: Any) -> Any:
        value = self._raw.get(name)
        if value is None and default is None:
            raise ValueError(f"{self._at(name)}: is missing")
        return default if value is None else value

    def _wrong(self, name: str, wanted: str, value: Any) -> ValueError:
        return ValueError(f"{self._at(name)}: must be {wanted}, not {_kind(value)}")

    def _at(self, name: str) -> str:
        return f"{self._path}.{name}" if self._path else name


def _kind(value: Any) -> str:
    if isinstance(value, str):
        return f"“{value[:40]}”"
    return {bool: "true or false", int: "a number", float: "a number", list: "a list", dict: "an object"}.get(type(value), "nothing")
