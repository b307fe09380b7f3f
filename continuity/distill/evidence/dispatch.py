"""Which kind of evidence a tool call or result is, and the pairing of the two."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from continuity.distill import names, spoken
from continuity.distill.clip import clip
from continuity.distill.evidence import answers, briefs, commands, edits, files, finishing, git, jobs, lists, naming, notes, tools
from continuity.distill.items import Effect, Pending
from continuity.distill.step import Step
from continuity.transcripts.model import OWN, Part

SCRIPT = 1500
EFFECTS = 40
PATH = 400  # characters kept of a path


def called(step: Step, index: int, part: Part) -> None:
    """Fold a tool call: what it states at once, and what its result will have to confirm."""
    name = tools.plain_name(part.name)
    if not step.aside:
        names.used(step, names.values(part.input))
        if not part.data.get(OWN):
            spoken.acted(step)
        if name in tools.LISTS:
            lists.listed(step, name, part.input)
        elif name in tools.UPDATE_TASK:
            lists.updated(step, part.input)
        elif name in tools.WRITE or name in tools.EDIT or name in tools.EDITOR:
            notes.written(step, index, part)
    pending = _pending(step, index, name, part)
    _apply_overflow(step, pending)
    if len(pending.effects) > EFFECTS or len(pending.partial) > EFFECTS:
        pending = replace(pending, effects=pending.effects[:EFFECTS], partial=pending.partial[:EFFECTS])
    step.state.pending.put(part.call_id or f"#{step.seq}.{index}", pending)
    if not step.aside:
        finishing.handed_in(step, pending)


def _pending(step: Step, index: int, name: str, part: Part) -> Pending:
    given = part.input
    base = Pending(name=part.name[:60], seq=step.seq, part=index, agent=step.message.agent[:60])
    if name in tools.SHELL:
        script, whole, partly = commands.expected(step, given)
        return replace(base, command=clip(script, SCRIPT), effects=whole, partial=partly, subject=commands.directory(step, given)[:300])
    if name in tools.CREATE_TASK:
        return replace(base, subject=clip(tools.first(given, "subject", "title"), 200), text=clip(tools.first(given, "description"), 400))
    if name in tools.ASK:
        asked = [json.dumps(q) for q in answers.questions_of(given)]
        return replace(base, options=tuple(q for q in asked[:6] if len(q) <= 1500))
    if name in tools.PLAN:
        return replace(base, text=clip(tools.first(given, "plan", "response", "content"), 1500))
    if name in tools.AGENTS:
        return replace(base, text=clip(tools.first(given, "description", "prompt", "task", "message"), 160))
    if name in tools.STOP or name in tools.OUTPUT:
        return replace(base, subject=_job(given))
    if name in tools.EDIT and given.get("diff") and not tools.path_of(given):
        given = {**given, "path": naming.likely(step)}
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


def _apply_overflow(step: Step, pending: Pending) -> None:
    """A patch over more files than are kept until its result counts at once for the rest."""
    for effect in pending.effects[EFFECTS:]:
        files.touch(step, effect, pending.subject)


def returned(step: Step, index: int, part: Part) -> None:
    """Fold a tool result with the call that it answers."""
    state = step.state
    pending = _called_for(step, part)
    if pending is not None:
        notes.ended(step, pending, failed=bool(part.failed))
    if not step.aside:
        names.seen(step, part.text)
        if part.data.get(OWN):
            spoken.delivered(step)
        else:
            state.phase = "result"
        asked = pending is not None and tools.plain_name(pending.name) in (*tools.ASK, *tools.PLAN)
        if not asked and part.failed and answers.refused(step, index, part):
            return
        lists.reported(step, part)
    if pending is None:
        return
    name = tools.plain_name(pending.name)
    if not step.aside:
        briefs.read(step, index, part, pending)
        finishing.handed_in(step, pending, part)
    if name in tools.SHELL:
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
    elif name in tools.COMMITS:
        git.committed(step, index, part, undone=name == "undo")
    elif name in tools.ASK:
        answers.answered(step, index, part, pending)
    elif name in tools.PLAN:
        answers.planned(step, index, part, pending)
    elif name in tools.CREATE_TASK:
        lists.created(step, part, pending)
    elif name in tools.AGENTS:
        jobs.started(step, part, pending)
    elif (name in tools.STOP or name in tools.OUTPUT) and (began := jobs.polled(step, part, pending)) is not None:
        commands.ended(step, index, _with_exit(part, stopped=name in tools.STOP), began)


def _with_exit(part: Part, *, stopped: bool) -> Part:
    """The result with the exit code that the tool reports beside its text; a job that was stopped neither passed nor failed."""
    if stopped:
        return replace(part, failed=None, exit_code=None)
    code = part.data.get("exitCode")
    return replace(part, exit_code=code) if part.exit_code is None and isinstance(code, int) else part


def _called_for(step: Step, part: Part) -> Pending | None:
    """The call that a result belongs to: by id, else the latest call without one."""
    pending = step.state.pending
    if part.call_id:
        return pending.pop(part.call_id)
    nameless = [key for key in pending if key.startswith("#")]
    return pending.pop(nameless[0]) if nameless else None
