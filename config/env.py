"""A small typed reader of environment variables that refuses a bad value by its name."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TypeVar

N = TypeVar("N", int, float)
TRUE = frozenset({"1", "true", "yes", "on"})
SPANS = {"second": 1, "minute": 60, "hour": 3600, "day": 86_400}
LARGEST_SECRET = 65_536
FALSE = frozenset({"0", "false", "no", "off"})


class BadSetting(Exception):
    """An environment variable holds a value that cannot be used; the message names it."""


class Environment:
    """Reads settings from a mapping of names to text; an empty value counts as unset.

    Every reader takes the variable's name, a default, and `aliases`: older or foreign names looked up after the first.
    """

    def __init__(self, values: Mapping[str, str]) -> None:
        self._values = values

    def _raw(self, name: str, aliases: Sequence[str]) -> tuple[str, str] | None:
        for candidate in (name, *aliases):
            value = self._values.get(candidate, "").strip()
            if value:
                return candidate, value
        return None

    def text(self, name: str, default: str = "", *, aliases: Sequence[str] = ()) -> str:
        found = self._raw(name, aliases)
        return default if found is None else found[1]

    def secret(self, name: str) -> str:
        """A text that may stand in a file instead, which NAME_FILE names: how container platforms give secrets."""
        file = f"{name}_FILE"
        path = self._values.get(file, "").strip()
        given = self.text(name)
        if not path:
            return given
        if given:
            raise BadSetting(f"{name} and {file} are both set: give one of them")
        try:
            with Path(path).expanduser().open("rb") as stream:
                found = stream.read(LARGEST_SECRET + 1).decode("utf-8").strip()
        except OSError as error:
            raise BadSetting(f"{file}: {path} can't be read ({error.strerror})") from None
        except ValueError:
            raise BadSetting(f"{file}: {path} is no text") from None
        if not found or len(found) > LARGEST_SECRET:
            raise BadSetting(f"{file}: {path} holds {'more than a secret' if found else 'nothing'}")
        return found

    def secrets(self, name: str) -> list[str]:
        """Several of them, with commas or line ends between them."""
        return [part.strip() for part in self.secret(name).replace("\n", ",").split(",") if part.strip()]

    def flag(self, name: str, default: bool = False) -> bool:
        found = self._raw(name, ())
        if found is None:
            return default
        lowered = found[1].lower()
        if lowered in TRUE:
            return True
        if lowered in FALSE:
            return False
        raise BadSetting(f"{name}: '{found[1]}' is neither yes nor no (use 1 or 0)")

    def integer(self, name: str, default: int, *, minimum: int = 0, maximum: int = 2**31 - 1, aliases: Sequence[str] = ()) -> int:
        return _bounded(self._raw(name, aliases), default, int, "a whole number", minimum, maximum)

    def number(self, name: str, default: float, *, minimum: float = 0.0, maximum: float = 1e12) -> float:
        return _bounded(self._raw(name, ()), default, float, "a number", minimum, maximum)

    def rate(self, name: str, default: tuple[int, int]) -> tuple[int, int]:
        """`600/minute` as (600, 60): how many, in how many seconds."""
        found = self._raw(name, ())
        if found is None:
            return default
        count, _, span = found[1].lower().partition("/")
        if not count.strip().isdigit() or int(count) < 1 or span.strip() not in SPANS:
            raise BadSetting(f"{name}: '{found[1]}' is not a number per second, minute, hour or day, such as 600/minute")
        return int(count), SPANS[span.strip()]

    def choice(self, name: str, default: str, allowed: Sequence[str]) -> str:
        found = self._raw(name, ())
        if found is None:
            return default
        if found[1].lower() not in allowed:
            raise BadSetting(f"{found[0]}: '{found[1]}' is not one of {', '.join(allowed)}")
        return found[1].lower()

    def names(self, name: str, default: Sequence[str] = ()) -> list[str]:
        found = self._raw(name, ())
        if found is None:
            return list(default)
        return [part.strip() for part in found[1].split(",") if part.strip()]

    def path(self, name: str, default: Path, *, aliases: Sequence[str] = ()) -> Path:
        found = self._raw(name, aliases)
        if found is None:
            return default
        if "\0" in found[1]:
            raise BadSetting(f"{found[0]}: a path may not hold a NUL character")
        return Path(found[1]).expanduser().absolute()


def read_dotenv(path: Path) -> dict[str, str]:
    """Return the NAME=value lines of a `.env` file (comments, blank lines, `export` and matching quotes are understood); {} if absent."""
    values: dict[str, str] = {}
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except FileNotFoundError:
        return values
    for number, line in enumerate(lines, start=1):
        stripped = line.strip().removeprefix("export ").strip()
        if not stripped or stripped.startswith("#"):
            continue
        name, equals, value = stripped.partition("=")
        if not equals or not name.strip().isidentifier():
            raise BadSetting(f"{path.name} line {number}: expected NAME=value")
        value = value.strip()
        if len(value) >= 2 and value[0] == value[-1] and value[0] in "'\"":
            value = value[1:-1]
        values[name.strip()] = value
    return values


def process_environment(project: Path) -> Environment:
    """Return the environment of this process, completed by the project's `.env` file; what the process was given wins."""
    return Environment({**read_dotenv(project / ".env"), **os.environ})


def _bounded(found: tuple[str, str] | None, default: N, read: Callable[[str], N], kind: str, minimum: N, maximum: N) -> N:
    if found is None:
        return default
    name, raw = found
    try:
        value = read(raw)
    except ValueError:
        raise BadSetting(f"{name}: '{raw}' is not {kind}") from None
    if not minimum <= value <= maximum:
        raise BadSetting(f"{name}: {raw} is not between {minimum} and {maximum}")
    return value
