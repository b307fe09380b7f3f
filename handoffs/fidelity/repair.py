"""Putting back what a directive was to state and does not, within its budget."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from handoffs.budgeting.budget import Selection, evict
from handoffs.budgeting.candidate import Candidate
from handoffs.contract.model import Expectation, FidelityReport, SectionKind
from handoffs.directive.lines.note import LABEL as NOTE_LABEL

# The lines behind the parts of the state.
STATE_KEYS = {"objective": "goal", "cwd": "cwd", "branch": "branch", "verification": "check", "waiting": "waiting"}


def missing_keys(report: FidelityReport) -> tuple[str, ...]:
    """The keys of the lines that would mend a report's issues, critical ones first."""
    issues = sorted(report.issues, key=lambda issue: (issue.severity.value != "critical", issue.component))
    return tuple(STATE_KEYS.get(issue.key, issue.key) for issue in issues if issue.key)


def counted_keys(expectation: Expectation, selection: Selection, held_by: Mapping[str, str]) -> tuple[str, ...]:
    """The keys of the lines that a check counts: they do not make room for what it only reports."""
    files = [c.item.key for c in selection.chosen if c.kind is SectionKind.FILES and c.item.label != NOTE_LABEL]
    anchors = [anchor.key for anchor in (*expectation.admitted, *expectation.critical)]
    held = [*anchors, *(task.key for task in expectation.open_tasks)]
    holders = [held_by[key] for key in held if key in held_by]
    return tuple(dict.fromkeys((*held, *holders, *files, *STATE_KEYS.values())))


def put_back(
    selection: Selection, missing: Collection[str], budget: int, *, spare: Sequence[Candidate] = (), keep: Collection[str] = ()
) -> Selection | None:
    """The selection with missing lines in place of less valuable ones; None where nothing can be put back.

    The lines come from those that were dropped, or from `spare`: duplicates whose holder had to go. Critical anchors go
    in whatever they cost. Others go in only as far as evicting lines that are neither critical nor missing themselves,
    nor to be kept, makes room.
    """
    known = {candidate.item.key: candidate for candidate in (*spare, *selection.dropped)}
    wanted = [known[key] for key in missing if key in known]
    repaired = selection
    for candidate in wanted:
        wider = repaired.with_chosen((*repaired.chosen, candidate))
        over = wider.tokens - budget
        if over > 0:
            wider = evict(wider, over, keep=(*missing, *keep))
        if candidate.item.critical or wider.tokens <= budget:
            repaired = wider
    return repaired if repaired is not selection else None
