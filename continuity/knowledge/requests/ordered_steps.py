"""The ordered steps of written instructions: those of a skill or a command, each with its lines and literal commands."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

STEPS, LINES, COMMANDS = 12, 5, 3  # kept of the instructions, and of each step
TITLE, LINE, COMMAND = 160, 220, 320
READ = 40_000  # characters read
LEAST, LEAST_LISTED = 2, 3  # steps in headings, and in a list that nothing leads in

_FENCE = re.compile(r"\s*(?:```|~~~)\s*(?P<language>[\w+-]*)")
_SHELL = frozenset(("bash", "sh", "shell", "zsh", "console"))
_HEADING = re.compile(r"(?P<level>#{1,6})\s+(?P<words>.+)")
_COUNTED = re.compile(r"(?:(?:step|phase|schritt|étape)\s+)?(?P<number>\d{1,2})\s*[.):–—-]\s*(?P<words>\S.*)", re.I)
_BOLD = re.compile(r"\*\*(?P<words>[^*]+)\*\*:?\s*(?P<rest>.*)")
_ITEM = re.compile(r"(?P<indent>\s*)(?P<number>\d{1,2})[.)]\s+(?P<words>\S.*)")
_BULLET = re.compile(r"\s*(?:[-*+•]|\d{1,2}[.)])\s+(?:\[[ xX]\]\s+)?")
_LEADS_IN = re.compile(
    r"\b(?:steps?|instructions?|workflow|process|procedure|follow|do this|do the following|schritte|anweisungen)\b", re.I
)
_MARKS = re.compile(r"\*\*|__")


@dataclass(frozen=True, slots=True)
class OrderedStep:
    """One step: its number, what it is called, its lines without the commands, and these."""

    number: int
    title: str
    lines: tuple[str, ...] = ()
    commands: tuple[str, ...] = ()


@dataclass(slots=True)
class _Begin:
    """A line that may begin a step: of which form, and how deep."""

    place: int
    form: str
    depth: int
    number: int
    words: str
    rest: str = ""


def ordered_steps(text: str) -> tuple[OrderedStep, ...]:
    """The steps of the first numbered sequence: of headings, else of bold lines, else of a list that is led in or long enough."""
    lines = text[:READ].splitlines()
    fenced = _fenced(lines)
    begins = [found for place, line in enumerate(lines) if not fenced[place] and (found := _begin(place, line)) is not None]
    for form in ("heading", "bold", "item"):
        for depth in sorted({each.depth for each in begins if each.form == form}):
            for run in _runs([each for each in begins if (each.form, each.depth) == (form, depth)]):
                least = LEAST if form != "item" or _is_led_in(lines, run[0].place) else LEAST_LISTED
                if len(run) >= least:
                    return tuple(_step(lines, fenced, run, number) for number in range(min(len(run), STEPS)))
    return ()


def plain(words: str) -> str:
    """Words without the marks of bold type, in one line."""
    return " ".join(_MARKS.sub("", words).split())


def _begin(place: int, line: str) -> _Begin | None:
    if heading := _HEADING.match(line):
        counted = _COUNTED.match(plain(heading["words"]))
        return _Begin(place, "heading", len(heading["level"]), int(counted["number"]), counted["words"]) if counted else None
    if bold := _BOLD.match(line.strip()):
        counted = _COUNTED.match(bold["words"].strip().rstrip(":"))
        return _Begin(place, "bold", 0, int(counted["number"]), counted["words"], bold["rest"]) if counted else None
    item = _ITEM.match(line)
    return _Begin(place, "item", len(item["indent"].expandtabs()), int(item["number"]), item["words"]) if item else None


def _runs(begins: Sequence[_Begin]) -> Iterator[list[_Begin]]:
    """The stretches that count up from 1 (or 0), each by one."""
    run: list[_Begin] = []
    for each in begins:
        if run and each.number == run[-1].number + 1:
            run.append(each)
            continue
        if run:
            yield run
        run = [each] if each.number <= 1 else []
    if run:
        yield run


def _is_led_in(lines: Sequence[str], place: int) -> bool:
    before = next((line for line in reversed(lines[:place]) if line.strip()), "")
    return _LEADS_IN.search(before) is not None


def _fenced(lines: Sequence[str]) -> list[str]:
    """For each line the language of the code that it is in, or "?"; empty outside of code."""
    inside, found = "", []
    for line in lines:
        fence = _FENCE.match(line)
        if fence and not inside:
            inside = fence["language"].lower() or "?"
            found.append("```")
        elif fence and not fence["language"]:
            inside = ""
            found.append("```")
        else:
            found.append(inside)
    return found


def _step(lines: Sequence[str], fenced: Sequence[str], run: Sequence[_Begin], number: int) -> OrderedStep:
    begin = run[number]
    last = run[number + 1].place if number + 1 < len(run) else _end(lines, fenced, begin)
    said, commands = [begin.rest] if begin.rest else [], list[str]()
    in_shell: list[str] = []
    for place in range(begin.place + 1, last):
        if fenced[place] in _SHELL:
            in_shell.append(lines[place])
        elif (
            not (fenced[place] or lines[place].startswith("#"))
            and (words := lines[place][_after_bullet(lines[place]) :].strip())
            and not _is_furniture(words)
        ):
            said.append(words)
    for line in re.sub(r"\\\n\s*", "", "\n".join(in_shell)).split("\n"):
        command = line.strip().removeprefix("$ ")
        if command and not command.startswith(("#", "...", "…")):
            commands.append(" ".join(command.split()))
    told = tuple(plain(line)[:LINE] for line in said[:LINES] if line != "---")
    return OrderedStep(
        begin.number, plain(begin.words).rstrip(":")[:TITLE], told, tuple(command[:COMMAND] for command in commands[:COMMANDS])
    )


def _after_bullet(line: str) -> int:
    bullet = _BULLET.match(line)
    return bullet.end() if bullet else 0


def _is_furniture(words: str) -> bool:
    """Whether a line holds no sentence: a row of a table, a rule, a tag."""
    return words.startswith(("|", "<")) or not any(map(str.isalpha, words))


def _end(lines: Sequence[str], fenced: Sequence[str], begin: _Begin) -> int:
    """Where the last step ends: at a heading that is no part of it; in a list also at the first line behind it."""
    for place in range(begin.place + 1, len(lines)):
        if fenced[place]:
            continue
        line, heading = lines[place], _HEADING.match(lines[place])
        if heading and (begin.form != "heading" or len(heading["level"]) <= begin.depth):
            return place
        indent = len(line.expandtabs()) - len(line.expandtabs().lstrip())
        if begin.form == "item" and line.strip() and indent <= begin.depth and not lines[place - 1].strip():
            return place
    return len(lines)
