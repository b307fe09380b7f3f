"""Short references: unique within a package, and the same for the same knowledge whatever the budget and style."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from continuity.knowledge.handoff_note import CheckedStatement
from continuity.knowledge.model import Anchor, FileTouch, Knowledge, Task

NONE: Mapping[str, str] = {}


class References:
    """The `a`, `t` and `f` numbers of everything known, counted in the order of the conversation, and the `n` numbers of its note's
    statements in their order; messages are `m` and their seq.

    References `given` out before (reference to key, of a file its path) stay what they were; what is new gets the next numbers.
    """

    def __init__(self, knowledge: Knowledge, given: Mapping[str, str] = NONE) -> None:
        self._given = given
        anchors = sorted({*knowledge.anchors, *knowledge.superseded}, key=lambda a: (a.ref.seq, a.ref.part, a.ref.start, a.key))
        self._anchors = _numbered("a", (anchor.key for anchor in anchors), given)
        self._tasks = _numbered("t", (task.key for task in sorted(knowledge.tasks, key=lambda t: (t.seq, t.key))), given)
        self._files = _numbered("f", (file.path for file in sorted(knowledge.files, key=lambda f: (f.seq, f.path))), given)

        statements = knowledge.note.statements if knowledge.note else ()
        self._statements = _numbered("n", (statement.key for statement in statements), given)

    def anchor(self, anchor: Anchor) -> str:
        return self._anchors[anchor.key]

    def replaced_by(self, anchor: Anchor) -> str:
        """The reference of what superseded the anchor; empty where that is not known any more."""
        return self._anchors.get(anchor.superseded_by, "")

    def task(self, task: Task) -> str:
        return self._tasks[task.key]

    def file(self, file: FileTouch) -> str:
        return self._files[file.path]

    def statement(self, statement: CheckedStatement) -> str:
        return self._statements[statement.key]

    def all(self) -> dict[str, str]:
        """Every reference with the key behind it, of a file its path; messages excepted."""
        numbered = (self._anchors, self._tasks, self._files, self._statements)
        return {**self._given, **{reference: key for known in numbered for key, reference in known.items()}}

    @staticmethod
    def message(seq: int) -> str:
        """The reference of a message; empty for one of a predecessor, which has numbers of its own."""
        return f"m{seq}" if seq > 0 else ""


def _numbered(prefix: str, keys: Iterable[str], given: Mapping[str, str]) -> dict[str, str]:
    numbers = {key: int(reference[1:]) for reference, key in given.items() if reference[0] == prefix}
    after = max(numbers.values(), default=0) + 1
    fresh = (key for key in dict.fromkeys(keys) if key not in numbers)
    numbers |= {key: number for number, key in enumerate(fresh, start=after)}
    return {key: f"{prefix}{number}" for key, number in numbers.items()}
