"""The pictures of the diagnostics page, from what was measured. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta, tzinfo
from typing import Any

from continuity.core.thresholds import PASSING_FIDELITY
from diagnostics import bar_charts, charts
from diagnostics.bar_charts import Bars
from diagnostics.charts import ChartSeries, Lines
from diagnostics.services.trends import Trend

# CONT-06's targets, and the names they have in pictures.
PREPARING, RESUMING, SUCCESS = (2000.0, "2 s at p95"), (500.0, "500 ms at p95"), (0.99, "99%")
PRESERVED = (1.0, "100% of anchors")


@dataclass(frozen=True, slots=True)
class Picture:
    """`lines` or `bars`; `says` is what it shows in one sentence, `names` the columns of its table."""

    name: str
    title: str
    says: str
    names: Sequence[str]
    lines: Lines | None = None
    bars: Bars | None = None
    kind: str = ""  # how values in the table are written


def pictures(course: Trend, lengths: Sequence[tuple[str, int]], zone: tzinfo) -> Sequence[Picture]:
    """All of them, in the order of the page, with the times of the reader's `zone`."""
    local = [time.astimezone(zone) for time in course.times]
    times = [f"{time:%H:%M}" if course.step < timedelta(hours=6) else f"{time.day} {time:%b}" for time in local]
    return [
        _latencies("preparing", "Preparing a handoff", course.handoffs, times, PREPARING),
        _latencies("resuming", "Resuming", course.resumptions, times, RESUMING),
        _rates("success", "Success", "Share that succeeded, for each step of time", times, SUCCESS, _success(course)),
        _rates("preserved", "Preserved", "Average share of admitted anchors and open tasks", times, PRESERVED, _preserved(course)),
        _bars("fidelity", "Fidelity", f"Handoffs by their score; {PASSING_FIDELITY:.0%} passes", _levels(course.fidelity, below=2)),
        _bars("lengths", "Chain lengths", "Chains by their number of handoffs; 10 and more are supported", _levels(lengths)),
        _tokens(course, times),
    ]


def _latencies(name: str, title: str, rows: Sequence[Mapping[str, Any] | None], times: Sequence[str], target: tuple[float, str]) -> Picture:
    names = ("p50", "p95", "p99")
    series = [ChartSeries(each, [row[each] if row else None for row in rows]) for each in names]
    drawn = charts.lines(series, times, charts.MILLISECONDS, target=target)
    return Picture(name, title, f"Milliseconds at the median and at p95 and p99; target {target[1]}", names, lines=drawn, kind="ms")


def _rates(name: str, title: str, says: str, times: Sequence[str], target: tuple[float, str], series: Sequence[ChartSeries]) -> Picture:
    scale = charts.shares(value for each in series for value in each.values)
    drawn = charts.lines(series, times, scale, target=target)
    return Picture(name, title, f"{says}; target {target[1]}", [each.name for each in series], lines=drawn, kind="share")


def _success(course: Trend) -> Sequence[ChartSeries]:
    named = (("handoffs", course.handoffs), ("resumptions", course.resumptions))
    return [ChartSeries(name, [row["succeeded"] / row["total"] if row else None for row in rows]) for name, rows in named]


def _preserved(course: Trend) -> Sequence[ChartSeries]:
    return [ChartSeries(name, [row[name] if row else None for row in course.handoffs]) for name in ("anchors", "tasks")]


def _levels(counts: Sequence[tuple[str, int]], below: int = 0) -> list[tuple[str, float, str]]:
    """Counts as bars; the first `below` of them are of what does not reach its target."""
    return [(label, float(count), "bad" if at < below else "info") for at, (label, count) in enumerate(counts)]


def _bars(name: str, title: str, says: str, named: list[tuple[str, float, str]]) -> Picture:
    return Picture(name, title, says, ("number",), bars=bar_charts.bars(named), kind="number")


def _tokens(course: Trend, times: Sequence[str]) -> Picture:
    saved = [max(0, (row["replaced"] or 0) - (row["stated"] or 0)) if row else 0 for row in course.tokens]
    named = [(time, float(tokens), "ok") for time, tokens in zip(times, saved, strict=True)]
    says = "Of handoffs that were resumed: tokens that filled the windows, less those of the directives that stand for them"
    return Picture("tokens", "Tokens saved", says, ("tokens",), bars=bar_charts.bars(named), kind="number")
