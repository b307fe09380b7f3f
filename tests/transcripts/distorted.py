"""Records with one value of another type than it should have, for each value and each type."""

from collections.abc import Iterator
from typing import Any

ODD: tuple[Any, ...] = (None, 7, -1e300, True, "text", "", [], {}, [None], [[]], {"a": 1}, [{"type": 7}], [{"text": 7}])


def distorted(value: Any) -> Iterator[Any]:
    """The value itself replaced, then each value in it, however deep."""
    yield from ODD
    if isinstance(value, dict):
        for key, inner in value.items():
            yield {other: item for other, item in value.items() if other != key}
            yield from ({**value, key: odd} for odd in distorted(inner))
    elif isinstance(value, list):
        for number, inner in enumerate(value):
            yield from ([*value[:number], odd, *value[number + 1 :]] for odd in distorted(inner))
