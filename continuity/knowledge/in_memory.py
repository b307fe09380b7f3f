"""Changes applied in memory, for use without a database."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from continuity.knowledge import selection
from continuity.knowledge.model import (
    Anchor,
    AnchorFound,
    AnchorSettled,
    AnchorState,
    Change,
    FileTouch,
    FileTouched,
    Knowledge,
    Task,
    TaskChanged,
)
from continuity.knowledge.state.session_outline import carried_of
from continuity.knowledge.state.situation import situation
from continuity.knowledge.state.state import FoldState
from continuity.knowledge.stored import latest_superseded, merge_files, order_anchors, worth_telling


class InMemoryStore:
    """Rows as a store would keep them: anchors by key, tasks by key, files by path, action and epoch.

    An `AnchorFound` under a known key replaces the row (the words were repeated); a settled anchor stays as it was settled.
    """

    def __init__(self) -> None:
        self.anchors: dict[str, Anchor] = {}
        self.tasks: dict[str, Task] = {}
        self.files: dict[tuple[str, str, int], FileTouch] = {}
        self._found: dict[str, int] = {}

    def apply(self, changes: Iterable[Change]) -> None:
        for change in changes:
            if isinstance(change, AnchorFound):
                self.anchors[change.anchor.key] = change.anchor
                self._found.setdefault(change.anchor.key, change.anchor.ref.seq)
            elif isinstance(change, AnchorSettled):
                anchor = self.anchors.get(change.key)
                if anchor is not None and anchor.state is AnchorState.CURRENT:
                    self.anchors[change.key] = replace(anchor, state=change.state, settled_seq=change.seq, superseded_by=change.by)
            elif isinstance(change, TaskChanged):
                self.tasks[change.task.key] = change.task
            elif isinstance(change, FileTouched):
                file = change.file
                self.files[(file.path, file.action.value, file.epoch)] = file

    def knowledge(self, state: FoldState, *, tokens: int = 0, anchor_limit: int = selection.COUNTED) -> Knowledge:
        """What a package is assembled from, after the messages folded into `state`, within the bounds that a database keeps to; `tokens`
        is the conversation's size, `anchor_limit` how many anchors that are not critical are given."""
        total = sum(anchor.state is AnchorState.CURRENT for anchor in self.anchors.values())
        chosen = selection.anchors(self.anchors.values(), self._found, anchor_limit)
        files = merge_files(selection.files(self.files.values()))
        return Knowledge(
            anchors=order_anchors((a for a in chosen if a.state is AnchorState.CURRENT), state.through_seq),
            superseded=latest_superseded(chosen),
            tasks=worth_telling(selection.tasks(self.tasks.values())),
            files=files,
            situation=situation(state),
            turns=state.turns,
            requests=state.requests,
            brief=state.brief,
            through_seq=state.through_seq,
            messages=state.messages,
            tokens=tokens,
            anchors_total=min(total, selection.COUNTED),
            carried=carried_of(state),
        )
