"""The instructions of a command or a skill that the person called for what they want done now: which of its steps calls have matched, and
what these put for its placeholders."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import lru_cache

from continuity.knowledge.evidence import CalledInstructions, CalledStep
from continuity.knowledge.extractors.shell.line_numbers import unnumbered
from continuity.knowledge.extractors.shell.parser import name_of
from continuity.knowledge.language.clip import clip
from continuity.knowledge.model import FileAction
from continuity.knowledge.requests.gist import gist
from continuity.knowledge.requests.ordered_steps import OrderedStep, ordered_steps, plain
from continuity.knowledge.state.step import FoldStep
from continuity.transcripts.base.model import Part, Role

SIZE = 4500  # characters kept of all steps
SAID, SHORT = 500, 1500  # characters of instructions without steps, and of those short enough to be told by them
BINDING, BINDING_LINE = 3, 240
FILE = "SKILL.md"
VALUES, VALUE = 12, 80
STEM = 6  # letters by which words of a skill's name are known
REPORT, REPORT_LINES = 360, 20
TOKENS = 6  # of a command by which a call is known

_TOLD = re.compile(r"(?P<number>\d{1,2})\. (?P<words>\S.*)")  # as a directive tells a step
_BASE = re.compile(r"\ABase directory for this skill: (?P<path>\S[^\n]*)\n")
_TAGGED = re.compile(r"\A\s*<skill>\s*<name>(?P<name>[^<\n]{1,80})</name>")
_OTHER = re.compile(r"\A\s*(?:<|Caveat:|\[)")
_BINDS = re.compile(r"\b(?:MUST|NEVER|ONLY AFTER|ONLY|ALWAYS|FIRST|BEFORE)\b|\b(?:only after|must not|do not|never) ")
_PIECES = re.compile(r"&&|;|\n")
_SKILL = re.compile(r"\b(?:skill|superpower)s?\b")
_REPORTS = re.compile(
    r"^((?:after|when|once|finally|at the end|in the end)\b[^\n]*\b(?:report|summari[sz]e|output)\b[^\n]{0,80}:)[ *]*$", re.I | re.M
)
_PLACEHOLDER = re.compile(r"\$\{(\w+)\}|\$([A-Za-z_]\w*)|\{(\w+)\}|<([\w -]{1,40})>")
_ASSIGNED = re.compile(r"\A\w+=(?:\"?\$\(|`)")
_HEAD = re.compile(r"['\"`;&]|\s[|>]")
# Words that a call hands on: they run nothing.
_HANDED = re.compile(
    r"<<-?\s*['\"]?(\w+)['\"]?[^\n]*\n.*?(?:\n[ \t]*\1\b|\Z)"
    r"|(?<=\s)(?:-m|-t|-b|--(?:message|title|body))[ =](?:\"(?:[^\"\\]|\\.)*\"|'[^']*')",
    re.DOTALL,
)
_VALUE = re.compile(r"[\w./#@:+-]+\Z")
_CODE = re.compile(r"`([^`\n]{4,160})`|\bBash\(\"([^\"\n]{4,160})\"\)")
_COMMITS, _PUSHES = re.compile(r"\bcommit (?:the|your|all|fix|chang|it|them|with)\w*", re.I), re.compile(r"\bpush\b", re.I)


def loaded(step: FoldStep, index: int) -> None:
    """Take up a text in the harness' voice that tells what a command or a skill says, where the person called it."""
    text = step.message.parts[index].text
    if step.aside or step.message.role is not Role.USER or not step.state.requests:
        return
    if base := _BASE.match(text):
        _take(step, base["path"].rstrip("/ ").rpartition("/")[2], text[base.end() :])
    elif tagged := _TAGGED.match(text):
        _take(step, tagged["name"].strip(), text[tagged.end() :])
    elif step.state.phase == "person" and step.state.requests[-1].command and not _OTHER.match(text):
        _keep(step, step.state.requests[-1].command.lstrip("/"), text)


