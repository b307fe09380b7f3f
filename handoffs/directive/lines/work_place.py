"""How the work stands, among what is so now: directory, branch, the last commit, what is not committed, what was made elsewhere and what
still runs. And the rest of the work place: earlier commits, what was changed elsewhere, and commands whose result is still of use."""

from __future__ import annotations

import re
from collections.abc import Sequence

from continuity.knowledge.directive_parser.grammar import BETWEEN_STEPS, PROBABLY
from continuity.knowledge.directive_parser.vocabulary import FROM_TOOLS
from continuity.knowledge.evidence import UNDER_WAY, Keeping, MadeOutside
from continuity.knowledge.extractors.shell.paths import is_scratch
from continuity.knowledge.extractors.tools.commands import tells_version
from continuity.knowledge.model import CommandRun, FileAction, Knowledge, Quote, Ref
from continuity.knowledge.requests.ledger import in_work
from handoffs.budgeting.candidate import Candidate
from handoffs.budgeting.limits import LineLimits
from handoffs.contract.model import SectionKind
from handoffs.directive.lines.checks import brief, changed_files, command_words, is_absolute, is_check, is_refused, shows_code
from handoffs.directive.lines.delivery import commit_words
from handoffs.directive.lines.message_lines import detail_line, essential_line
from handoffs.directive.lines.note import noted_committed, noted_uncommitted
from handoffs.directive.lines.quoting import as_name, within_quotes
from handoffs.directive.lines.reruns import passed_since
from handoffs.directive.lines.wording import clip, one_line

COMMANDS_SHOWN, RESULTS = 4, 3
VERSION = 0.45
NAMED = 20  # files that are not committed
MADE = 16  # of one kind, made elsewhere
# The labels of the lines that tell how the work stands, in their order.
STATUS = ("cwd", "branch", "commit", "tree at first", "tree", "uncommitted", "unknown", "made outside")
CHECKED = ("check", "also checked", "not run", "never checked", "merging", "blocked", "failing", "asked for", "did", "nothing open")
UNSETTLED = frozenset((Keeping.UNCOMMITTED, Keeping.EDITED_AGAIN, Keeping.UNKNOWN))
CERTAIN = {
    Keeping.UNCOMMITTED: "",
    Keeping.STAGED: " (staged)",
    Keeping.EDITED_AGAIN: " (staged and edited since)",
    Keeping.STASHED: " (stashed)",
}
DELETED = " (deleted)"
COMMENT = "comment"  # the kind of what is made by an answer
_POSTS = re.compile(r"gh api (?:\S*/(?:comments|replies|reviews)(?:, |$))+")


