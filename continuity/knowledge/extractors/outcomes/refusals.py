"""The person's decisions in the dialogs of tools: refused calls, answers, plans."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from continuity.knowledge.evidence import Choice, Plan, PlanItem, PlanState, RefusedCall
from continuity.knowledge.extractors.shell.paths import relative
from continuity.knowledge.language.clip import beginning, clip, one_line
from continuity.knowledge.model import FileAction
from continuity.knowledge.state.open_items import Pending
from continuity.knowledge.state.step import FoldStep
from continuity.transcripts.base.model import MODE, PLANNING, Part, PartKind, Voice

SAID, TARGET, QUESTION, OPTION, OPTIONS = 400, 240, 240, 120, 5
PLAN, ITEM, ITEMS = 2400, 120, 20
READ = 40_000
CHANGE = 80  # characters of the line that a refused edit would change
STOPPED = 2  # calls of an interrupted turn that are told, the last ones
JOB = "job:"  # how the key of a call begins that a process in the background goes on with

_SAVED = re.compile(r"(?:saved|written) (?:to|at):? *`?(?P<path>[^\s`]{3,300})", re.I)
_HEADING = re.compile(r"^## Approved Plan:?\s*\n", re.M)
_PLAN_FILE = re.compile(r"(?:^|/)plans?/(?:[\w-]{1,60}/)?[^/]+\.md$|(?:^|/)(?:[\w-]{0,60}-)?plan\.md$", re.I)
_ITEM = re.compile(
    r"^(?P<indent>[ \t]{0,3})(?:#{2,5} (?P<head>(?:step|phase|task|part|stage|milestone|change)?\s?\d+[\w.:) —-][^\n]{2,200})"
    r"|(?:[-*+]|\d{1,2}[.)]) \[(?P<box>[ xX~-])\] (?P<task>[^\n]{3,200})|(?P<number>\d{1,2})[.)] (?P<step>[^\n]{3,200}))$",
    re.M | re.I,
)


def refused(step: FoldStep, part: Part, pending: Pending | None, said: str) -> None:
    """A call that the person did not allow, with their words: behind those of the tool, or beside its result."""
    words = said.strip() or next(
        (each.text for each in step.message.parts if each.kind is PartKind.TEXT and each.voice is Voice.PERSON and each.text.strip()), ""
    )
    tool, target = (pending.name, _target(step, pending) + _change(step, part.call_id)) if pending is not None else ("", "")
    step.state.refusals.put(f"{step.seq}.{part.call_id}"[:80], RefusedCall(step.seq, tool, one_line(target, TARGET), one_line(words, SAID)))
    plan = step.state.plan
    if plan is not None and plan.state is PlanState.PROPOSED and pending is not None and pending.text and not pending.command:
        step.state.plan = replace(plan, state=PlanState.REFUSED, seq=step.seq, said=one_line(words, SAID))


def interrupted(step: FoldStep) -> None:
    """The person stopped the turn: the calls whose results are out were not carried out, as far as anybody knows."""
    for key, pending in step.state.pending.items()[-STOPPED:]:
        if not pending.agent and not key.startswith(JOB) and (target := _target(step, pending)):
            told = RefusedCall(step.seq, pending.name, one_line(target, TARGET), interrupted=True)
            step.state.refusals.put(f"{step.seq}.{key}"[:80], told)


def _target(step: FoldStep, pending: Pending) -> str:
    if pending.command:
        return pending.command
    paths = [relative(effect.path, pending.subject, step.state.root) for effect in pending.effects[:3]]
    return ", ".join(paths) or pending.text


def _change(step: FoldStep, call: str) -> str:
    """What a refused edit would have taken out and put in first, in one line."""
    draft = next((draft for name, draft in step.state.drafts.items() if call and name.startswith(f"{call}#")), None)
    lines = [line for line in draft.body.splitlines() if line[:1] in "+-" and line[1:].strip()] if draft is not None else []
    firsts = (next((line for line in lines if line[0] == sign), "") for sign in "-+")
    told = " ".join(f"{first[0]} {one_line(first[1:], CHANGE)}" for first in firsts if first)
    return f": {told}" if told else ""


def chosen(step: FoldStep, question: str, answer: str, others: list[str]) -> None:
    """An answer that the person gave, and what they did not choose."""
    rest = tuple(one_line(each, OPTION) for each in others[:OPTIONS])
    told = Choice(step.seq, one_line(question, QUESTION), one_line(answer, SAID), rest)
    step.state.choices.put(f"{step.seq}.{len(step.state.choices)}", told)


def note_mode(step: FoldStep) -> None:
    """Notes whether the person spoke in plan mode, as the tool says beside their words. Words in a refusal say nothing of it."""
    if not any(part.kind is PartKind.TOOL_RESULT for part in step.message.parts):
        step.state.planning = any(part.data.get(MODE) == PLANNING for part in step.message.parts)


def proposed(step: FoldStep, text: str, path: str = "") -> None:
    """The agent puts a plan to the person."""
    known = step.state.plan
    if text.strip():
        step.state.plan = _plan(step, text, PlanState.PROPOSED, path or (known.path if known is not None else ""))
    elif known is not None:
        step.state.plan = replace(known, state=PlanState.PROPOSED, seq=step.seq)


def approved(step: FoldStep, part: Part) -> None:
    """The person approved the plan; the result has its last version, and where it is kept."""
    step.state.planning = False
    told = part.data.get("plan")
    match = _HEADING.search(part.text)
    text = part.text[match.end() :] if match else told if isinstance(told, str) else ""
    saved = _SAVED.search(part.text[:1500])
    named = part.data.get("filePath")
    path = named if isinstance(named, str) else saved["path"].rstrip(".") if saved else ""
    known = step.state.plan
    path = path[:300] or (known.path if known is not None else "")
    if text.strip():
        step.state.plan = _plan(step, text, PlanState.APPROVED, path)
    elif known is not None:
        step.state.plan = replace(known, state=PlanState.APPROVED, seq=step.seq, path=path)


def written(step: FoldStep, given: Mapping[str, Any], pending: Pending) -> None:
    """A plan's file was written or changed: that is its latest version."""
    effect = next((each for each in pending.effects if each.action is not FileAction.READ), None)
    known = step.state.plan
    if effect is None or not (_PLAN_FILE.search(effect.path) or (known is not None and known.path and effect.path == known.path)):
        return
    content = next((value for name in ("content", "file_text", "contents") if isinstance(value := given.get(name), str)), "")
    if content.strip():
        step.state.plan = _plan(step, content, PlanState.WRITTEN, effect.path)
        return
    old, new = given.get("old_string"), given.get("new_string")
    if known is not None and known.path == effect.path and isinstance(old, str) and isinstance(new, str) and old:
        text = clip(known.text.replace(old, new, 1), PLAN)
        items = tuple(_replaced(item, old, new) for item in known.items)
        step.state.plan = replace(known, text=text, items=items)


