"""Code as lines: the newest edits of the unfinished step as they stand, and what was changed in each file in few lines."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import dropwhile

from continuity.knowledge.evidence import CodeEdit, Keeping
from continuity.knowledge.extractors.outcomes.code_sketches import LINE, units, within
from continuity.knowledge.extractors.outcomes.code_sketches import sketch as sketched
from continuity.knowledge.extractors.outcomes.marked_lines import ELIDED, near
from continuity.knowledge.extractors.outcomes.sketch_units import CLOSES, LONGER, TAKEN_OUT, Unit, names_of, new_state, taken_out, units_of
from continuity.knowledge.extractors.shell.paths import is_document, is_test
from continuity.knowledge.model import FileAction, Knowledge, Quote, Ref, RequestKind
from continuity.knowledge.requests.gist import fitting
from continuity.knowledge.requests.ledger import in_work
from handoffs.budgeting.budget import SKETCHED
from handoffs.budgeting.candidate import Candidate
from handoffs.budgeting.limits import LineLimits
from handoffs.contract.model import SectionKind
from handoffs.directive.lines.blocks import block
from handoffs.directive.lines.checks import changed_files
from handoffs.directive.lines.message_lines import by_itself, message_line
from handoffs.directive.lines.quoting import as_name
from handoffs.directive.lines.wording import and_more

NEWEST, OTHERS = 3, 4  # parts of the room of a block that an edit may take, the newest and others
LITTLE_CHANGED = 24  # characters that an edit changes, up to which it is a word
EDITS, ALIKE = 3, 6  # shown, and files of one that was made alike in several
MORE_LINES, MORE_ASKED = (
    "… and more lines, which the file has",
    "… and more lines",
)  # the file may not have those of a call without a result
UNWRITTEN = " (the call that has no result: look whether the file holds it)"
REMOVED = " (these lines are no longer in it)"
BEFORE = 0.3  # what an edit is worth that an earlier request asked for
SHORTLY = 0.4  # what an edit is worth where the budget holds little more than what binds
SKETCHES = 14  # files
WORTH, TESTED, UNSKETCHED = 0.9, 0.7, 0.5  # what a file's sketch is worth, that of a test beside it, and changed lines without one
ROOMY = 2000  # characters of a block in a directive that has room for sketches
FEW, FAILING = 900, 1800  # characters of a sketch where little room is left, and of what was changed before the last check failed
LEAST = 2  # lines that make a sketch
INSIDE = ELIDED  # before lines that stand within something that is not told
GONE = 12  # names of what was taken out
SHORT = 1200  # characters of changed lines that are told without a sketch
WHOLE = {"sketch": "change", SKETCHED: "changed before"}  # what a sketch is called that also has the lines which are gone

_ABOUT_BEFORE = frozenset((RequestKind.QUESTION, RequestKind.CORRECTION))


def code_candidates(knowledge: Knowledge, limits: LineLimits) -> list[Candidate]:
    """The newest edits, those that nobody knows to be written, and a sketch of each changed file."""
    now = knowledge.situation
    rows = in_work(knowledge.requests)
    first = rows[0].seq if rows else 0
    # Of equal ones the latest; but for the last ones, an edit of a word tells nothing.
    telling = [edit for edit in now.edits if not is_document(edit.path) and (_changes_more(edit) or edit.seq == now.edits[-1].seq)]
    named = {each.path for each in now.sketches if is_test(each.path)}  # by its tests
    telling = [edit for edit in telling if edit.path not in named or len(edit.body) <= limits.block // NEWEST]
    latest = sorted(_alike(telling), key=lambda edits: (is_test(edits[-1].path), -edits[-1].seq))[:EDITS]
    share = 1.0 if limits.earlier else SHORTLY
    found = [
        _edit(edits, limits, share * (0.95 - 0.1 * age) * (1.0 if edits[-1].seq >= first else BEFORE), newest=age == 0)
        for age, edits in enumerate(latest)
    ]
    unwritten = _alike([edit for edit in now.unwritten if not is_document(edit.path)])
    found += [_edit(edits, limits, share, newest=True, unwritten=True) for edits in unwritten]
    gone = {file.path for file in changed_files(knowledge) if file.action is FileAction.DELETED}
    sketches = [each for each in now.sketches if each.path not in gone]
    shown = {line for edits in (*latest, *unwritten) for line in edits[-1].body.split("\n")}
    return found + (_sketches(sketches, shown, gone, knowledge, min(1.0, limits.block / ROOMY)) if limits.earlier else [])


def _sketches(sketches: Sequence[CodeEdit], shown: set[str], gone: set[str], knowledge: Knowledge, share: float) -> list[Candidate]:
    """What was changed in each file, the latest first, without the lines that an edit shows."""
    rows = in_work(knowledge.requests)
    first = rows[0].seq if rows else 0
    newest = {each.path: each for each in sorted(sketches, key=lambda each: each.seq)}
    committed = {each.path for each in knowledge.situation.changed if each.keeping is Keeping.COMMITTED}
    last = max((commit.ref.seq for commit in knowledge.situation.commits), default=0)
    check = knowledge.situation.verification
    failed = check.seq if check is not None and check.passed is False else 0
    found: list[Candidate] = []
    little: list[tuple[CodeEdit, list[Unit]]] = []
    opened: set[str] = set()
    for age, sketch in enumerate(sorted(sketches, key=lambda each: -each.seq)[:SKETCHES]):
        told = [unit for unit in units(sketch.body) if not _is_shown(unit, shown)]
        cases = [unit for unit in told if len(unit) == 1] if is_test(sketch.path) and sketch.seq < first else []
        told = cases or told
        worth = share * WORTH * (TESTED if is_test(sketch.path) or is_document(sketch.path) else 1.0) * (1 - 0.04 * age)
        is_open = newest[sketch.path] is sketch and (sketch.seq >= first or (sketch.seq > last and sketch.path not in committed))
        opened |= {sketch.path} if is_open else set()
        hunks = _hunks(sketch, knowledge.situation.hunks, shown) if is_open else []
        bodies = [unit for unit in units_of(hunks if sketch.seq >= first else [], LONGER) if not _is_shown(unit, shown)]
        told = told if sum(map(len, told)) >= LEAST else bodies
        lines, all_lines = _spaced(within(told, FAILING if first <= sketch.seq < failed else FEW)), _spaced(told)
        line = _sketch(sketch, lines, knowledge, first, worth, is_open=is_open) if sum(map(len, told)) >= LEAST else None
        if line is not None:
            fuller = [(_with_removed(sketch, knowledge) if hunks else [], WHOLE[line.item.label])]
            fuller += [(form if form != lines else [], line.item.label) for form in (_spaced(bodies), all_lines)]
            found.append(_with_fuller(line, sketch, fuller))
        elif is_open and told and not is_test(sketch.path):
            little.append((sketch, told))
    return [
        *found,
        *_in_a_line_each(little, first, share),
        *_unsketched([each for each in knowledge.situation.hunks if each.path in newest.keys() - opened - gone], shown, first, share),
    ]


def _in_a_line_each(little: Sequence[tuple[CodeEdit, Sequence[Unit]]], first: int, share: float) -> list[Candidate]:
    """The files in which the request in work changed a line, the first changed first."""
    told = [(sketch, lines) for sketch, units in reversed(little) if sketch.seq >= first and (lines := _spaced(units))]
    if not told:
        return []
    words = "\n".join(f"{as_name(sketch.path.rsplit('/', 1)[-1])}: {' '.join(lines[0].lstrip('+ ').split())}" for sketch, lines in told)
    return [message_line(SectionKind.VERIFICATION, "sketch", Quote(words, Ref(told[-1][0].seq)), share * UNSKETCHED)]


def _unsketched(hunks: Sequence[CodeEdit], shown: set[str], first: int, share: float) -> list[Candidate]:
    """The changed lines of the request in work in files whose sketch tells what was committed meanwhile."""
    found = []
    for hunk in hunks:
        lines = _as_it_stands(hunk.body.split("\n"))
        telling = [line for line in hunk.body.split("\n") if line[:1] in ("+", "-") and any(map(str.isalnum, line)) and line not in shown]
        if hunk.seq >= first and not is_document(hunk.path) and len(telling) >= LEAST and len(hunk.body) <= SHORT:
            words = Quote(_words(hunk, lines), Ref(hunk.seq))
            found.append(by_itself(message_line(SectionKind.VERIFICATION, "sketch", words, share * UNSKETCHED), f"{hunk.path}:{hunk.seq}"))
    return found


def _sketch(sketch: CodeEdit, lines: Sequence[str], knowledge: Knowledge, first: int, worth: float, *, is_open: bool) -> Candidate | None:
    """The line of a sketch; None where git tells it better, or the agent's note tells the history that it would stand in."""
    words = Quote(_words(sketch, lines), Ref(sketch.seq))
    noted = _is_noted(sketch, knowledge)
    if sketch.seq >= first:
        line = message_line(SectionKind.VERIFICATION, "sketch", words, worth)
    elif noted and is_open:
        line = message_line(SectionKind.VERIFICATION, "sketch", words, worth * BEFORE)
    elif noted or _is_committed(sketch, knowledge):
        return None
    else:
        line = message_line(SectionKind.RECENT, SKETCHED, words, worth, seq=_ends(sketch, knowledge))._replace(start=sketch.seq)
    return by_itself(line, f"{sketch.path}:{sketch.seq}")