def work_place_candidates(knowledge: Knowledge, limits: LineLimits) -> list[Candidate]:
    """Working directory, branch, commits, what is not committed, what was made elsewhere, what still runs, and the last commands that
    printed something."""
    now, seq = knowledge.situation, knowledge.through_seq
    found: list[Candidate] = []
    if now.cwd:
        found.append(essential_line(SectionKind.NEXT, "cwd", one_line(now.cwd), seq))
    if now.branch:
        found.append(essential_line(SectionKind.NEXT, "branch", one_line(now.branch), seq))
    length = limits.result
    told = {commit for row in knowledge.requests for commit in row.commits}  # by the history
    for commit in now.commits:
        words = clip(commit_words(commit.text, now.branch), length)
        if commit is now.commits[-1]:
            found.append(_detail(SectionKind.NEXT, "commit", words, commit.ref.seq, 0.8))
        elif not limits.earlier or commit.text not in told:
            found.append(_detail(SectionKind.STATE, "earlier commit", words, commit.ref.seq, 0.45))
    found += [_detail(SectionKind.NEXT, "tree", clip(one_line(tree.text), limits.quote), tree.ref.seq, 0.7) for tree in _trees(knowledge)]
    found += _uncommitted(knowledge)
    if now.made:
        found.append(detail_line(SectionKind.NEXT, "made outside", _made_outside(now.made), now.made[-1].seq, 0.7))
    found += [_detail(SectionKind.NEXT, "running", clip(one_line(job), length), seq, 0.96) for job in now.running]
    comments = any(each.kind == COMMENT for each in now.made)  # which the line of what was made tells one by one
    if outside := [change for change in now.outside if not (comments and _POSTS.fullmatch(change))]:
        changes = BETWEEN_STEPS.join(one_line(change).replace(BETWEEN_STEPS, ", ") for change in outside)
        found.append(_detail(SectionKind.STATE, "outside", changes, seq, 0.75))
    found += [
        _detail(SectionKind.STATE, "command", command_words(brief(each, now.cwd), length, limits.result // 2), each.seq, _worth(each, seq))
        for each in _commands(knowledge)
    ]
    return found


def _uncommitted(knowledge: Knowledge) -> list[Candidate]:
    """One list of the files that are certainly not committed, and then of those of which nothing tells; not where the agent's note on the
    present tells it."""
    last: dict[str, int] = {}
    for file in knowledge.files:
        last[file.path] = max(file.last_seq, last.get(file.path, file.last_seq))
    made = {file.path for file in knowledge.files if file.action is FileAction.CREATED}
    touched = {file.path for file in changed_files(knowledge)}
    gone = {file.path for file in knowledge.files if file.action is FileAction.DELETED and file.last_seq == last[file.path]}
    changed = [file for file in knowledge.situation.changed if not is_scratch(file.path) and not (file.path in gone and file.path in made)]
    paths = [file.path for file in changed if file.keeping in UNSETTLED]
    noted = noted_uncommitted(knowledge, paths) | noted_committed(knowledge, [file.path for file in changed])
    changed = [file for file in changed if file.path not in noted]
    told = []
    for kept in (CERTAIN, {Keeping.UNKNOWN: ""}):
        kept_so = [file for file in changed if file.keeping in kept]
        own = [file for file in kept_so if file.path in touched]  # those that the session itself changed come first where there are many
        named = (own if own and len(kept_so) > NAMED else kept_so)[-NAMED:]
        names = [f"{one_line(_path(file.path, knowledge))}{DELETED if file.path in gone else kept[file.keeping]}" for file in named]
        told.append(f"{', '.join(names)}{f' and {left} more' if (left := len(kept_so) - len(named)) else ''}" if names else "")
    if not any(told):
        return []
    label = "uncommitted" if told[0] else "unknown"
    seq = max(file.seq for file in changed if file.keeping in CERTAIN or file.keeping is Keeping.UNKNOWN)
    return [detail_line(SectionKind.NEXT, label, PROBABLY.join(filter(None, told)), seq, 0.95)]


def _path(path: str, knowledge: Knowledge) -> str:
    """A path from the working directory, and the whole of it where it lies outside."""
    now = knowledge.situation
    outside = now.elsewhere and not is_absolute(path)
    return f"{now.elsewhere}/{path}" if outside else path.removeprefix(now.cwd.rstrip("/") + "/")


def _made_outside(made: Sequence[MadeOutside]) -> str:
    """Each thing that was made; those of one kind at one place together by their ids, the latest where they are very many."""
    alike: dict[tuple[str, str], list[MadeOutside]] = {}
    for each in made:
        place = each.url.partition("#")[0] if each.id and each.url.endswith(each.id) and "#" in each.url else each.url
        alike.setdefault((each.kind, place), []).append(each)
    told: list[str] = []
    for (kind, place), group in alike.items():
        ids = list(dict.fromkeys(as_name(each.id) for each in group))
        if len(ids) == 1 or not all(ids):
            told += dict.fromkeys(as_name(_made_name(each)) for each in group[-MADE:])
            continue
        earlier = f", {left} earlier" if (left := len(ids) - MADE) > 0 else ""
        where = f" at {as_name(place)}" if place else ""
        told.append(f"{len(ids)} {as_name(kind)}s{where}: {', '.join(ids[-MADE:])}{earlier}")
    return BETWEEN_STEPS.join(told)


def _made_name(each: MadeOutside) -> str:
    """What was made, by its kind and address, or its number where that does not end with it."""
    number = "" if each.url.endswith(f"/{each.id.lstrip('#!')}") else each.id
    return " ".join(filter(None, (each.kind, number, each.url)))


def _commands(knowledge: Knowledge) -> list[CommandRun]:
    """The latest runs of the request in work that printed something and are no checks, and those that told a version."""
    now, rows = knowledge.situation, in_work(knowledge.requests)
    first = rows[0].seq if rows else 0
    checked = now.verification.command if now.verification else ""
    made = {each.ref.seq for each in (*now.commits, *now.results[-RESULTS:])}  # their lines tell what these printed
    runs = [run for run in now.recent_commands if run.command != checked and not {run.seq, run.seq + 1} & made and not is_refused(run, now)]
    others = {run.command: run for run in runs if not is_check(run, now)}
    telling = (run for run in others.values() if any(map(str.isalnum, run.result)) and not (run.passed and shows_code(run.result)))
    over = [*now.recent_commands, *now.checks]
    known = sorted((run for run in telling if not (run.passed is False and passed_since(run, over))), key=lambda run: run.seq)
    latest = [run for run in known if run.seq >= first][-COMMANDS_SHOWN:]
    return [run for run in known if run not in latest and tells_version(run)] + latest


def _trees(knowledge: Knowledge) -> list[Quote]:
    """The working tree as last seen, or what git said of a merge that is not concluded; what a later commit or edit has overtaken, or
    one whose result is out, is no longer so."""
    now = knowledge.situation
    later = [commit.ref.seq for commit in now.commits] + [file.last_seq for file in changed_files(knowledge) if not is_scratch(file.path)]
    later += [edit.seq for edit in now.unwritten]
    trees = [tree for tree in now.trees[-1:] if tree.ref.seq >= max(later, default=0)]
    under_way = next((Quote(run.result, Ref(run.seq)) for run in now.blocked if run.command == UNDER_WAY), None)
    return [under_way] if under_way else trees


def _worth(run: CommandRun, last: int) -> float:
    """What a command is worth: the latest half as much as a decision, those long ago hardly anything, as those of a predecessor; a
    version stays worth knowing."""
    recency = 0.1 + 0.4 * (max(run.seq, 0) / max(last, 1)) ** 4
    return max(recency, VERSION) if tells_version(run) else recency


def _detail(kind: SectionKind, label: str, text: str, seq: int, importance: float) -> Candidate:
    return detail_line(kind, label, within_quotes(text) if label in FROM_TOOLS else text, seq, importance)
