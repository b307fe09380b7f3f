"""A workflow as a picture: boxes for steps in rows of five, lines to where each goes on. Pure geometry; a template draws it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from continuity.groups.workflow import END, Workflow

IN_ROW, WIDTH, HEIGHT, GAP_X, GAP_Y = 5, 150, 44, 34, 40
LETTERS = 18  # of a title that fit into a box, beside its mark


@dataclass(frozen=True, slots=True)
class WorkflowBox:
    """At (x, y); the text stands at (middle, line). `state` is done, now or open."""

    x: int
    y: int
    middle: int
    line: int
    title: str
    owner: str
    state: str


@dataclass(frozen=True, slots=True)
class WorkflowPicture:
    """`paths` are SVG paths between boxes, in units of the `width` by `height` picture."""

    width: int
    height: int
    boxes: Sequence[WorkflowBox]
    paths: Sequence[str]


def picture(workflow: Workflow, *, step: str, done: Sequence[str]) -> WorkflowPicture | None:
    """The picture with `step` as where it is; `done` are steps that were left. None without steps."""
    if not workflow.steps:
        return None
    keys = [*(each.key for each in workflow.steps), END]
    places = {key: (number % IN_ROW * (WIDTH + GAP_X) + 1, number // IN_ROW * (HEIGHT + GAP_Y) + 1) for number, key in enumerate(keys)}
    boxes = []
    for key in keys:
        found = workflow.step(key)
        x, y = places[key]
        state = "now" if key == step else "done" if key in done else "open"
        title = found.title or key if found else "All done"
        boxes.append(WorkflowBox(x, y, x + WIDTH // 2, y + 18, _fitted(title), (found.owner if found else "")[:22], state))
    paths = [_path(places[each.key], places[to]) for each in workflow.steps for to in each.next]
    rows = -(-len(keys) // IN_ROW)
    columns = min(IN_ROW, len(keys))
    return WorkflowPicture(columns * (WIDTH + GAP_X) - GAP_X + 2, rows * (HEIGHT + GAP_Y) - GAP_Y + 2, boxes, paths)


def _fitted(title: str) -> str:
    return title if len(title) <= LETTERS else f"{title[: LETTERS - 1].rstrip()}…"


def _path(a: tuple[int, int], b: tuple[int, int]) -> str:
    """Straight to the next box of the row; else from below to above, or in a bow."""
    if a[1] == b[1] and b[0] - a[0] == WIDTH + GAP_X:
        return f"M{a[0] + WIDTH} {a[1] + HEIGHT // 2}H{b[0]}"
    ax, bx = a[0] + WIDTH // 2, b[0] + WIDTH // 2
    if a[1] != b[1]:
        low, high = (a[1] + HEIGHT, b[1]) if a[1] < b[1] else (a[1], b[1] + HEIGHT)
        return f"M{ax} {low}L{bx} {high}"
    return f"M{ax} {a[1] + HEIGHT}Q{(ax + bx) // 2} {a[1] + HEIGHT + GAP_Y - 6} {bx} {b[1] + HEIGHT}"
