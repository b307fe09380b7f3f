"""The fitted weights of a term's marks, with where they come from; `manage.py fit` makes the file."""

from __future__ import annotations

import math
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

FILE = Path(__file__).with_name("weights.toml")
# In the order of `chance.marks_of`.
NAMES = ("constant", "age", "agent", "person", "prompt", "name")
LARGEST = 20.0
COUNTS = ("sessions", "cuts", "terms", "seed", "ahead")


class WeightsError(ValueError):
    """A file of weights that can't be read; the message names the field."""


@dataclass(frozen=True, slots=True)
class Figures:
    """How well the chances fit: `log_loss` in nats a term, `auc` the share of pairs in the right order."""

    log_loss: float
    auc: float


@dataclass(frozen=True, slots=True)
class Weights:
    """`values` are by mark. They were fitted on `sessions`, at so many `cuts`, on so many `terms` chosen with `seed`; a term counts as
    used again where one of the `ahead` messages after the cut does."""

    values: tuple[float, ...]
    fitted: date
    sessions: int
    cuts: int
    terms: int
    seed: int
    ahead: int
    train: Figures
    validate: Figures


def read_weights(text: str) -> Weights:
    """The weights of a file's text. Raises WeightsError."""
    try:
        raw = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise WeightsError(f"weights: no TOML: {error}") from error
    fit, weights = _table(raw, "fit"), _table(raw, "weights")
    if set(weights) != set(NAMES):
        raise WeightsError(f"weights: must be {', '.join(NAMES)}, not {', '.join(weights)}")
    fitted = fit.get("date")
    if type(fitted) is not date:
        raise WeightsError("fit.date: must be a date")
    counts = {name: _count(fit, name) for name in COUNTS}
    values = tuple(_number(weights, "weights", name, LARGEST) for name in NAMES)
    return Weights(values, fitted, **counts, train=_figures(raw, "train"), validate=_figures(raw, "validate"))


def written(weights: Weights) -> str:
    """The text of a file that `read_weights` reads as these."""
    lines = [
        "# Weights of the marks by which a term's chance to be used again is reckoned. Made by `manage.py fit`: do not edit.",
        "",
        "[fit]",
        f"date = {weights.fitted.isoformat()}",
        *(f"{name} = {getattr(weights, name)}" for name in COUNTS),
        "",
        "[weights]",
        *(f"{name} = {value:.4f}" for name, value in zip(NAMES, weights.values, strict=True)),
    ]
    for name in ("train", "validate"):
        figures: Figures = getattr(weights, name)
        lines += ["", f"[{name}]", f"log_loss = {figures.log_loss:.4f}", f"auc = {figures.auc:.4f}"]
    return "\n".join(lines) + "\n"


def _table(raw: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    found = raw.get(name)
    if not isinstance(found, dict):
        raise WeightsError(f"{name}: is missing")
    return found


def _count(table: Mapping[str, Any], name: str) -> int:
    value = table.get(name)
    if type(value) is not int or value < 0:
        raise WeightsError(f"fit.{name}: must be a whole number from 0")
    return value


def _number(table: Mapping[str, Any], where: str, name: str, most: float) -> float:
    value = table.get(name)
    if not isinstance(value, (int, float)) or isinstance(value, bool) or not math.isfinite(value) or abs(value) > most:
        raise WeightsError(f"{where}.{name}: must be a number up to {most:g}")
    return float(value)


def _figures(raw: Mapping[str, Any], name: str) -> Figures:
    table = _table(raw, name)
    return Figures(_number(table, name, "log_loss", LARGEST), _number(table, name, "auc", 1.0))


def rounded(values: Sequence[float]) -> tuple[float, ...]:
    """As the file keeps them, so that what is measured is what is stored."""
    return tuple(float(f"{value:.4f}") for value in values)


WEIGHTS = read_weights(FILE.read_text(encoding="utf-8"))
