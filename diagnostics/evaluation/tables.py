"""Figures as Markdown tables whose columns also line up on a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from diagnostics.evaluation.measuring import Measured
from diagnostics.evaluation.recall import Recall, Recalled, mean
from diagnostics.evaluation.scoring import ScoreFigure, pooled
from diagnostics.evaluation.shares import Share
from diagnostics.evaluation.sizes import DirectiveSize

POOLED = "pooled"
NOTHING = "–"
HEADINGS = {
    ScoreFigure.CRITICAL: "critical",
    ScoreFigure.ANCHORS: "anchors",
    ScoreFigure.STALE: "stale",
    ScoreFigure.TASKS_OPEN: "open tasks",
    ScoreFigure.TASKS_DONE_LEAK: "done shown open",
    ScoreFigure.FILES: "files",
    ScoreFigure.PROBES: "probes",
}


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A Markdown table; the first column is words, the others are numbers."""
    widths = [max(len(row[column]) for row in (head, *rows)) for column in range(len(head))]
    rule = [f"{'-' * widths[0]}", *(f"{'-' * (width - 1)}:" for width in widths[1:])]
    return "".join(f"| {' | '.join(_fitted(row, widths))} |\n" for row in (head, rule, *rows))


def score_tables(size: DirectiveSize, measured: Sequence[Measured]) -> str:
    """The figures at one size: per session, per type of anchor, per dimension of the probes, each pooled too."""
    scores = [*(each.score for each in measured), pooled([each.score for each in measured])]
    names = [*(each.name for each in measured), POOLED]
    used = [*(each.used for each in measured), sum(each.used for each in measured) // max(1, len(measured))]
    seconds = [*(each.seconds for each in measured), sum(each.seconds for each in measured)]
    figures = [
        [name, *(_number(score.figures.get(figure)) for figure in ScoreFigure), f"{score.tokens}", f"{tokens}", f"{took:.2f}"]
        for name, score, tokens, took in zip(names, scores, used, seconds, strict=True)
    ]
    parts = [
        f"## {size.title.capitalize()}\n",
        table(["session", *HEADINGS.values(), "bytes/4", "tokens", "seconds"], figures),
        table(["anchors by type", *names, "items"], list(_groups([score.by_type for score in scores]))),
        table(["probes by dimension", *names, "items"], list(_groups([score.by_dimension for score in scores]))),
    ]
    return "\n".join(parts) + "\n"


def recall_table(recalled: Sequence[Recalled]) -> str:
    """Continuation recall at each boundary and on average; `size` is our characters as a share of the summary's."""
    head = [
        "compaction",
        *("tokens", "size", "names needed", "carried"),
        *("needed: ours", "summary", "tail"),
        *("carried: ours", "summary", "tail"),
        "seconds",
    ]
    rows = [
        [
            f"{each.session[:44]}:{each.line}",
            *(f"{each.budget}", f"{each.size:.2f}", f"{each.needed}", f"{each.carried}"),
            *_recalls(each.ours, each.summary, each.tail),
            f"{each.seconds:.2f}",
        ]
        for each in recalled
    ]
    count = len(recalled)
    rows.append(
        [
            f"mean of {count}",
            f"{sum(each.budget for each in recalled) // count}",
            f"{sum(each.size for each in recalled) / count:.2f}",
            *("", ""),
            *_recalls(*(mean([getattr(each, whose) for each in recalled]) for whose in ("ours", "summary", "tail"))),
            f"{sum(each.seconds for each in recalled):.2f}",
        ]
    )
    return "## Continuation recall\n\n" + table(head, rows)


def _fitted(row: Sequence[str], widths: Sequence[int]) -> list[str]:
    return [row[0].ljust(widths[0]), *(cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True))]


def _groups(shares: Sequence[Mapping[str, Share]]) -> Iterator[list[str]]:
    """A row for each group of the last, pooled, column."""
    for group, share in sorted(shares[-1].items()):
        yield [group, *(_number(each.get(group)) for each in shares), f"{share.total}"]


def _recalls(*recalls: Recall) -> list[str]:
    return [*(f"{each.needed:.3f}" for each in recalls), *(f"{each.carried:.3f}" for each in recalls)]


def _number(share: Share | None) -> str:
    return NOTHING if share is None or share.value is None else f"{share.value:.3f}"