def shown(step: FoldStep, part: Part) -> None:
    """Take up a skill's file that the agent reads since the person named it."""
    pending = step.state.pending.get(part.call_id)
    if step.aside or pending is None or part.failed or not step.state.requests:
        return
    path = next((each.path for each in pending.effects if each.action is FileAction.READ and each.path.endswith(f"/{FILE}")), "")
    if path:
        _take(step, path.split("/")[-2], unnumbered(part.text).text)


def ran(step: FoldStep, command: str) -> None:
    """Note the steps that a call is of: each command of it is of the first one from the last that was begun on; where it does the last and
    then the first one, they begin anew."""
    known = step.state.called
    if known is None or step.aside or not known.steps:
        return
    ended = False
    for piece in _PIECES.split(own_words(command)):
        first = 0 if ended else max(known.begun - 1, 0)
        found = ((place, matched(known.steps[place], piece)) for place in range(first, len(known.steps)))
        place, values = next(((place, values) for place, values in found if values is not None), (-1, None))
        if values is None:
            continue
        anew = ended and place == 0
        known = replace(known, begun=1 if anew else max(known.begun, place + 1), values=_agreed(known.values, values))
        ended = not anew and len(known.steps) > 1 and place == len(known.steps) - 1
    step.state.called = known


def dispatched(step: FoldStep, agent: str) -> None:
    """Note the step that says to send something to a sub-agent of this kind."""
    known, name = step.state.called, agent.rpartition(":")[2].lower()
    if known is None or step.aside or "-" not in name:
        return
    places = range(max(known.begun - 1, 0), len(known.steps))
    place = next((each for each in places if name in " ".join((known.steps[each].title, *known.steps[each].lines)).lower()), -1)
    step.state.called = replace(known, begun=max(known.begun, place + 1))


def recalled(step: FoldStep, text: str) -> None:
    """Take up again what a directive tells of such instructions."""
    found = [_TOLD.match(line.strip()) for line in text.split("\n")]
    steps = tuple(CalledStep(int(each["number"]), each["words"]) for each in found if each is not None)
    step.state.called = step.state.called or CalledInstructions(step.seq, "", steps, "" if steps else text[: 2 * SAID])


def own_words(command: str) -> str:
    """A call without the words that it hands on to what it runs."""
    return _HANDED.sub(" ", command)


def filled(words: str, values: tuple[tuple[str, str], ...]) -> str:
    """A command with the values that calls put for its placeholders."""
    known = dict(values)
    return _PLACEHOLDER.sub(lambda found: known.get(_name(found)) or found[0], words)


def _take(step: FoldStep, name: str, text: str) -> None:
    """Keep what a skill says where the person's words or the command they called name it."""
    row, before = step.state.requests[-1], step.state.called
    named = f"{row.command} {row.text.text} {before.said if before is not None and before.seq >= row.seq else ''}".lower()
    spelled = "[-_ ]".join(map(re.escape, re.split(r"[-_ ]", name.lower())))
    if re.search(rf"(?<![\w-]){spelled}(?![\w-])", named) or (_SKILL.search(named) and _stems(name) & _stems(named)):
        _keep(step, name, text)


def _stems(words: str) -> set[str]:
    return {word[:STEM] for word in re.findall(rf"[a-z]{{{STEM},}}", words.lower())}


def _report_asked(text: str) -> str:
    """The report that instructions ask for at their end, by what it is to hold."""
    asked = _REPORTS.search(text)
    rows = [row.strip("|#*`[] ").partition("|")[0].strip() for row in text[asked.end() :].split("\n")[:REPORT_LINES]] if asked else []
    held = "; ".join(row for row in rows if any(map(str.isalpha, row)))
    return f"{asked[1]} {held}"[:REPORT] if asked and held else ""


