"""Issue trackers on the command line and behind MCP: tasks with their ids, states and requirements as the tracker printed them."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from continuity.knowledge.evidence import PartState
from continuity.knowledge.extractors.outcomes import made_outside, work_parts
from continuity.knowledge.extractors.shell.parser import Simple
from continuity.knowledge.extractors.tools import task_lists, tool_names
from continuity.knowledge.language.clip import clip
from continuity.knowledge.state.step import FoldStep

READ = 8_000
TITLE = 200
WANTED = 360
MOST = 12  # tasks that one command changes

_NAME = r"[A-Za-z]\w{0,20}(?:-\w{1,20}){0,3}-[A-Za-z0-9]{1,12}(?:\.\d{1,3}){0,3}"
_ID = re.compile(rf"{_NAME}|#?\d{{1,6}}")
# A line that names a task by its id and then its title: `bd-a1: Title`, `1. [P1] bd-a1 · Title`, `○ bd-a1 [P1] [task] open - Title`.
_LINE = re.compile(
    rf"^[^\w\n]{{0,6}}(?:\d{{1,3}}\. )?(?:\[[^\]\n]{{1,20}}\] ?){{0,3}}(?P<id>{_NAME})(?: ?\[[^\]\n]{{1,20}}\]){{0,3}}"
    r"(?: (?P<state>open|in_progress|closed|blocked|done))?(?:: | · | - | — )(?P<title>\S[^\n]{2,200})$",
    re.M,
)
_CREATED = re.compile(rf"\b[Cc]reated (?:issue|task|epic|bug)?:? ?(?P<id>{_NAME})(?![\w-])")
# `✓ Closed bd-a1 — Title: why`
_ACTED = re.compile(rf"^\W{{0,4}}(?:Updated issue|Closed|Reopened):? (?P<id>{_NAME}) — (?P<title>[^\n:]{{3,200}})", re.M)
_FIELD = re.compile(r"^(?:[Tt]itle|[Ss]ummary):[ \t]*(?P<title>\S[^\n]*)$", re.M)
_STATUS = re.compile(
    r"^(?:[Ss]tatus|[Ss]tate):[ \t]*(?P<state>[A-Za-z_ -]{3,20})$|\[[^\]\n]{0,12}· ?(?P<mark>OPEN|IN_PROGRESS|CLOSED|BLOCKED)\]", re.M
)
_WANTED = re.compile(r"^(?:DESCRIPTION|Description|ACCEPTANCE CRITERIA|Acceptance [Cc]riteria|--):?[ \t]*$|^Description:[ \t]*(?=\S)", re.M)
_CARRIED_OUT = {
    "close": PartState.DONE, "done": PartState.DONE, "complete": PartState.DONE, "reopen": PartState.OPEN,
    "delete": PartState.DROPPED, "start": PartState.IN_PROGRESS,
}  # fmt: skip
_STATES = {
    "open": PartState.OPEN, "todo": PartState.OPEN, "backlog": PartState.OPEN, "pending": PartState.OPEN, "blocked": PartState.OPEN,
    "in_progress": PartState.IN_PROGRESS, "started": PartState.IN_PROGRESS, "closed": PartState.DONE, "done": PartState.DONE,
    "completed": PartState.DONE, "cancelled": PartState.DROPPED, "canceled": PartState.DROPPED, "dropped": PartState.DROPPED,
}  # fmt: skip
_OF_STATES = {PartState.OPEN: "pending", PartState.IN_PROGRESS: "in_progress", PartState.DONE: "completed", PartState.DROPPED: "dropped"}
_BEADS = frozenset(("bd", "beads", "br"))
_OTHERS = frozenset(("jira", "linear", "linearis", "tk", "backlog"))
_VALUED = frozenset(
    (
        *("--reason", "-r", "--status", "-s", "--priority", "-p", "--type", "-t", "--title", "--description", "-d", "--assignee", "-a"),
        *("--notes", "--labels", "-l", "--parent", "--deps", "--body", "-b", "--comment", "-c", "--repo", "-R", "--label", "--design"),
    )
)
_MCP = re.compile(
    r"(?:^|__|[._-])(?P<verb>create|save|update|edit|get|read|view|close|transition)_?(?P<thing>issue|ticket|task|story)s?$", re.I
)


def observe(step: FoldStep, commands: list[Simple], text: str) -> None:
    """Enter what a successful run of a tracker's commands changed or showed."""
    for command in commands:
        words = command.words
        if command.program in _BEADS or command.program in _OTHERS:
            words = [word for n, word in enumerate(words[1:]) if not (n == 0 and word in ("issue", "issues", "task"))]
            _tracked(step, words, text[:READ])
        elif command.program in ("gh", "glab") and words[1:2] == ["issue"] and len(words) > 2:
            _hosted(step, words[2:], text[:READ])


