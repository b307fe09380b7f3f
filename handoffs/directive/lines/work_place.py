"""The work place as lines: directory, branch, commits, the working tree, what still runs, and commands whose result is still of use."""

from __future__ import annotations

from continuity.knowledge.directive_parser.grammar import BETWEEN_STEPS
from continuity.knowledge.directive_parser.vocabulary import FROM_TOOLS
from continuity.knowledge.extractors.shell.paths import is_scratch
from continuity.knowledge.extractors.tools.commands import tells_version
from continuity.knowledge.model import CommandRun, Knowledge, Quote
from continuity.knowledge.requests.ledger import in_work
from handoffs.budgeting.candidate import Candidate
from handoffs.budgeting.limits import LineLimits
from handoffs.contract.model import SectionKind
from handoffs.directive.lines import message_lines
from handoffs.directive.lines.checks import brief, changed_files, command_words, is_check, is_refused
from handoffs.directive.lines.delivery import commit_words
from handoffs.directive.lines.message_lines import essential_line
from handoffs.directive.lines.quoting import within_quotes
from handoffs.directive.lines.wording import clip, one_line

COMMANDS_SHOWN = 4
VERSION = 0.45


def work_place_candidates(knowledge: Knowledge, limits: LineLimits) -> list[Candidate]:
    """Working directory, branch, commits, what still runs, and the last commands that printed something."""
    now, seq = knowledge.situation, knowledge.through_seq
    found: list[Candidate] = []
    if now.cwd:
        found.append(essential_line(SectionKind.STATE, "cwd", one_line(now.cwd), seq))
    if now.branch:
        found.append(essential_line(SectionKind.STATE, "branch", one_line(now.branch), seq))
    length = limits.result
    told = {commit for row in knowledge.requests for commit in row.commits}  # by the history
    found += [
        message_lines.detail_line(SectionKind.NEXT, "running", within_quotes(clip(one_line(job), length)), seq, 0.96) for job in now.running
    ]
    found += [
        _detail(
            "commit" if commit is now.commits[-1] else "earlier commit",
            clip(commit_words(commit.text, now.branch), length),
            commit.ref.seq,
            0.6 if commit is now.commits[-1] else 0.45,
        )
        for commit in now.commits
        if commit is now.commits[-1] or not limits.earlier or commit.text not in told
    ]
    found += [_detail(label, clip(one_line(tree.text), limits.quote), tree.ref.seq, 0.7) for label, tree in _trees(knowledge)]
    if now.outside:
        changes = BETWEEN_STEPS.join(one_line(change).replace(BETWEEN_STEPS, ", ") for change in now.outside)
        found.append(_detail("outside", changes, seq, 0.75))
    found += [
        _detail("command", command_words(brief(each, now.cwd), length, limits.result // 2), each.seq, _worth(each, seq))
        for each in _commands(knowledge)
    ]
    return found


def _commands(knowledge: Knowledge) -> list[CommandRun]:
    """The latest runs of the request in work that printed something and are no checks, and those that told a version."""
    now, rows = knowledge.situation, in_work(knowledge.requests)
    first = rows[0].seq if rows else 0
    checked = now.verification.command if now.verification else ""
    made = {commit.ref.seq for commit in now.commits}  # their lines tell what these printed
    runs = [run for run in now.recent_commands if run.command != checked and not {run.seq, run.seq + 1} & made and not is_refused(run, now)]
    others = {run.command: run for run in runs if not is_check(run, now)}
    known = sorted((run for run in others.values() if any(map(str.isalnum, run.result))), key=lambda run: run.seq)
    latest = [run for run in known if run.seq >= first][-COMMANDS_SHOWN:]
    return [run for run in known if run not in latest and tells_version(run)] + latest


def _trees(knowledge: Knowledge) -> list[tuple[str, Quote]]:
    """The working tree as it was last seen; what a later commit or edit has overtaken is no longer so."""
    now = knowledge.situation
    later = [commit.ref.seq for commit in now.commits] + [file.last_seq for file in changed_files(knowledge) if not is_scratch(file.path)]
    return [("tree", tree) for tree in now.trees[-1:] if tree.ref.seq >= max(later, default=0)]


def _worth(run: CommandRun, last: int) -> float:
    """What a command is worth: the latest half as much as a decision, those long ago hardly anything, as those of a predecessor; a
    version stays worth knowing."""
    recency = 0.1 + 0.4 * (max(run.seq, 0) / max(last, 1)) ** 4
    return max(recency, VERSION) if tells_version(run) else recency


def _detail(label: str, text: str, seq: int, importance: float) -> Candidate:
    return message_lines.detail_line(SectionKind.STATE, label, within_quotes(text) if label in FROM_TOOLS else text, seq, importance)