def _keep(step: FoldStep, name: str, text: str) -> None:
    steps = _bounded(ordered_steps(text))
    inside = " ".join(line for each in steps for line in (each.title, *each.lines))
    lines = [plain(line.strip().lstrip("-*+• ")) for line in text.splitlines() if _BINDS.search(line)]
    binding = [line for line in lines if line[:60] not in inside and not line.startswith(("|", "#", "<")) and len(line) <= BINDING_LINE]
    binding = [line for line in binding if not line.endswith(":")]
    said = gist(text, SAID)[: 2 * SAID] if not steps and len(text) <= SHORT else ""
    binding = [*binding[:BINDING], *filter(None, (_report_asked(text),))]
    step.state.called = CalledInstructions(step.seq, clip(name, 80), steps, said, tuple(binding) if steps else ())


def _bounded(steps: tuple[OrderedStep, ...]) -> tuple[CalledStep, ...]:
    """The steps, without the lines of those that find no room."""
    kept, size = [], 0
    for each in steps:
        whole = CalledStep(each.number, each.title, each.lines, each.commands)
        room = sum(map(len, (each.title, *each.lines, *each.commands)))
        kept.append(whole if size + room <= SIZE else CalledStep(each.number, each.title))
        size += room if size + room <= SIZE else len(each.title)
    return tuple(kept)


def matched(step: CalledStep, command: str) -> dict[str, str] | None:
    """What a call puts for the placeholders of a step's command; None where it is none of its."""
    for template in (*step.commands, *(each for line in (step.title, *step.lines) for each in commands_within(line))):
        found = pattern.search(command) if (pattern := _pattern(template)) is not None else None
        if found is not None:
            return {name: value for name, value in found.groupdict().items() if _VALUE.match(value)}
    words = " ".join((step.title, *step.lines))
    acts = (("git push", _PUSHES), ("git commit", _COMMITS))
    asked = next((act for act, pattern in acts if pattern.search(words)), "")
    return {} if asked and asked in command else None


def commands_within(line: str) -> list[str]:
    """What stands as code in a line and is a command of several words."""
    named = [first or second for first, second in _CODE.findall(line)]
    return [each for each in named if " " in each.strip() and _pattern(each) is not None]


@lru_cache(256)
def _pattern(template: str) -> re.Pattern[str] | None:
    """What finds a call of a command: its first words, with anything for its placeholders."""
    words = _ASSIGNED.sub("", template.strip())
    cut = _HEAD.search(words)
    tokens = [token for token in words[: cut.start() if cut else None].rstrip(") ").split() if not token.startswith("[")][:TOKENS]
    if not tokens or not name_of(tokens[0]) or _PLACEHOLDER.search(tokens[0]) or (len(tokens) == 1 and cut is not None):
        return None
    if not re.fullmatch(r"[\w./-]+", tokens[0]):
        return None
    used: set[str] = set()
    parts = []
    for token in tokens:
        made, end = "", 0
        for found in _PLACEHOLDER.finditer(token):
            name = _name(found)
            made += re.escape(token[end : found.start()]) + (r"[^\s\"'`]+?" if name in used else rf"(?P<{name}>[^\s\"'`]+?)")
            used.add(name)
            end = found.end()
        parts.append(made + re.escape(token[end:]))
    try:
        return re.compile(r"(?<![\w./-])" + r"\s+(?:[^\s|;&]+\s+){0,2}?".join(parts) + r"(?![\w-])")
    except re.error:
        return None


def _name(found: re.Match[str]) -> str:
    """A placeholder's name as one of letters."""
    name = re.sub(r"\W", "_", next(filter(None, found.groups()))).lower()
    return name if not name[0].isdigit() else f"n{name}"


def _agreed(before: tuple[tuple[str, str], ...], values: dict[str, str]) -> tuple[tuple[str, str], ...]:
    known = dict(before)
    for name, value in values.items():
        known[name] = value[:VALUE] if known.get(name, value) == value else ""
    return tuple(known.items())[:VALUES]
