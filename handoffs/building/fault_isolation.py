"""Leaves out the knowledge on which preparing a package raises. Pure.

Nothing of this runs unless preparing raised; then each row is tried in a package of its own.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from typing import Any

from continuity.core.isolation import NOT_ITS_FAULT, error_type, place_of
from continuity.knowledge.model import Knowledge, Situation
from handoffs.contract.model import FidelityIssue, FidelityReport, Severity
from handoffs.fidelity.probes import Probe

ROWS = ("anchors", "superseded", "tasks", "files", "turns", "brief")
_NOTHING = Knowledge()
_NOWHERE = Situation()
Try = Callable[[Knowledge, tuple[Probe, ...]], Any]


@dataclass(frozen=True, slots=True)
class Sound:
    """The sound knowledge, and what raised: by kind (`anchors`, `state`, `probes`) how many, and the exception's type and place."""

    knowledge: Knowledge
    probes: tuple[Probe, ...]
    raised: tuple[tuple[str, str], ...]


def sound_part(knowledge: Knowledge, probes: tuple[Probe, ...], attempt: Try) -> Sound:
    """The knowledge and the probes without what `attempt`, which makes a package of some, raises on by itself."""
    raised: list[tuple[str, str]] = []

    def holds(kind: str, part: Knowledge, asked: tuple[Probe, ...] = ()) -> bool:
        try:
            attempt(part, asked)
        except NOT_ITS_FAULT:
            raise
        except Exception as error:  # noqa: BLE001  told of in the package's report
            raised.append((kind, f"{error_type(error)} at {place_of(error)}"))
            return False
        return True

    rows: dict[str, Any] = {name: tuple(row for row in getattr(knowledge, name) if holds(name, _only(**{name: (row,)}))) for name in ROWS}
    told = {
        field.name: value
        for field in fields(Situation)
        if (value := getattr(knowledge.situation, field.name)) != getattr(_NOWHERE, field.name)
        and holds("state", replace(_NOTHING, situation=replace(_NOWHERE, **{field.name: value})))
    }
    retold = knowledge.retold if not knowledge.retold or holds("summary", replace(_NOTHING, retold=knowledge.retold)) else ""
    note = knowledge.note if knowledge.note is None or holds("note", replace(_NOTHING, note=knowledge.note)) else None
    asked = tuple(probe for probe in probes if holds("probes", _NOTHING, (probe,)))
    return Sound(replace(knowledge, **rows, situation=Situation(**told), retold=retold, note=note), asked, tuple(raised))


def _only(**told: Any) -> Knowledge:
    return replace(_NOTHING, **told)


def with_omissions(report: FidelityReport, raised: tuple[tuple[str, str], ...]) -> FidelityReport:
    """The report with an issue for each kind of row that was left out, which says how many and why."""
    issues = []
    for kind in dict.fromkeys(kind for kind, _ in raised):
        causes = [cause for each, cause in raised if each == kind]
        what = "question" if kind == "probes" else "line"
        number = f"{len(causes)} {what}{'' if len(causes) == 1 else 's'} ({kind})"
        issues.append(
            FidelityIssue(
                "Package",
                Severity.WARNING,
                f"{number} could not be told and {'is' if len(causes) == 1 else 'are'} left out: {causes[0]}",
                "Report this to who runs the server: it is a fault of the program",
            )
        )
    return replace(report, issues=(*report.issues, *issues))
