"""Dispatches tool calls and results to their extractors, and pairs the two."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from continuity.knowledge.extractors import asked_checks, assistant, called_instructions
from continuity.knowledge.extractors.announced_looks import announces_look, announces_run
from continuity.knowledge.extractors.outcomes import code_edits, code_excerpts, refusals, searches, trackers
from continuity.knowledge.extractors.tools import (
    answers,
    commands,
    documents,
    edited_file,
    edits,
    files,
    git,
    jobs,
    notes,
    submissions,
    task_lists,
    tool_names,
)
from continuity.knowledge.language.clip import clip, one_line
from continuity.knowledge.model import FileAction
from continuity.knowledge.state.open_items import Effect, Pending
from continuity.knowledge.state.step import FoldStep
from continuity.transcripts.base.model import OWN, Part

SCRIPT = 1500
EFFECTS = 40
PATH = 400  # characters kept of a path
_SOUGHT = ("pattern", "query", "search_term", "url", "regex", "path")  # what a search is called with


def called(step: FoldStep, index: int, part: Part) -> None:
    """Fold a tool call: what it states at once, and what its result will have to confirm."""
    name = tool_names.plain_name(part.name)
    if not step.aside:
        if not part.data.get(OWN):
            assistant.acted(step)
        if name in tool_names.LISTS:
            task_lists.listed(step, name, part.input)
        elif name in tool_names.UPDATE_TASK:
            task_lists.updated(step, part.input)
        elif name in tool_names.WRITE or name in tool_names.EDIT or name in tool_names.EDITOR:
            notes.written(step, index, part)
    pending = _pending(step, index, name, part)
    _apply_overflow(step, pending)
    if len(pending.effects) > EFFECTS or len(pending.partial) > EFFECTS:
        pending = replace(pending, effects=pending.effects[:EFFECTS], partial=pending.partial[:EFFECTS])
    key = part.call_id or f"#{step.seq}.{index}"
    step.state.pending.put(key, pending)
    if pending.effects:
        code_edits.drafted(step, key, name, part.input, pending)
    if name in tool_names.PLAN and not step.aside:
        refusals.proposed(step, tool_names.first(part.input, "plan", "response", "content"), tool_names.first(part.input, "planFilePath"))
    elif pending.effects and not pending.command:
        refusals.written(step, part.input, pending)
    if not step.aside:
        submissions.handed_in(step, pending)
        if name in tool_names.AGENTS:
            called_instructions.dispatched(step, tool_names.first(part.input, "subagent_type", "agent_type"))
        if pending.command:
            called_instructions.ran(step, pending.command)
            asked_checks.ran(step, pending.command)


def _pending(step: FoldStep, index: int, name: str, part: Part) -> Pending:
    given = part.input
    base = Pending(name=part.name[:60], seq=step.seq, part=index, agent=step.message.agent[:60])
    if name in tool_names.SHELL:
        script, whole, partly = commands.expected(step, given)
        return replace(base, command=clip(script, SCRIPT), effects=whole, partial=partly, subject=commands.directory(step, given)[:300])
    if name in tool_names.CREATE_TASK:
        return replace(
            base, subject=clip(tool_names.first(given, "subject", "title"), 200), text=clip(tool_names.first(given, "description"), 400)
        )
    if name in tool_names.ASK:
        asked = [json.dumps(q) for q in answers.questions_of(given)]
        return replace(base, options=tuple(q for q in asked[:6] if len(q) <= 1500))
    if name in tool_names.PLAN:
        return replace(base, text=clip(tool_names.first(given, "plan", "response", "content"), 1500))
    if name in tool_names.AGENTS:
        return replace(base, text=jobs.sent(given))
    if name in tool_names.SEARCH:
        sought, place = tool_names.first(given, *_SOUGHT), tool_names.first(given, "path", "include", "glob")
        place = "" if place.rstrip("/") in (step.state.cwd, step.state.root) else place
        return replace(base, text=" in ".join(dict.fromkeys(one_line(words, 160) for words in (sought, place) if words)))
    if name in tool_names.STOP or name in tool_names.OUTPUT:
        return replace(base, subject=_job(given))
    if name in tool_names.EDIT and given.get("diff") and not tool_names.path_of(given):
        given = {**given, "path": edited_file.likely(step)}
    return replace(base, effects=tuple(_short(e) for e in edits.effects(name, given)), subject=step.state.cwd[:300])


def _short(effect: Effect) -> Effect:
    short = len(effect.path) <= PATH and len(effect.note) <= PATH
    return effect if short else replace(effect, path=effect.path[:PATH], note=effect.note[:PATH])


def _job(given: Mapping[str, Any]) -> str:
    for name in ("shell_id", "bash_id", "task_id", "session_id", "id", "shellId"):
        value = given.get(name)
        if isinstance(value, (str, int)) and str(value):
            return str(value)[:60]
    return ""


def _apply_overflow(step: FoldStep, pending: Pending) -> None:
    """A patch over more files than are kept until its result counts at once for the rest."""
    for effect in pending.effects[EFFECTS:]:
        files.touch(step, effect, pending.subject)


def returned(step: FoldStep, index: int, part: Part) -> None:
    """Fold a tool result with the call that it answers."""
    state = step.state
    pending = _called_for(step, part)
    if pending is not None:
        notes.ended(step, pending, failed=bool(part.failed))
    if not step.aside:
        if part.data.get(OWN):
            assistant.delivered(step)
        else:
            state.phase = "result"
        asked = pending is not None and tool_names.plain_name(pending.name) in (*tool_names.ASK, *tool_names.PLAN)
        if not asked and part.failed and answers.refused(step, index, part, pending):
            code_edits.ended(step, part.call_id, failed=True, data={})
            return
        task_lists.reported(step, part)
    if pending is None:
        return
    name = tool_names.plain_name(pending.name)
    _carried_out(step, part, pending, name)
    _fold_result(step, index, part, pending, name)
    code_edits.ended(step, part.call_id or f"#{pending.seq}.{pending.part}", failed=bool(part.failed or part.exit_code), data=part.data)


def _carried_out(step: FoldStep, part: Part, pending: Pending, name: str) -> None:
    """Note where the result is of the look or the run that the agent announced before the call."""
    announced = step.state.next_step
    if step.aside or announced is None or pending.seq < announced.ref.seq or name in (*tool_names.LISTS, *tool_names.UPDATE_TASK):
        return
    looks = bool(pending.command) or name in tool_names.SEARCH or any(each.action is FileAction.READ for each in pending.effects)
    looked = looks and not part.failed and announces_look(announced.text)
    step.state.looked_up = step.state.looked_up or looked or (bool(pending.command) and announces_run(announced.text))


def _fold_result(step: FoldStep, index: int, part: Part, pending: Pending, name: str) -> None:
    """Fold a result with its call, by what the tool `name` does."""
    if not step.aside:
        documents.read(step, index, part, pending)
        code_excerpts.read(step, part, pending)
        submissions.handed_in(step, pending, part)
    if name in tool_names.SHELL:
        if not jobs.parked(step, part, pending):
            commands.ended(step, index, part, pending)
        if not step.aside:
            jobs.started(step, part, pending)
    elif pending.effects:
        if not part.failed and not part.exit_code:
            for effect in pending.effects:
                files.touch(step, edits.reported(effect, part.data), pending.subject)
    elif step.aside:
        return
    elif name in tool_names.SEARCH:
        step.state.begun = True  # what was announced, to look for something, is under way
        searches.by_tool(step, index, part.text, pending, failed=bool(part.failed))
    elif name in tool_names.COMMITS:
        git.committed(step, index, part, undone=name == "undo")
    elif not part.failed and trackers.is_call(name):
        trackers.called(step, name, part.text)
    elif name in tool_names.PLAN_MODE:
        step.state.planning = step.state.planning or not part.failed
    elif name in tool_names.ASK:
        answers.answered(step, index, part, pending)
    elif name in tool_names.PLAN:
        answers.planned(step, index, part, pending)
    elif name in tool_names.CREATE_TASK:
        task_lists.created(step, part, pending)
    elif name in tool_names.AGENTS:
        jobs.started(step, part, pending)
        jobs.reported(step, index, part)
    elif (name in tool_names.STOP or name in tool_names.OUTPUT) and (began := jobs.polled(step, part, pending)) is not None:
        commands.ended(step, index, _with_exit(part, stopped=name in tool_names.STOP), began)


def _with_exit(part: Part, *, stopped: bool) -> Part:
    """The result with the exit code that the tool reports beside its text; a job that was stopped neither passed nor failed."""
    if stopped:
        return replace(part, failed=None, exit_code=None)
    code = part.data.get("exitCode")
    return replace(part, exit_code=code) if part.exit_code is None and isinstance(code, int) else part


def _called_for(step: FoldStep, part: Part) -> Pending | None:
    """The call that a result belongs to: by id, else the latest call without one."""
    pending = step.state.pending
    if part.call_id:
        return pending.pop(part.call_id)
    nameless = [key for key in pending if key.startswith("#")]
    return pending.pop(nameless[0]) if nameless else None
