"""Evidence in tool calls, whatever the tools are called: by the form of their arguments and results."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from continuity.transcripts.base.model import Part

LONGEST = 200
TAIL = 4000
ITEMS = 12

_PATHS = ("file_path", "path", "filePath", "notebook_path", "target_file", "absolute_path", "filename", "TargetFile")
_COMMANDS = ("command", "cmd", "script", "CommandLine")
_NEW_WORDS = frozenset(
    ("content", "new_string", "newString", "new_str", "file_text", "edits", "code_edit", "diff", "replacement", "new_source", "insert_text")
)
_PASSING = re.compile(r"/(?:dev|tmp|proc)/")
_ASIDE = re.compile(r"^(?:cd \S+\s*(?:&&|;)\s*|\w+=\S*\s+|sudo |timeout \S+ )+")
_PATCHED = re.compile(r"^\*\*\* (?:Add|Update) File: (.+)$", re.M)
_REDIRECTED = re.compile(r"(?:^|[\s&|;])(?:cat|echo|printf)\b[^|;&\n]*?>{1,2}\s*([\w./-]+\.\w+)|\btee (?:-a )?([\w./-]+\.\w+)")
_FAULT = re.compile(
    r"^.{0,40}?\b((?:[A-Za-z_][\w.]*)?(?:Error|Exception|Failure|Violation)\b.*"
    r"|(?:fatal|error|panic|E)\b ?(?:\[\w+\])?: .*|FAILED \S.*)$",
    re.M,
)
_CHECKS = re.compile(
    r"\b(?:pytest|unittest|jest|vitest|mocha|rspec|phpunit|ctest|tsc|mypy|ruff|eslint|flake8|clippy|"
    r"(?:go|cargo|npm|npx|yarn|pnpm|make|mvn|gradlew?|dotnet|bun|deno|tox|just|mise|task|rake|nx|turbo|bazel|uv|poetry|hatch|composer|mix|sbt|swift)\b[^|;&\n]{0,30}\b(?:tests?|check|lint|build|vet))\b"
)
_OPEN = frozenset(("pending", "in_progress", "todo", "not_started", "not-started", "in-progress", "open", "active"))
_DONE = frozenset(("completed", "complete", "done", "closed", "finished", "cancelled", "canceled", "deleted"))
MOST_POINTS = 40
_PATH = re.compile(r"[\w./@~-]+")
_COMMIT = re.compile(r"\bgit\b(?:\s+-\S+(?:\s+[\w./=-]+)?){0,4}\s+commit\b(?!-)")
_COMMITTED = re.compile(r"^\[[^\]\n]{1,80}? ([0-9a-f]{7,12})\] (.{1,200})$", re.M)
_SUBJECT = re.compile(r"(?:-[a-z]*m|--message)[ =]?[\"']?(?:\$\(cat <<'?\w+'?\s*)?([^\"'\n]{4,200})")
_MISMATCH = re.compile(r"^.{0,80}\b(?:expected|want(?:ed)?|got|received|actual|undefined|cannot|assert)\b.{0,160}$", re.M | re.I)
_COMPARES = re.compile(r"\b(?:expected|want(?:ed)?|got|received|actual|assert)\b", re.I)
_NUMBERED = re.compile(r"\s*Task #(\d+) created")
_SAID = re.compile(r'"([^"\n]{4,300})"\s*=\s*"([^"\n]{2,300})"')


def command_of(part: Part) -> str:
    """The command line of a call, on one line; empty where it runs none."""
    return _script(part)[:LONGEST]


def _script(part: Part) -> str:
    value = next((part.input[name] for name in _COMMANDS if name in part.input), "")
    words = " ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
    return " ".join(words[:2000].split())


def doing(command: str) -> str:
    """The action of a command, by its first words: what mends one failure of it is another run of it, with whatever arguments."""
    return " ".join(_ASIDE.sub("", command).split()[:2])


def changed_paths(part: Part) -> Sequence[str]:
    """The files that a call writes."""
    given = part.input
    if _NEW_WORDS & given.keys():
        return [str(given[name])[:LONGEST] for name in _PATHS if isinstance(given.get(name), str)][:1]
    scripts = [value[:TAIL] for value in given.values() if isinstance(value, str)]
    patched = [path.strip()[:LONGEST] for text in scripts for path in _PATCHED.findall(text)]
    command = next((given[name] for name in _COMMANDS if isinstance(given.get(name), str)), "")
    redirected = [path for found in _REDIRECTED.findall(command[:TAIL]) for path in found if path and not _PASSING.match(path)]
    return [*patched, *redirected][:ITEMS]


def fault_of(part: Part) -> str:
    """The line of a result that says what went wrong; empty where none does."""
    lines = _FAULT.findall(part.text[-TAIL:])
    return " ".join(lines[-1].split())[:LONGEST] if lines else ""


def went_wrong(part: Part) -> bool | None:
    """Whether a call failed, where its result says so."""
    return part.exit_code != 0 if part.exit_code is not None else part.failed


def is_check(command: str) -> bool:
    return bool(_CHECKS.search(command))


def is_command(words: str) -> bool:
    """Whether the words of a call are a command line rather than a path."""
    return " " in words or not _PATH.fullmatch(words)


def is_commit(part: Part) -> bool:
    """Whether a call runs a command that commits, by itself or in a wrapper."""
    return _COMMIT.search(_script(part)) is not None


def subject_of(command: str, printed: str) -> str:
    """The hash and subject that a commit printed, or the subject that it was given."""
    found = _COMMITTED.search(printed[:TAIL])
    if found:
        return " ".join(f"{found[1]} {found[2]}".split())[:LONGEST]
    given = _SUBJECT.search(command)
    return " ".join(given[1].split())[:LONGEST] if given else ""


def target_of(part: Part) -> str:
    """The target of a call that runs no command: its path, or its first short argument."""
    texts = [str(part.input[name]) for name in _PATHS if isinstance(part.input.get(name), str)]
    texts += [value for value in part.input.values() if isinstance(value, str) and len(value) <= LONGEST]
    return " ".join(texts[0].split())[:LONGEST] if texts else ""


def faults_of(part: Part) -> list[str]:
    """The lines of a result that say what went wrong, with what was expected and got, at most twice ITEMS."""
    tail = part.text[-TAIL:]
    lines = [*_FAULT.findall(tail)[-ITEMS:], *(found.group() for found in list(_MISMATCH.finditer(tail))[-ITEMS:])]
    return list(dict.fromkeys(" ".join(line.split())[:LONGEST] for line in lines))


def compares(words: str) -> bool:
    """Whether a line says what was expected or what came."""
    return _COMPARES.search(words) is not None


def items_of(part: Part) -> list[tuple[str, str, bool]]:
    """The points of a list or tracker that a call writes: key, words (empty: those known), and whether each is done."""
    given = part.input
    for value in given.values():
        if isinstance(value, list | tuple) and value and all(isinstance(item, Mapping) and "status" in item for item in value):
            named = [(_named(item), str(item["status"]).lower()) for item in value]
            return [(words.lower(), words, status in _DONE) for words, status in named if words][-MOST_POINTS:]
    status = str(given.get("status", "")).lower()
    number = next((str(given[name]) for name in ("taskId", "task_id", "id") if isinstance(given.get(name), str | int)), "")
    if number and status in (*_DONE, *_OPEN):
        return [(f"#{number}", "", status in _DONE)]
    subject = given.get("subject")
    if isinstance(subject, str) and "description" in given and subject.strip():
        words = " ".join(subject.split())[:LONGEST]
        return [(words.lower(), words, False)]
    return []


def numbered_item(part: Part) -> str:
    """The number that a tracker gave to what was just entered; empty where it gave none."""
    found = _NUMBERED.match(part.text[:LONGEST])
    return f"#{found[1]}" if found else ""


def options_of(part: Part) -> Iterator[tuple[str, bool]]:
    """The answers that a person was offered through a tool, each with whether it was taken."""
    asked = part.data.get("questions")
    told = dict(chosen(part))
    for question in asked[:ITEMS] if isinstance(asked, list | tuple) else ():
        if not isinstance(question, Mapping) or not isinstance(question.get("options"), list | tuple):
            continue
        words = " ".join(str(question.get("question", "")).split())[:LONGEST]
        if words not in told:
            continue
        for option in question["options"][:ITEMS]:
            label = option.get("label") if isinstance(option, Mapping) else option
            if isinstance(label, str) and label.strip():
                shown = " ".join(label.split())[:LONGEST]
                yield shown, shown.lower() in told[words].lower()


def open_items(part: Part) -> list[str] | None:
    """The unfinished items of a list that a call writes; None where it writes none."""
    for value in part.input.values():
        if isinstance(value, list | tuple) and value and all(isinstance(item, Mapping) and "status" in item for item in value):
            return [words for item in value if str(item["status"]).lower() in _OPEN and (words := _named(item))][:ITEMS]
    return None


def _named(item: Mapping[str, Any]) -> str:
    found = next(
        (item[name] for name in ("content", "step", "title", "description", "text", "task") if isinstance(item.get(name), str)), ""
    )
    return " ".join(str(found).split())[:LONGEST]


def chosen(part: Part) -> Iterator[tuple[str, str]]:
    """The questions that a person answered through a tool, each with the answer."""
    told = part.data.get("answers")
    pairs = list(told.items()) if isinstance(told, Mapping) else []
    if not pairs and "answer" in part.text[: ITEMS * 10]:
        pairs = _SAID.findall(part.text[:TAIL])
    for question, answer in pairs[:ITEMS]:
        words = answer if isinstance(answer, str) else ""
        if len(words.strip()) > 1:
            yield " ".join(str(question).split())[:LONGEST], " ".join(words.split())[:LONGEST]