def _words(sketch: CodeEdit, lines: Sequence[str]) -> str:
    """The name of a file and lines of it; these without their marks where all of them are new, but for what closes them."""
    plain = all(line[:1] == "+" or line[:1] not in ("-", " ") or CLOSES.match(line[1:]) for line in lines)
    told = [line[1:] if line[:1] in ("+", " ") else line for line in lines] if plain else lines
    return "\n".join((f"{as_name(sketch.path.rsplit('/', 1)[-1])}{_removal(lines)}", *told))


def _hunks(sketch: CodeEdit, hunks: Sequence[CodeEdit], shown: set[str]) -> list[str]:
    """The changed lines themselves of the file of a sketch, with their marks; none where an edit shows some of them."""
    lines = next((each.body for each in hunks if each.path == sketch.path and each.seq >= sketch.seq), "").split("\n")
    return [] if any(each in shown for each in lines if any(map(str.isalnum, each))) else lines


def _with_removed(sketch: CodeEdit, knowledge: Knowledge) -> list[str]:
    """The changed lines of a file with those that are gone, where the person asks about the change or corrects it: what was taken out may
    be wanted back, or done in another way. Nothing where no definition was taken out, or the work went on."""
    rows = knowledge.requests
    asked = next((row for row in in_work(rows)[::-1] if row.kind in _ABOUT_BEFORE and not row.files), None)
    if asked is None or not max((row.seq for row in rows if row.seq < asked.seq), default=0) <= sketch.seq < asked.seq:
        return []
    lines = next((each.body for each in knowledge.situation.hunks if each.path == sketch.path and each.seq >= sketch.seq), "").split("\n")
    return lines if taken_out(lines) else []


