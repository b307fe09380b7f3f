"""Expectations of a directive, fixed by the budget plan before anything is rendered."""

from __future__ import annotations

from collections.abc import Mapping

from continuity.knowledge.directive_parser.grammar import OUTCOMES
from continuity.knowledge.language.clip import beginning
from continuity.knowledge.model import Knowledge
from handoffs.budgeting.budget import Selection
from handoffs.contract.model import Expectation
from handoffs.directive.lines.coming.next_steps import waiting_words
from handoffs.directive.lines.files import CHANGING, shown_path
from handoffs.directive.lines.goal import goal_of
from handoffs.directive.lines.note import tells_the_present
from handoffs.directive.lines.tasks import open_tasks, titled
from handoffs.directive.lines.wording import one_line

OBJECTIVE = 200  # characters of the request in work by which it is known again


def expectation_of(knowledge: Knowledge, selection: Selection, held_by: Mapping[str, str]) -> Expectation:
    """The expectation of a plan: the anchors it admits, itself or in a line that holds their words; every critical anchor,
    every open task that a line was made of, and every known part of the state."""
    chosen = {candidate.item.key for candidate in selection.chosen}
    known = {*chosen, *(candidate.item.key for candidate in selection.dropped), *held_by}
    tasks = open_tasks(knowledge)
    if tells_the_present(knowledge):
        tasks = tuple(titled(task) for task in tasks if task.key in known)  # the agent's note tells the others in its own words
    admitted = tuple(a for a in knowledge.anchors if a.critical or a.key in chosen or held_by.get(a.key) in chosen)
    return Expectation(
        admitted=admitted,
        critical=tuple(anchor for anchor in knowledge.anchors if anchor.critical),
        open_tasks=tasks,
        state=known_state(knowledge),
        current_anchors=max(knowledge.anchors_total, len(knowledge.anchors)),
    )


def known_state(knowledge: Knowledge) -> dict[str, str]:
    """The known ones among objective, cwd, branch, modified files (one path a line), verification result and waiting-or-continue,
    in the words a directive states them with."""
    now = knowledge.situation
    goal = goal_of(knowledge)
    check = now.verification
    state = {
        "objective": beginning(one_line(goal.text), OBJECTIVE).rstrip() if goal else "",
        "cwd": one_line(now.cwd),
        "branch": one_line(now.branch),
        "modified_files": "\n".join(shown_path(file, now.cwd) for file in knowledge.files if file.action in CHANGING),
        "verification": f"{one_line(check.command)} {OUTCOMES[check.passed]}" if check else "",
        "waiting": waiting_words(now.waiting) if now.waiting else "",
    }
    return {name: words for name, words in state.items() if words}
