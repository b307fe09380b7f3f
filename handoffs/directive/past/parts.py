"""Parts of the work as lines: what came of each, and those of a list that are done in one line."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from continuity.knowledge.directive_parser.grammar import BETWEEN_STEPS
from continuity.knowledge.evidence import PartState, WorkPart
from continuity.knowledge.language.content_words import content
from continuity.knowledge.model import Knowledge, Quote, Ref, Request, TaskStatus
from continuity.knowledge.requests.ledger import in_work
from continuity.knowledge.requests.steps import failed
from handoffs.budgeting.candidate import Candidate
from handoffs.contract.model import SectionKind
from handoffs.directive.lines.checks import runs, without_idle_result
from handoffs.directive.lines.message_lines import by_itself, message_line, noted_through
from handoffs.directive.lines.quoting import as_data, as_name, instructs, within_quotes
from handoffs.directive.lines.reruns import mended
from handoffs.directive.lines.tasks import REQUEST, open_tasks
from handoffs.directive.lines.wording import clip, clip_said, normalise, one_line

TITLE = 300  # characters of what a part of the work is called
CHECKED = 60  # characters of a command by which its run is known
NAMED = 12
WANTED, MEANT = "wanted: ", 400  # before what a list says of a part, and characters of that where the part is done
DONE_PARTS, DONE_TITLE, DONE_FILES = "parts done", 120, 4  # the label of parts that are done, and what is told of each
WORDS, MORE = 80, 4  # words that are looked at, and those that say more than a title
_TELLS_DONE = re.compile(
    r"\bwhat (?:was|has been|have been|were|is|we|you|i) (?:\w+ ){0,2}(?:done|did|fixed|changed|postponed|implemented|resolved|addressed)"
    r"|\bresolution\b|\b(?:change ?log|release notes|post-?mortem|write-?up|retrospective)\b"
    r"|\b(?:summar(?:y|ise|ize)|report|recap)\b.{0,40}\b(?:of|on|what|changes|work)\b",
    re.I,
)
_FAILED = re.compile(r"` failed\b")
_HASH = re.compile(r"[0-9a-f]{7,40}")


def part_candidates(knowledge: Knowledge, first: int, *, roomy: bool) -> list[Candidate]:
    """Parts of the work with what came of each: those of the request in work beside its tasks, earlier ones in the history. What was wanted
    of one that is done is told at once in a `roomy` directive, and else where room is left."""
    last, noted = max(knowledge.through_seq, 1), noted_through(knowledge)
    closing = {commit: part for part in knowledge.situation.parts for commit in part.commits}  # the last part tells it in full
    found = []
    together: dict[int, list[WorkPart]] = {}  # parts of a list that are done, by the request that they are of
    one_by_one = _asks_what_was_done(knowledge)
    lists = (task for task in knowledge.tasks if task.status is TaskStatus.COMPLETED and task.method != REQUEST and task.last_seq >= first)
    listed = {normalise(each) for task in lists for each in task.steps_done}  # a list that is done is told with its steps

    def of(part: WorkPart) -> int:
        """The message of the request that a part of the work was made for."""
        return next((row.seq for row in knowledge.requests if row.seq <= part.seq <= row.last_seq), part.seq)

    for part in knowledge.situation.parts:
        if not part.title.strip() or (part.last_seq < first and part.state is not PartState.DONE) or _is_open_task(part, knowledge):
            continue
        kind = SectionKind.TASKS if part.last_seq >= first else SectionKind.RECENT
        if part.state is PartState.DONE and not (part.commits or part.wanted or one_by_one) and normalise(part.title) in listed:
            continue
        if kind is SectionKind.RECENT and 0 < part.last_seq <= noted:
            continue
        if kind is SectionKind.RECENT and (not part.commits or is_of_commit(part)):
            continue  # the request that it was a part of tells its files and commits
        if is_of_commit(part) and any(part.commits[-1] in each.text for each in knowledge.situation.commits[-1:]):
            continue  # the last commit is told among what is so now
        if kind is SectionKind.TASKS and part.state is PartState.IN_PROGRESS and not part.wanted:
            continue  # *Now* names it, and tells the files and the check
        alike = [each for each in knowledge.situation.parts if each.state is PartState.DONE and each.title.strip() and of(each) == of(part)]
        broken = _FAILED.search(part.check) and not mended(part.check, _checked_at(part, knowledge.requests), runs(knowledge.situation))
        if part.state is PartState.DONE and len(alike) > 1 and not (broken or (one_by_one and kind is SectionKind.TASKS)):
            together.setdefault(of(part), []).append(part)
            continue
        worth = (0.8 if kind is SectionKind.TASKS else 0.6) + 0.15 * max(part.last_seq, 0) / last
        told = _part(part, knowledge, closing)
        line = by_itself(message_line(kind, "step", Quote(told, Ref(part.seq)), worth), f"{part.id}:{part.title}")
        if part.state is PartState.DONE and _says_more(part):
            fuller = f"{told}{BETWEEN_STEPS}{WANTED}{as_data(clip_said(one_line(part.wanted), MEANT))}"
            whole = line.item._replace(text=fuller)
            at_once = roomy and kind is SectionKind.TASKS
            line = line._replace(item=whole, shorter=(line.item.text,)) if at_once else line._replace(fuller=(whole,))
        found.append(line)
    for seq, parts in together.items():
        kind = SectionKind.TASKS if parts[-1].last_seq >= first else SectionKind.RECENT
        worth = (0.8 if kind is SectionKind.TASKS else 0.6) + 0.15 * max(parts[-1].last_seq, 0) / last
        found.append(_done_together(kind, parts, [each for each in knowledge.situation.parts if each.seq >= seq], worth))
    return found


def is_of_commit(part: WorkPart) -> bool:
    """Whether a part of the work is nothing but what a commit closed, under the words of that."""
    return not part.wanted and _says_title(part.commits[-1:], part.title)


def _asks_what_was_done(knowledge: Knowledge) -> bool:
    """Whether the request in work, or a task that is open, is to tell what was done: then each part of it is needed by itself."""
    wanted = [row.text.text for row in in_work(knowledge.requests)] + [task.description for task in open_tasks(knowledge)]
    return any(_TELLS_DONE.search(text) for text in wanted)


def _done_together(kind: SectionKind, parts: Sequence[WorkPart], of_list: Sequence[WorkPart], worth: float) -> Candidate:
    """The parts of a list that are done, in one line: their titles, and the commits of them; fuller with the files of each."""
    titles = [clip(as_name(part.title), DONE_TITLE) for part in parts]
    count = f"{len(parts)} of {max(len(of_list), len(parts)) if kind is SectionKind.TASKS else len(parts)}: "
    commits = list(dict.fromkeys(commit for part in parts for commit in part.commits))
    known = [title for title, commit in zip(titles, (part.commits[-1:] for part in parts), strict=True) if not _says_title(commit, title)]
    committed = [_committed(commit, "" if known else titles[-1], later=False) for commit in commits[-2:]]

    def told(names: Sequence[str]) -> str:
        return f"{count}{BETWEEN_STEPS.join((*names, *committed))}"

    named = [_names_in(part, title) for title, part in zip(titles, parts, strict=True)]
    fuller = [f"{title} ({', '.join(names)})" if names else title for title, names in zip(titles, named, strict=True)]
    line = by_itself(message_line(kind, DONE_PARTS, Quote(told(titles), Ref(parts[0].seq)), worth), told(titles))
    return line._replace(fuller=(line.item._replace(text=told(fuller)),)) if fuller != titles else line


def _says_title(commits: Sequence[str], title: str) -> bool:
    return any(normalise(commit.partition(" ")[2]) == normalise(title) for commit in commits)


def _names_in(part: WorkPart, title: str) -> list[str]:
    """The files of a part that its title does not name."""
    names = dict.fromkeys(as_name(path.rsplit("/", 1)[-1]) for path in part.files)
    return [name for name in names if name not in title][-DONE_FILES:]


def _says_more(part: WorkPart) -> bool:
    """Whether what a list says of a part is more than its title."""
    title = set(content(part.title, WORDS))
    return len(set(content(part.wanted, WORDS)) - title) >= MORE


def _is_open_task(part: WorkPart, knowledge: Knowledge) -> bool:
    """Whether a task that is still open tells the part: it is about it, or has it among its steps and nothing came of it so far."""
    if part.state is PartState.DONE:
        return False
    title, came = normalise(part.title), part.files or part.commits or part.check or part.wanted
    tasks = open_tasks(knowledge)
    listed = not came and any(normalise(step) == title for task in tasks for step in task.steps_left)
    return listed or any(normalise(task.description).startswith(title) for task in tasks)


def _part(part: WorkPart, knowledge: Knowledge, closing: Mapping[str, WorkPart]) -> str:
    """The part with what came of it; a commit that closes later ones too is named by its hash."""
    title = clip(one_line(part.title), TITLE)
    told = [f"{f'{as_name(part.id)}: ' if part.id else ''}{as_data(title) if instructs(title) else as_name(title)} ({part.state.value})"]
    if part.files:
        told.append(f"changed {', '.join(dict.fromkeys(as_name(path.rsplit('/', 1)[-1]) for path in part.files[-NAMED:]))}")
    told += [_committed(commit, title, later=closing.get(commit, part) is not part) for commit in part.commits[-2:]]
    if part.check and not mended(part.check, _checked_at(part, knowledge.requests), runs(knowledge.situation)):
        told.append(f"check {without_idle_result(one_line(part.check))}")
    if part.wanted and part.state is not PartState.DONE:
        told.append(f"{WANTED}{as_data(clip(one_line(part.wanted), 600))}")
    return BETWEEN_STEPS.join(told)


def _checked_at(part: WorkPart, rows: Sequence[Request]) -> int:
    """The message with which the check of a part began: a commit of it came later, and before that perhaps the run that mended it."""
    command = part.check.partition("` ")[0][:CHECKED]
    steps = [step.seq for row in rows for step in row.steps if failed(step) and step.check.startswith(command)] if command else []
    return max((seq for seq in steps if part.seq <= seq <= part.last_seq), default=part.last_seq)


def _committed(commit: str, title: str, *, later: bool) -> str:
    sign, _, subject = commit.partition(" ")
    if _HASH.fullmatch(sign) and (later or normalise(subject) == normalise(title)):
        return f"committed with {sign}"
    return f"committed “{within_quotes(clip(one_line(commit), TITLE))}”"