def _tracked(step: FoldStep, words: list[str], text: str) -> None:
    verb, rest = (words[0], words[1:]) if words else ("", [])
    titles = {match["id"]: match["title"] for match in _ACTED.finditer(text)}
    ids = [word for word in _plain(rest) if _ID.fullmatch(word)][:MOST]
    status = _value(rest, "--status", "-s") or ("in_progress" if "--claim" in rest else "")
    if verb in ("create", "new", "q"):
        created = _CREATED.search(text)
        title = _value(rest, "--title") or next(iter(_plain(rest)), "")
        if created and title:
            _enter(step, created["id"], title, PartState.OPEN, _value(rest, "--description", "-d", "--acceptance"))
            made_outside.known_as(step, "task", created["id"])
    elif verb in _CARRIED_OUT:
        for id in ids:
            _enter(step, id, titles.get(id, ""), _CARRIED_OUT[verb], "")
    elif verb in ("update", "edit", "move", "transition"):
        for id in ids:
            _enter(step, id, _value(rest, "--title") or titles.get(id, ""), _STATES.get(_plain_state(status)), "")
    elif verb in ("show", "view", "get") and ids:
        _shown(step, ids[0], text)
    elif verb in ("list", "ready", "ls"):
        for line in _LINE.finditer(text):
            if work_parts.is_known(step, line["id"]):
                _enter(step, line["id"], line["title"], _STATES.get(line["state"] or ""), "")


def _hosted(step: FoldStep, words: list[str], text: str) -> None:
    """GitHub's and GitLab's issues."""
    verb, rest = words[0], words[1:]
    if _value(rest, "--repo", "-R") and verb == "view":
        return  # another project's, to learn from
    numbers = [word.lstrip("#") for word in _plain(rest) if re.fullmatch(r"#?\d{1,7}", word)]
    numbers += [m[1] for word in rest if (m := re.search(r"/issues/(\d{1,7})$", word))]
    if verb == "create":
        made = re.search(r"/issues/(\d{1,7})\b", text)
        if made and (title := _value(rest, "--title", "-t")):
            _enter(step, f"#{made[1]}", title, PartState.OPEN, _value(rest, "--body", "-b"))
    elif verb in ("close", "reopen", "delete"):
        for number in numbers[:MOST]:
            _enter(step, f"#{number}", "", {"close": PartState.DONE, "reopen": PartState.OPEN}.get(verb, PartState.DROPPED), "")
    elif verb == "view" and numbers and not text.lstrip().startswith("{"):
        _shown(step, f"#{numbers[0]}", text)
    elif verb == "view" and numbers:
        _told(step, text, f"#{numbers[0]}")


def _shown(step: FoldStep, id: str, text: str) -> None:
    """A task as its tracker prints it: the title, where it stands, what is wanted."""
    if text.lstrip().startswith(("{", "[")):
        _told(step, text, id)
        return
    line = next((each for each in _LINE.finditer(text) if each["id"] == id), None)
    field = _FIELD.search(text)
    status = _STATUS.search(text)
    begins = _WANTED.search(text)
    wanted = text[begins.end() :].strip() if begins else ""
    title = line["title"] if line else field["title"] if field else ""
    title = re.sub(r"\s{2,}\[[^\]]*\]\s*$", "", title)
    state = _STATES.get(_plain_state((status["state"] or status["mark"]) if status else ""))
    _enter(step, id, title, state, wanted)


def called(step: FoldStep, name: str, text: str) -> None:
    """What a tracker behind MCP answered to a call that creates, changes or shows one issue."""
    match = _MCP.search(name)
    if match:
        made = _told(step, text, "")
        if made and match["verb"].lower() in ("create", "save"):
            made_outside.known_as(step, match["thing"].lower(), *made)


def is_call(name: str) -> bool:
    return _MCP.search(name) is not None


def _told(step: FoldStep, text: str, id: str) -> tuple[str, str] | None:
    """An issue as JSON: its id and address."""
    try:
        raw = json.loads(text) if len(text) <= 60_000 else None
    except (ValueError, RecursionError):
        return None
    raw = raw[0] if isinstance(raw, list) and raw else raw
    raw = raw["issue"] if isinstance(raw, Mapping) and isinstance(raw.get("issue"), Mapping) else raw
    if not isinstance(raw, Mapping):
        return None
    inner = raw.get("fields")
    fields: Mapping[str, Any] = inner if isinstance(inner, Mapping) else raw
    id = id or tool_names.first(raw, "identifier", "key", "id")[:40]
    title = tool_names.first(fields, "title", "summary", "name", "subject")
    status = fields.get("status") or fields.get("state") or ""
    status = tool_names.first(status, "name") if isinstance(status, Mapping) else str(status)
    wanted = tool_names.first(fields, "description", "body")
    if not id:
        return None
    _enter(step, id, title, _STATES.get(_plain_state(status)), wanted)
    return id, tool_names.first(raw, "url", "html_url", "webUrl")


def _enter(step: FoldStep, id: str, title: str, state: PartState | None, wanted: str) -> None:
    title = title.strip()[:TITLE]
    work_parts.entered(step, id, title, state=state, wanted=clip(wanted, WANTED))
    told: dict[str, Any] = {"subject": title} if title else {}
    task_lists.tracked(step, id, told | ({"status": _OF_STATES[state]} if state is not None else {}))


def _plain_state(status: str) -> str:
    return status.strip().lower().replace(" ", "_").replace("-", "_")


def _plain(words: list[str]) -> list[str]:
    """The words without options and their values."""
    return [word for n, word in enumerate(words) if not word.startswith("-") and not (n and words[n - 1] in _VALUED)]


def _value(words: list[str], *names: str) -> str:
    """The value of the first of the options that is given."""
    for n, word in enumerate(words):
        for name in names:
            if word == name and n + 1 < len(words):
                return words[n + 1]
            if name.startswith("--") and word.startswith(f"{name}="):
                return word.partition("=")[2]
    return ""
