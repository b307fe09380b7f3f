"""The parts of the work: tasks of trackers and lists with what happened while they were in progress, else what each commit closed."""

from __future__ import annotations

import re
from dataclasses import replace

from continuity.knowledge.anchors.keys import digest
from continuity.knowledge.evidence import Keeping, PartState, WorkPart
from continuity.knowledge.language.clip import clip, command_within, one_line
from continuity.knowledge.language.reply_structure import announces
from continuity.knowledge.language.sentences import split
from continuity.knowledge.model import CommandRun
from continuity.knowledge.requests import progress
from continuity.knowledge.state.step import FoldStep

TITLE, WANTED, CLOSING, CHECK, COMMAND, PATH, COMMIT = 160, 360, 240, 160, 100, 160, 200
FILES, COMMITS = 12, 4
SHORT = 15  # characters up to which a sentence says nothing
READ = 4000  # characters of the agent's words, their end
UNCLOSED = 6  # parts done since the last commit
LOOSE = ""  # the key of what is done outside of every task, until a commit closes it
_TOLD = re.compile(r"\[[^\]\n]*?(?P<hash>[0-9a-f]{7,40})\] (?P<subject>.+)")
_ENDED = frozenset((PartState.DONE, PartState.DROPPED))
_OUTCOMES = {True: "passed", False: "failed", None: "ran"}


def entered(step: FoldStep, id: str, title: str = "", *, state: PartState | None = None, wanted: str = "") -> None:
    """What a tracker or list tells of one task: its `id` there, or its words. Nothing is entered of one without a title."""
    key = _key(id or title)
    parts = step.state.parts
    part = parts.get(key)
    if part is None:
        if not title:
            return
        part = WorkPart(one_line(title, TITLE), PartState.OPEN, step.seq, step.seq, id[:40])
    told = replace(
        part,
        title=one_line(title, TITLE) or part.title,
        state=state or part.state,
        wanted=clip(wanted.strip(), WANTED) or part.wanted,
    )
    if told == part and key in parts:
        return
    told = replace(told, last_seq=step.seq)
    if told.state in _ENDED and part.state not in _ENDED:
        told = replace(told, closing=_closing(step, part.seq) or part.closing)
        if not (part.commits and part.last_seq >= step.state.edited):  # else the last commit has all of it
            step.state.unclosed = (*(each for each in step.state.unclosed if each != key), key)[-UNCLOSED:]
    if told.state is PartState.IN_PROGRESS and part.state is not PartState.IN_PROGRESS:
        _let_go(step)
        parts.put(key, told)
    else:
        parts.replace(key, told)


def listed(step: FoldStep, items: list[tuple[str, str]]) -> None:
    """A list that a tool sets as a whole: its items that were begun are parts, and those known are brought up to date. One that was only
    begun, and is on it no longer, is none: it was renamed, or is not to be done. One that is to be done once more, for another request,
    is not the part that ended."""
    parts, listed = step.state.parts, {_key(text) for text, _ in items}
    since = step.state.requests[-1].seq if step.state.requests else 0
    again = {_key(text) for text, status in items if status not in ("completed", "dropped")}
    for key, part in parts.items() if any(key in parts for key in again) else ():
        if key in again and part.state in _ENDED and part.last_seq < since:
            parts.pop(key)
            parts.put(_key(f"{part.title}|{part.seq}"), part)
    for key, part in parts.items():
        if part.state is PartState.IN_PROGRESS and part.title and not (part.id or part.files or part.commits) and key not in listed:
            parts.pop(key)
    for text, status in items:
        state = {"completed": PartState.DONE, "in_progress": PartState.IN_PROGRESS, "dropped": PartState.DROPPED}.get(status)
        if state is PartState.IN_PROGRESS or (state is not None and _key(text) in step.state.parts):
            entered(step, "", text, state=state)


def touched(step: FoldStep, path: str) -> None:
    """A file was changed for the task in progress."""
    key, part = _current(step)
    files = (*(each for each in part.files if each != path), path[:PATH])[-FILES:]
    if files != part.files:
        step.state.parts.replace(key, replace(part, files=files, last_seq=step.seq))


def committed(step: FoldStep, line: str, *, amends: bool = False) -> None:
    """A commit closes what was done since the last one; where no task was in progress it is a part of its own. One that amends takes
    the place of the last, with what was done since."""
    told = _TOLD.match(line)
    parts, line = step.state.parts, one_line(f"{told['hash']} {told['subject']}" if told else line, COMMIT)
    if amends and _amended(step, line):
        return
    keys = [key for key in step.state.unclosed if key in parts]
    key, current = _current(step)
    if key != LOOSE:
        keys.append(key)
    for each in dict.fromkeys(keys):
        part = parts.get(each)
        if part is not None:
            parts.replace(each, replace(part, commits=(*part.commits, line)[-COMMITS:], last_seq=step.seq))
    if not keys or LOOSE in parts:
        parts.pop(LOOSE)
        left = _not_taken(step, current) if key == LOOSE else ()
        title = one_line(told["subject"] if told else line, TITLE)
        closed = replace(current if key == LOOSE else _new(step), title=title, state=PartState.DONE, commits=(line,), last_seq=step.seq)
        closed = replace(closed, files=tuple(path for path in closed.files if path not in left))
        parts.put(_key(f"{line}|{step.seq}"), replace(closed, closing=_closing(step, closed.seq)))
        if left:
            parts.put(LOOSE, replace(_new(step), files=left))
    step.state.unclosed = ()


