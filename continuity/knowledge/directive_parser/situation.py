"""Reads the state of the work from a directive: goal, work place, last check, recent turns, and whose turn it is."""

from __future__ import annotations

from continuity.knowledge.anchors.keys import digest
from continuity.knowledge.directive_parser import history, values
from continuity.knowledge.directive_parser.grammar import BETWEEN_STEPS, CONTINUE, FORMER_CONTINUE, WAIT, SectionKind
from continuity.knowledge.directive_parser.lines import Entry
from continuity.knowledge.extractors import called_instructions
from continuity.knowledge.extractors.shell.parser import name_of, parse
from continuity.knowledge.extractors.tools import remote_effects, verification
from continuity.knowledge.language.clip import clip, one_line, shorten
from continuity.knowledge.model import CommandRun, Quote, Ref
from continuity.knowledge.state.recent_turns import KEPT
from continuity.knowledge.state.step import FoldStep
from continuity.knowledge.tasks import request_parts

QUOTE = 1200  # characters kept of a request that a directive tells
WAITING_QUOTE = 400
COMMANDS = 8


_PARTS = frozenset(("part", "of document"))  # of what is asked for, in the person's words or a document's


def stand(step: FoldStep, part: int, entries: list[Entry]) -> None:
    """Take over where the directive says the work stands. What the session itself reports of its work place counts more."""
    by_label = {entry.label: entry for entry in entries if entry.kind not in (SectionKind.RECENT, SectionKind.FILES)}

    def quoted(label: str, limit: int) -> Quote | None:
        entry = by_label.get(label)
        return shorten(Quote(entry.text, Ref(step.seq, part, entry.start, entry.end)), limit) if entry else None

    state = step.state
    goal = quoted("whole", QUOTE) or quoted("goal", QUOTE)
    same = "goal is request" in by_label
    request = (
        quoted("answered", QUOTE)
        or quoted("added", QUOTE)
        or quoted("further", QUOTE)
        or quoted("request", QUOTE)
        or quoted("agreed", QUOTE)
        or quoted("agreed before", QUOTE)
    )
    state.objective = goal or state.objective or (None if request else _first_open(step, part, entries))
    state.latest_request = (goal if same else request) or goal or state.latest_request
    state.next_step = quoted("next step", WAITING_QUOTE) or quoted("begun", WAITING_QUOTE)
    state.begun = "begun" in by_label
    state.asking = quoted("asked", WAITING_QUOTE)
    state.closing = quoted("reported", WAITING_QUOTE)
    state.proposal = None
    _move(step, by_label.get("waiting"), told=any(entry.kind is SectionKind.NEXT for entry in entries))
    if not state.reported_cwd and (cwd := by_label.get("cwd")):
        state.cwd = cwd.text[:400]
        state.root = state.root or state.cwd
    if not state.reported_branch and (branch := by_label.get("branch")):
        state.branch = branch.text[:200]
    _work_place(step, part, entries)
    if instructed := by_label.get("instructed"):
        called_instructions.recalled(step, instructed.text)
    state.brief = (
        request_parts.bounded([step.quote(part, entry.start, entry.end) for entry in entries if entry.label in _PARTS]) or state.brief
    )
    if not state.requests:
        state.requests = history.rows_of(part, entries)
    if not state.turns:
        state.turns = history.turns_of(state.requests, part, entries, KEPT)


def _first_open(step: FoldStep, part: int, entries: list[Entry]) -> Quote | None:
    """What a directive too tight for a line on the goal tells it by: its first open task."""
    entry = next((entry for entry in entries if entry.kind is SectionKind.TASKS and entry.label == "open"), None)
    if entry is None:
        return None
    words = values.task(entry.text).description
    return shorten(step.quote(part, entry.start, entry.start + len(words)), QUOTE) if entry.text.startswith(words) else None


def _move(step: FoldStep, waiting: Entry | None, *, told: bool) -> None:
    """Whose move it is: the agent's turn ended with a question or an answer, or it goes on, as where *Now* says nothing of it."""
    state = step.state
    if waiting is None and told:
        state.phase, state.finished = "agent", False
    if waiting is None or waiting.text not in (CONTINUE, FORMER_CONTINUE, WAIT):
        return
    state.phase = "agent"
    state.finished = waiting.text == WAIT


def _work_place(step: FoldStep, part: int, entries: list[Entry]) -> None:
    """The checks, the commands, the commits, what was changed elsewhere, the working tree, and what still runs."""
    state = step.state
    commits, commands = list(state.commits), list(state.commands)
    for entry in entries:
        told = values.command(entry.text) if entry.label in ("check", "also checked", "command") else None
        if told is not None:
            # Files that the same message names count as changed after a check that they have made out of date.
            seq = step.seq - 1 if told.outdated else step.seq
            command = CommandRun(clip(told.command, 300), seq, told.exit_code, told.passed, one_line(told.result, 200))
            if entry.label == "command":
                commands.append(command)
            elif entry.label == "also checked":
                state.checks.replace(digest(name_of(command.command)), command)
            elif state.verification is None or state.verification.command != command.command:
                state.verification, state.verification_rank = command, verification.kind_of(parse(told.command))
        elif entry.label in ("commit", "earlier commit") and all(entry.text != commit.text for commit in commits):
            commits.append(shorten(step.quote(part, entry.start, entry.end), WAITING_QUOTE))
        elif entry.label in ("running", "sent") and (job := entry.text.partition("\n")[0]) not in state.running.values():
            state.running.put(digest(f"directive|{job}"), clip(job, 200))
        elif entry.label == "outside":
            for change in entry.text.split(BETWEEN_STEPS):
                remote_effects.recall(step, change)
        elif entry.label in ("tree", "tree at first"):
            seen = shorten(step.quote(part, entry.start, entry.end), WAITING_QUOTE)
            state.trees = (*state.trees[:1], seen)
    state.commits = tuple(commits)[-COMMANDS:]
    known = {command.command: command for command in commands}
    state.commands = tuple(known.values())[-COMMANDS:]
