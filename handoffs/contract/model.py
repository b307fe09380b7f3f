"""The handoff package in CONT-01's terms, with what the budget and the fidelity check need. Plain values."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from continuity.core.thresholds import PASSING_FIDELITY
from continuity.knowledge.directive_parser.grammar import SectionKind as SectionKind
from continuity.knowledge.handoff_note import CheckedNote
from continuity.knowledge.model import Anchor, FileTouch, Knowledge, Situation, Task
from handoffs.fidelity.agreement.model import Disagreement
from handoffs.fidelity.probes.answers import Answer

if TYPE_CHECKING:
    from handoffs.budgeting.candidate import Candidate  # which is made of items


class Style(StrEnum):
    STRUCTURED = "structured"
    CONCISE = "concise"
    NARRATIVE = "narrative"


class PackageItem(NamedTuple):
    """One line of a package. `reference` is the short id (`a12`, `t3`, `f7`) that expands to its source message `seq`.

    `key` is the key of the anchor, task or file behind it. `tokens` is the item's cost when rendered. `critical`
    items are never dropped. `label` says how a style introduces the item (`open`, `failed`, `modified`); empty is plain.
    `claimed` is whether nothing but the agent's word stands behind it. `held` names the anchors and tasks whose words the
    line holds, where it is itself none of theirs.
    """

    reference: str
    key: str
    text: str
    seq: int
    tokens: int
    importance: float
    critical: bool = False
    label: str = ""
    claimed: bool = False
    held: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PackageSection:
    kind: SectionKind
    items: tuple[PackageItem, ...]
    dropped: int = 0


class Scaffold(StrEnum):
    """How much of a directive is frame: it shrinks before content does."""

    FULL = "full"  # introduction, headings, references
    LEAN = "lean"  # short headings, references of anchors and tasks
    BARE = "bare"  # one label per line


@dataclass(frozen=True, slots=True)
class BudgetPlan:
    """Tokens planned and used: `target` asked for, `used` by the rendered directive, `by_section` what each took.

    `exceeded_by_critical` says that only critical anchors pushed it over the target. `scaffold` is the frame it left room for.
    """

    target: int
    used: int = 0
    by_section: dict[str, int] = field(default_factory=dict)
    exceeded_by_critical: bool = False
    scaffold: Scaffold = Scaffold.FULL


@dataclass(frozen=True, slots=True)
class Options:
    budget: int = 4000
    style: Style = Style.STRUCTURED
    max_reminder_count: int = 5
    include_immediate_actions: bool = True
    include_context_reminders: bool = True
    trigger_reason: str = "Manual"
    note: str = ""


@dataclass(frozen=True, slots=True)
class Directive:
    """CONT-01's ContinuationDirective: what the next session is told, before it is rendered in a style."""

    summary: str
    immediate_actions: tuple[str, ...]
    context_reminders: tuple[str, ...]
    user_intent: str = ""


@dataclass(frozen=True, slots=True)
class Metadata:
    """CONT-01's HandoffMetadata."""

    created_at: datetime
    original_token_count: int
    compacted_token_count: int
    trigger_reason: str

    @property
    def compression_ratio(self) -> float:
        return (
            self.original_token_count / self.compacted_token_count if self.original_token_count > 0 and self.compacted_token_count else 1.0
        )


@dataclass(frozen=True, slots=True)
class Package:
    """CONT-01's SessionHandoff: summary, anchors, unfinished work, state, metadata, and the directive built from them.

    `sections` is what the rendered directive states; `anchors`, `tasks` and `files` are the rows behind its items, `note` the handoff note
    with what was left out of it and why.
    """

    handoff_id: str
    conversation_id: str
    compacted_summary: str
    anchors: tuple[Anchor, ...]
    tasks: tuple[Task, ...]
    files: tuple[FileTouch, ...]
    situation: Situation
    metadata: Metadata
    directive: Directive
    sections: tuple[PackageSection, ...]
    plan: BudgetPlan
    through_seq: int
    options: Options
    note: CheckedNote | None = None


@dataclass(frozen=True, slots=True)
class Expectation:
    """The items that a check expects in a rendered directive: fixed by the budget plan before assembly.

    `admitted` anchors must be stated; `critical` ones always; `open_tasks` with their remaining steps; `state` is the
    known facts among objective, cwd, branch, modified files, verification result and waiting-or-continue.
    """

    admitted: tuple[Anchor, ...]
    critical: tuple[Anchor, ...]
    open_tasks: tuple[Task, ...]
    state: dict[str, str]
    current_anchors: int


class Severity(StrEnum):
    INFO = "info"
    WARNING = "warning"
    CRITICAL = "critical"


@dataclass(frozen=True, slots=True)
class FidelityIssue:
    component: str
    severity: Severity
    description: str
    recommendation: str = ""
    key: str = ""


@dataclass(frozen=True, slots=True)
class FidelityReport:
    """CONT-06's FidelityReport. Scores are 0..1; `coverage` of all current anchors and the answers of the probe bank are reported and
    never gate; nor does `agreement`, the share of what the directive claims that agrees with what happened, below 1 wherever the goal, the
    next step or a rule does not. `disagreements` are the lines that do not."""

    handoff_id: str
    anchor_preservation_score: float
    task_preservation_score: float
    state_preservation_score: float
    overall_fidelity_score: float
    issues: tuple[FidelityIssue, ...]
    coverage: float
    repairs: int = 0
    probes: tuple[Answer, ...] = ()
    agreement: float = 1.0
    disagreements: tuple[Disagreement, ...] = ()

    @property
    def passes_threshold(self) -> bool:
        return self.overall_fidelity_score >= PASSING_FIDELITY and not any(i.severity is Severity.CRITICAL for i in self.issues)


@dataclass(frozen=True, slots=True)
class Prepared:
    """The outcome of preparing: the package, its rendered directive, and the check of the one against the other.

    `known` are the distinct lines that the package was chosen among, not priced; none of a package that arrived.
    """

    package: Package
    text: str
    report: FidelityReport
    knowledge: Knowledge
    known: tuple[Candidate, ...] = ()