def _not_taken(step: FoldStep, part: WorkPart) -> tuple[str, ...]:
    """The files of a part that a commit left out; none where it is not known which it took."""
    changed = [each for _, each in step.state.changed.latest()]
    if not any(each.keeping is Keeping.COMMITTED and each.seq == step.seq and each.path in part.files for each in changed):
        return ()
    kept = {each.path for each in changed if each.keeping in (Keeping.UNCOMMITTED, Keeping.STAGED, Keeping.EDITED_AGAIN)}
    return tuple(path for path in part.files if path in kept)


def _amended(step: FoldStep, line: str) -> bool:
    """Give the commit's new name to the parts that it closed, the last of which takes what was done since."""
    parts = step.state.parts
    last = next((part.commits[-1] for _, part in parts.latest() if part.commits), "")
    closed = [(key, part) for key, part in parts.items() if last and part.commits[-1:] == (last,)]
    loose = parts.pop(LOOSE) if closed else None
    for key, part in closed:
        told = replace(part, commits=(*part.commits[:-1], line), last_seq=step.seq)
        if loose is not None and key == closed[-1][0]:
            files = tuple(dict.fromkeys((*told.files, *loose.files)))[-FILES:]
            told = replace(told, files=files, check=loose.check or told.check)
        parts.replace(key, told)
    return bool(closed)


def checked(step: FoldStep, run: CommandRun) -> None:
    """A check ran for the task in progress, or else for those done since the last commit."""
    key, part = _current(step)
    words = one_line(f"`{command_within(run.command, COMMAND)}` {_OUTCOMES[run.passed]}{f': {run.result}' if run.result else ''}", CHECK)
    parts = step.state.parts
    if key == LOOSE and key not in parts and step.state.unclosed:
        key = step.state.unclosed[-1]
        part = parts.get(key) or part
    if part.check != words and (key in parts or part.files):
        parts.replace(key, replace(part, check=words, last_seq=step.seq))


def told(step: FoldStep, words: str) -> None:
    """What the agent says right after a part was done is its closing sentence."""
    done = [key for key in step.state.unclosed if (part := step.state.parts.get(key)) is not None and not part.closing]
    sentence = _sentence(words) if done else ""
    for key in done if sentence else ():
        part = step.state.parts.get(key)
        if part is not None:
            step.state.parts.replace(key, replace(part, closing=sentence))


def is_known(step: FoldStep, id: str) -> bool:
    """Whether a task was told of by its id."""
    return _key(id) in step.state.parts


def _current(step: FoldStep) -> tuple[str, WorkPart]:
    """The task that was begun last and is in progress in the work that was asked for, else what is done outside of all tasks. Where others
    were begun with it, and nothing was changed for any of them yet, nobody can say for which of them a change is."""
    head = progress.head_place(step.state.requests)
    since = step.state.requests[head].seq if head >= 0 else 0
    begun = (
        (key, part)
        for key, part in step.state.parts.latest()
        if key != LOOSE and part.state is PartState.IN_PROGRESS and part.last_seq >= since
    )
    latest = next(begun, None)
    if latest is not None and (latest[1].files or all(part.files for _, part in begun)):
        return latest
    return LOOSE, step.state.parts.get(LOOSE) or _new(step)


def _new(step: FoldStep) -> WorkPart:
    return WorkPart("", PartState.IN_PROGRESS, step.seq, step.seq)


def _let_go(step: FoldStep) -> None:
    """Work without a task that nothing closed says nothing once a task begins, unless files were changed in it."""
    loose = step.state.parts.get(LOOSE)
    if loose is not None and not loose.files:
        step.state.parts.pop(LOOSE)


def _closing(step: FoldStep, since: int) -> str:
    """What the agent said last, if it said it since the part began."""
    turns = step.state.turns
    answer = turns[-1].answer if turns else None
    return _sentence(answer.text) if answer is not None and answer.ref.seq >= since else ""


def _sentence(text: str) -> str:
    """The last sentence of the agent's words that reports, not announces; empty where all of them announce."""
    sentences = [
        each.text
        for each in split(text[-4000:])
        if len(each.text) > SHORT and not each.text.endswith(("?", ":")) and not announces(each.text)
    ]
    return one_line(sentences[-1], CLOSING) if sentences else ""


def _key(name: str) -> str:
    return digest(name.strip().lower())
