"""Reading `/metrics` by the names that Prometheus sees (its Python parser puts `_total` behind the names of counters)."""

from __future__ import annotations

import re
from typing import Any

from django.test import Client

SAMPLE = re.compile(r"(?P<name>\w+)(?:\{(?P<labels>.*)\})? (?P<value>\S+)")
LABEL = re.compile(r'(\w+)="([^"]*)"')

Samples = dict[tuple[str, frozenset[tuple[str, str]]], float]


def samples(text: str) -> Samples:
    """Every sample of a scrape by name and labels."""
    found = (SAMPLE.fullmatch(line) for line in text.splitlines() if not line.startswith("#"))
    return {(match["name"], frozenset(LABEL.findall(match["labels"] or ""))): float(match["value"]) for match in found if match}


def scrape() -> Samples:
    answer = Client().get("/metrics")
    assert answer.status_code == 200
    return samples(answer.content.decode())


def value(name: str, **labels: Any) -> float | None:
    """The sample with just these labels, now; None where there is none."""
    return scrape().get((name, frozenset((label, str(text)) for label, text in labels.items())))


def ids(name: str, label: str) -> set[str]:
    return {dict(labels)[label] for sample, labels in scrape() if sample == name}
