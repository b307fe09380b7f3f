"""Numbers of tokens as people say them. Pure, and loaded by the status line: it imports nothing."""

from __future__ import annotations


def short(tokens: int) -> str:
    """1000000 as `1M`, 1050000 as `1.05M`, 200000 as `200k`, 258400 as `258.4k`."""
    if tokens < 1_000:
        return str(tokens)
    unit, name = (1_000_000, "M") if tokens >= 1_000_000 else (1_000, "k")
    return f"{tokens / unit:.2f}".rstrip("0").rstrip(".") + name