def _with_fuller(line: Candidate, sketch: CodeEdit, forms: Sequence[tuple[Sequence[str], str]]) -> Candidate:
    """The sketch of a file with what tells more of it, for where room is left."""
    fuller = [line.item._replace(text=block(_words(sketch, lines)), label=label) for lines, label in forms if any(lines)]
    return line._replace(fuller=tuple(fuller))


def _spaced(told: Sequence[Unit]) -> list[str]:
    """The lines of units, those of several lines set off, with a sign where something around them or in them is not told, and in one line
    the names of what was taken out."""
    found: list[str] = []
    gone = [unit[0].removeprefix(TAKEN_OUT) for unit in told if unit[0].startswith(TAKEN_OUT)]
    last: Unit = []
    for whole in told:
        unit = _telling(whole)
        if unit and not unit[0].startswith(TAKEN_OUT):
            inner = [INSIDE] if unit[0][1:2].isspace() and not names_of(unit) and found else []
            found += [*(inner or [""]), *unit] if last and max(len(last), len(unit)) > 1 else [*inner, *unit]
            if found[-1].endswith(" {"):
                found[-1] = f"{found[-1]} {ELIDED} }}"
            last = unit
    return [*found, *_taken_out(gone)]


def _taken_out(names: Sequence[str]) -> list[str]:
    return [f"{TAKEN_OUT}{', '.join(names[:GONE])}{and_more(names, GONE)}"] if names else []


def _as_it_stands(lines: Sequence[str]) -> list[str]:
    """Changed lines without those that are gone: nobody needs to read more of them than the names."""
    return [*_telling(near(new_state(lines))), *_taken_out(taken_out(lines))]


