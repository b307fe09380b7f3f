"""The resumption check (CONT-06): what the new session has of what the package carried."""

from __future__ import annotations

from dataclasses import dataclass

from continuity.core.tracing import span
from continuity.knowledge.directive_parser.grammar import NOTED
from continuity.knowledge.model import Anchor, Knowledge
from handoffs.contract.model import Package
from handoffs.directive.lines.wording import Stated, clip, normalise, one_line
from handoffs.fidelity.expectation import known_state
from handoffs.fidelity.scores import share

SEAMLESS = 0.95
SHOWN_CHARS = 80


@dataclass(frozen=True, slots=True)
class ResumptionReport:
    """CONT-06's ResumptionReport. Scores are 0..1; `missing_elements` says what lacks and where."""

    new_conversation_id: str
    previous_conversation_id: str
    directive_completeness: float
    anchor_restoration_score: float
    state_restoration_score: float
    missing_elements: tuple[str, ...]
    is_seamless: bool


@span("continuity.validate")
def validate_resumption(package: Package, rendered: str, restored: Knowledge, *, new_conversation_id: str) -> ResumptionReport:
    """The report on a session resumed with the `rendered` directive, whose fold now knows `restored`.

    Completeness is the rendered share of actions, reminders and intent; restoration scores are the shares of the
    package's anchors and state that are in the fold. Shares of nothing are 1.0.
    """
    unsaid = _unsaid(package, Stated(rendered))
    told = len(package.directive.immediate_actions) + len(package.directive.context_reminders) + bool(package.directive.user_intent)
    lost = _lost(package.anchors, restored)
    state, changed = _state(package, restored)
    completeness = share(told - len(unsaid), told)
    anchors = share(len(package.anchors) - len(lost), len(package.anchors))
    restored_state = share(len(state) - len(changed), len(state))
    return ResumptionReport(
        new_conversation_id=new_conversation_id,
        previous_conversation_id=package.conversation_id,
        directive_completeness=completeness,
        anchor_restoration_score=anchors,
        state_restoration_score=restored_state,
        missing_elements=(
            *(f"Directive: {clip(words, SHOWN_CHARS)}" for words in unsaid),
            *(f"{anchor.type.value} anchor: {clip(one_line(anchor.text), SHOWN_CHARS)}" for anchor in lost),
            *(f"State: {name.replace('_', ' ')}" for name in changed),
        ),
        is_seamless=min(completeness, anchors, restored_state) >= SEAMLESS and not any(anchor.critical for anchor in lost),
    )


def _unsaid(package: Package, stated: Stated) -> list[str]:
    directive = package.directive
    told = [*directive.immediate_actions, *directive.context_reminders, *([directive.user_intent] if directive.user_intent else [])]
    # Where a reference says that a statement is the note's, the line does not say it again.
    return [words for words in told if not stated.states(words.removeprefix(NOTED))]


def _lost(anchors: tuple[Anchor, ...], restored: Knowledge) -> list[Anchor]:
    """Anchors that the fold has neither by key nor by words: a copy in a new conversation has a key of its own."""
    keys = {anchor.key for anchor in restored.anchors}
    words = {normalise(anchor.text) for anchor in restored.anchors}
    return [anchor for anchor in anchors if anchor.key not in keys and normalise(anchor.text) not in words]


def _state(package: Package, restored: Knowledge) -> tuple[dict[str, str], list[str]]:
    """The state that the package knew, and the names of what the fold has otherwise; more modified files are no loss."""
    before = known_state(Knowledge(files=package.files, situation=package.situation))
    after = known_state(restored)
    changed = [name for name, words in before.items() if not set(words.split("\n")) <= set(after.get(name, "").split("\n"))]
    return before, changed
