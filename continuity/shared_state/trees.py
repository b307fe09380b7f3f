"""A value as a tree that a page shows: each key with what stands there. Bounded, whatever the value is."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from continuity.shared_state.changes import text_of
from continuity.shared_state.values import ABSENT

MOST_NODES = 1000


@dataclass(slots=True)
class TreeNode:
    """`text` is None where `inner` stand below it; `left_out` counts those of them that are not shown."""

    name: str
    text: str | None = None
    inner: list[TreeNode] = field(default_factory=list)
    left_out: int = 0


def tree(value: Any) -> list[TreeNode]:
    """The first level; one node without a name for what has no keys, none for ABSENT."""
    if value is ABSENT:
        return []
    top = TreeNode("")
    _grow(top, value, [MOST_NODES])
    return top.inner if top.text is None else [top]


def _grow(node: TreeNode, value: Any, left: list[int]) -> None:
    if not value or not isinstance(value, dict | list):
        node.text = text_of(value)
        return
    for name, inner in value.items() if isinstance(value, dict) else enumerate(value):
        if left[0] <= 0:
            node.left_out = len(value) - len(node.inner)
            return
        left[0] -= 1
        node.inner.append(TreeNode(str(name)))
        _grow(node.inner[-1], inner, left)