def _telling(lines: Sequence[str]) -> list[str]:
    """The lines from the first that says something: a bracket alone closes what is not told."""
    return list(dropwhile(lambda line: not any(map(str.isalnum, line)), lines))


def _is_shown(unit: Unit, shown: set[str]) -> bool:
    """Whether an edit shows most lines of a unit, which may be shortened here."""
    lines = [line for line in unit if any(map(str.isalnum, line))]
    return sum(line in shown or (len(line) >= LINE and any(each.startswith(line) for each in shown)) for line in lines) * 2 > len(lines)


def _is_committed(sketch: CodeEdit, knowledge: Knowledge) -> bool:
    """Whether what an earlier request changed was committed since: git tells it better."""
    now = knowledge.situation
    if any(each.path == sketch.path and each.keeping is Keeping.COMMITTED for each in now.changed):
        return True
    return any(row.commits and row.seq <= sketch.seq <= row.last_seq for row in knowledge.requests)


def _is_noted(sketch: CodeEdit, knowledge: Knowledge) -> bool:
    """Whether the agent's own note tells the history that an earlier request's sketch belongs to: code within it breaks it up."""
    note = knowledge.note
    return note is not None and sketch.seq <= note.through_seq and any(each.part == "history" for each in note.told)


def _ends(sketch: CodeEdit, knowledge: Knowledge) -> int:
    """The message that ended the request which a sketch belongs to: what was changed stands behind what was said of it."""
    return next((row.last_seq for row in knowledge.requests if row.seq <= sketch.seq <= row.last_seq), sketch.seq)


def _alike(edits: Sequence[CodeEdit]) -> list[list[CodeEdit]]:
    """Edits of the same words together, of each file the last."""
    found: dict[str, dict[str, CodeEdit]] = {}
    for edit in edits:
        of_words = found.setdefault(edit.body, {})
        of_words.pop(edit.path, None)
        of_words[edit.path] = edit
    return [list(each.values()) for each in found.values()]


def _changes_more(edit: CodeEdit) -> bool:
    """Whether an edit changes more than a word."""
    changed = [line[1:].strip() for line in edit.body.split("\n") if line.startswith(("+", "-"))]
    return sum(map(len, changed)) >= LITTLE_CHANGED or edit.created


def _edit(edits: Sequence[CodeEdit], limits: LineLimits, importance: float, *, newest: bool = False, unwritten: bool = False) -> Candidate:
    """An edit of the unfinished step, as it stands, made alike in one file or several; one that is `unwritten` was asked for, and nothing
    tells whether it was done."""
    edit = edits[-1]
    said = UNWRITTEN if unwritten else _removal(edit.body.splitlines())
    place = f"{', '.join(dict.fromkeys(map(_place, edits[-ALIKE:])))}{and_more(edits, ALIKE)}{said}"
    room = limits.block if unwritten else limits.block // (NEWEST if newest else OTHERS)
    more = MORE_ASKED if unwritten else MORE_LINES
    body = edit.body if len(edit.body) <= room else _declared(edit, room, more)
    line = message_line(SectionKind.VERIFICATION, "edit", Quote(f"{place}\n{body}", Ref(edit.seq)), importance)
    return by_itself(line, f"{edit.path}:{edit.body}")  # one message may make several


def _place(edit: CodeEdit) -> str:
    return f"{as_name(edit.path.rsplit('/', 1)[-1])}{f':{edit.line}' if edit.line else ''}{' (new file)' if edit.created else ''}"


def _removal(lines: Sequence[str]) -> str:
    """What says of marked lines that nothing came in the place of those that were taken out."""
    signs = {line[:1] for line in lines if line[1:].strip()}
    return REMOVED if "-" in signs and "+" not in signs else ""


def _declared(edit: CodeEdit, room: int, more: str) -> str:
    """Of an edit that finds no room what it newly defines, and its first lines where it has none: lines picked from all over it
    would look like one piece."""
    lines = edit.body.splitlines()
    told = _spaced(within([unit for unit in units(sketched(edit.path, lines)) if {*names_of(unit)} & {*edit.names}], room))
    return "\n".join((*(told or fitting([line for line in lines if line.strip(" +-")], room)), more))
