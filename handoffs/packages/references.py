"""Short references: unique within a package, and the same for the same knowledge whatever the budget and style."""

from __future__ import annotations

from collections.abc import Iterable

from continuity.distill.model import Anchor, FileTouch, Knowledge, Task


class References:
    """The `a`, `t` and `f` numbers of everything known, counted in the order of the conversation; messages are `m` and their seq."""

    def __init__(self, knowledge: Knowledge) -> None:
        anchors = sorted({*knowledge.anchors, *knowledge.superseded}, key=lambda a: (a.ref.seq, a.ref.part, a.ref.start, a.key))
        self._anchors = _numbered("a", (anchor.key for anchor in anchors))
        self._tasks = _numbered("t", (task.key for task in sorted(knowledge.tasks, key=lambda t: (t.seq, t.key))))
        self._files = _numbered("f", (file.path for file in sorted(knowledge.files, key=lambda f: (f.seq, f.path))))

    def anchor(self, anchor: Anchor) -> str:
        return self._anchors[anchor.key]

    def replaced_by(self, anchor: Anchor) -> str:
        """The reference of what superseded the anchor; empty where that is not known any more."""
        return self._anchors.get(anchor.superseded_by, "")

    def task(self, task: Task) -> str:
        return self._tasks[task.key]

    def file(self, file: FileTouch) -> str:
        return self._files[file.path]

    @staticmethod
    def message(seq: int) -> str:
        """The reference of a message; empty for one of a predecessor, which has numbers of its own."""
        return f"m{seq}" if seq > 0 else ""


def _numbered(prefix: str, keys: Iterable[str]) -> dict[str, str]:
    return {key: f"{prefix}{number}" for number, key in enumerate(dict.fromkeys(keys), start=1)}