def _replaced(item: PlanItem, old: str, new: str) -> PlanItem:
    """An item whose line an edit of the plan's file changed: a box ticked, other words."""
    changed = {each.text: each for each in _items(new)}
    before = {each.text for each in _items(old)}
    return changed.get(item.text, item) if item.text in before else item


def _plan(step: FoldStep, text: str, state: PlanState, path: str) -> Plan:
    known = step.state.plan
    if known is not None and state is PlanState.WRITTEN and known.path == path and known.state is PlanState.APPROVED:
        state = PlanState.APPROVED  # it goes on to be kept while it is worked on
    return Plan(step.seq, beginning(text.strip(), PLAN), state, path[:300], "", _items(text))


def _items(text: str) -> tuple[PlanItem, ...]:
    """The items of a plan: boxes, else numbered headings, else numbered lines."""
    found = list(_ITEM.finditer(text[:READ]))
    boxes = [PlanItem(one_line(m["task"], ITEM), m["box"] in "xX") for m in found if m["task"]]
    heads = [PlanItem(one_line(m["head"], ITEM)) for m in found if m["head"]]
    steps = [PlanItem(one_line(m["step"], ITEM)) for m in found if m["step"]]
    best = boxes if len(boxes) > 1 else heads if len(heads) > 1 else steps
    return tuple({item.text: item for item in best}.values())[:ITEMS]
