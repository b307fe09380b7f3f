"""Signals that speak for a file: each function gives columns of numbers, one number for each path, in the order of the paths."""

from __future__ import annotations

from typing import TypeAlias

Column: TypeAlias = list[float]
Columns: TypeAlias = dict[str, list[float]]
