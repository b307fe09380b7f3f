"""The decision on a write, by the version that its writer had read."""

from __future__ import annotations

from enum import StrEnum

from continuity.shared_state.names import StateStrategy


class WriteDecision(StrEnum):
    """`write`: nothing was missed. `refuse`: read again. `ask_base`: the strategy needs to know what was read. The rest is for writers
    who missed something: `overwrite` it, `merge` with it, or `keep_both` for a person."""

    WRITE = "write"
    REFUSE = "refuse"
    ASK_BASE = "ask_base"
    OVERWRITE = "overwrite"
    MERGE = "merge"
    KEEP_BOTH = "keep_both"


_MISSED = {
    StateStrategy.LAST_WRITE_WINS: WriteDecision.OVERWRITE,
    StateStrategy.REJECT: WriteDecision.REFUSE,
    StateStrategy.MERGE: WriteDecision.MERGE,
    StateStrategy.MANUAL: WriteDecision.KEEP_BOTH,
}


def decide(*, strategy: StateStrategy, version: int, base: int | None, strict: bool = False, unresolved: bool = False) -> WriteDecision:
    """`version` is the latest, 0 where nothing is stored yet; `base` what the writer read, None where he does not say. `strict`: he
    wants to be refused where he missed something. `unresolved`: the state waits for a person; whoever writes adds to what is chosen from.
    """
    if base is not None and base > version:
        return WriteDecision.REFUSE
    if unresolved:
        return WriteDecision.REFUSE if strict else WriteDecision.ASK_BASE if base is None else WriteDecision.KEEP_BOTH
    if base == version or version == 0:
        return WriteDecision.WRITE
    if base is None:
        return WriteDecision.WRITE if strategy == StateStrategy.LAST_WRITE_WINS else WriteDecision.ASK_BASE
    return WriteDecision.REFUSE if strict else _MISSED[strategy]
