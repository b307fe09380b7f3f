"""Branches and commits, from commands and from what git prints."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import pairwise

from continuity.knowledge.anchors import recording
from continuity.knowledge.evidence import BY_OTHERS, FAST_FORWARD, UNDER_WAY
from continuity.knowledge.extractors.outcomes import code_edits, file_states, work_parts
from continuity.knowledge.extractors.shell.parser import Simple
from continuity.knowledge.extractors.shell.paths import is_temporary
from continuity.knowledge.extractors.tools import worktree
from continuity.knowledge.language.clip import one_line
from continuity.knowledge.language.content_words import stem
from continuity.knowledge.language.word_sets import word_set
from continuity.knowledge.model import AnchorState, AnchorType, CommandRun, Quote, Ref, Truth
from continuity.knowledge.state.step import FoldStep
from continuity.knowledge.tasks import tracking
from continuity.transcripts.base.model import Part

COMMITS, CONFLICTS = 16, 900  # commits kept; characters of the files with conflicts
LOGGED = 12  # lines of a log in which commits of others are sought

_SHORT = frozenset(("-s", "--short", "--porcelain", "--porcelain=v1", "--porcelain=v2"))
_COMMITTED = re.compile(
    r"^\[(?P<branch>[^\]\s]+(?: HEAD)?)(?: \(root-commit\))? (?P<hash>[0-9a-f]{7,40})\] (?P<subject>[^\n]{1,200})", re.M
)
# What is printed of a commit by a program that shortens what git prints, and what says that there was one, or none.
_TOLD_SHORT = re.compile(r"^\W{0,4}(?:ok|done|committed)\b[^\n0-9a-f]{0,20}\b(?P<hash>[0-9a-f]{7,40})\b", re.M | re.I)
_COUNTED = re.compile(r"\b\d+ files? changed\b")
_NONE_MADE = re.compile(
    r"nothing (?:added )?to commit|no changes added|^(?:fatal|error): |\baborting commit|would be overwritten|^CONFLICT", re.M | re.I
)
_CONFLICT = re.compile(r"^CONFLICT \([^)\n]{1,60}\): (?:Merge conflict in )?(?P<file>[^\s:]{1,300})", re.M)
_ONE_LINE = re.compile(r"^(?:\* )?(?P<hash>[0-9a-f]{7,40})(?: \((?P<on>[^)\n]{1,200})\))? (?P<subject>\S[^\n]{0,160})$")
_TO_HEAD = re.compile(r"[\w./@~^-]{1,100}[\w@~^]\.\.(?:HEAD)?")  # what the present branch has more than another one
_HASH = re.compile(r"\b[0-9a-f]{7,40}\b")
_QUIET = frozenset(("-q", "--quiet"))
_SWITCHED = re.compile(r"^Switched to (?:a new )?branch '([^'\n]+)'", re.M)
_UPDATED = re.compile(r"^Updating [0-9a-f]{7,40}\.\.(?P<hash>[0-9a-f]{7,40})", re.M)
_BEGAN = re.compile(r"^(?:Initialized empty|Reinitialized existing) Git repository in ", re.M)
_IN_TEMPORARY = re.compile(r"\b\w*(?:DIR|REPO|ROOT|TREE|WORKSPACE)\w*=[\"']?(?:/private)?/(?:tmp|var/folders|var/tmp)/", re.I)
_ON = re.compile(r"^On branch (\S+)", re.M)
_REFUSABLE = frozenset(("commit", "push", "merge", "rebase", "cherry-pick", "pull", "revert", "am", "tag"))
_NOTHING = re.compile(r"nothing (?:added )?to commit|no changes added|Everything up-to-date|nothing to commit")
_STOPPED = re.compile(
    r"^FAILED: git (?:commit|push)\b|\bhusky - [\w-]{3,30} (?:script|hook) (?:failed|exited)|\bhook (?:declined|exited with code [1-9])"
    r"|^error: failed to push",
    re.M,
)
_PUSH_FAILED = re.compile(r"^ ! \[|failed to push|^To \S+", re.M)
_WRITES = frozenset(("commit", "merge", "cherry-pick", "revert", "rebase", "am", "pull"))
_MOVES = _WRITES | {"push", "stash", "reset", "checkout", "restore", "clean"}
# Words (as stems) of what is told of a tree or branch that these acts change, and of what it is told about.
_OVERTAKEN = {
    **dict.fromkeys(("pull", "merge", "rebase", "reset"), word_set("behind diverged")),
    **dict.fromkeys(("commit", "stash", "checkout", "restore", "clean"), word_set("uncommitted unstaged untracked dirty")),
    "push": word_set("ahead unpushed"),
}
_OVERTAKEN = {verb: frozenset(map(stem, words)) for verb, words in _OVERTAKEN.items()}
_TREE = frozenset(
    map(stem, word_set("commit commits branch main master origin tree worktree files changes status remote upstream checkout"))
)


def observe(step: FoldStep, part: int, commands: list[Simple], text: str, cwd: str = "") -> None:
    """Enter commits and the branch that a successful run of `commands`, begun in `cwd`, printed `text` about."""
    gits = [words for c in commands if (words := after_git(c))]
    if not gits or _goes_elsewhere(commands):
        return
    state = step.state
    did = frozenset(words[0] for words in gits)
    if not did & _WRITES and any(_is_foreign(c.words[1], step) for c in commands if c.program == "cd" and len(c.words) > 1):
        return
    for words in gits:
        if branch := _target(words):
            state.branch = branch
    window = text[:20_000]
    if match := _SWITCHED.search(window) or _ON.search(window):
        state.branch = match[1]
    shown = [words for words in gits if words[0] == "status"]
    silent = len(commands) == 1 and not text.strip() and any(_SHORT & {*words} for words in shown)  # so a clean tree prints
    if shown and (found := "clean" if silent else worktree.tree(window)):
        seen = Quote(found, Ref(step.seq, part))
        state.trees = (*state.trees[:1], seen)
    if shown:
        _under_way(step, window)
    for verb in did:  # carried out at last, or given up
        state.blocked.pop(verb)
    if did & _WRITES or "reset" in did:
        state.blocked.pop(UNDER_WAY)
    before, after = file_states.divided(commands)
    file_states.observed(step, before, text, cwd)
    _commits(step, part, gits, commands, window, did)
    file_states.observed(step, after, text, cwd)
    if "log" in did:
        _others(step, part, gits, window)
    if did & _MOVES:
        _overtake(step, did)
        tracking.acted_out(step, did)


def _under_way(step: FoldStep, text: str) -> None:
    """Keep what a status says of a merge or the like that is not concluded, until a status or a commit tells otherwise."""
    blocked = step.state.blocked
    told = worktree.under_way(text)
    if told:
        for verb in ("merge", "rebase", "cherry-pick"):  # where that one stopped is over
            blocked.pop(verb)
        blocked.put(UNDER_WAY, CommandRun(UNDER_WAY, step.seq, None, None, told))
    elif _ON.search(text):
        blocked.pop(UNDER_WAY)


def _commits(step: FoldStep, part: int, gits: list[list[str]], commands: list[Simple], window: str, did: frozenset[str]) -> None:
    """Enter the commits that a run made."""
    if not did & _WRITES:
        return
    if match := _UPDATED.search(window):
        _keep(step, Quote(f"{match['hash']}{FAST_FORWARD}", Ref(step.seq, part, match.start(), match.end())))
    if "pull" in did or "merge" in did:
        file_states.moved(step)
    made = _told(step, part, window)
    if not made and "commit" in did and (untold := _untold(gits, window)):
        made = [Quote(untold, Ref(step.seq, part))]
    amends = any(words[0] == "commit" and "--amend" in words for words in gits)
    for line in made:
        _made(step, commands, line, window, amends=amends)


def _goes_elsewhere(commands: list[Simple]) -> bool:
    """Whether a run goes to a directory of temporary files first: what git does there is not done in the project."""
    return any(c.program == "cd" and len(c.words) > 1 and is_temporary(f"{c.words[1]}/") for c in commands)


def _is_foreign(place: str, step: FoldStep) -> bool:
    """Whether a directory lies outside of the one that the session works in, and nothing was changed in it: what git shows there is not
    how this work stands."""
    cwd, there = f"{step.state.cwd.rstrip('/')}/", f"{place.rstrip('/')}/"
    if not there.startswith("/") or cwd == "/" or there.startswith(cwd) or cwd.startswith(there):
        return False
    return not any(file.path.startswith(there) for file in step.state.changed.values())


def told(step: FoldStep, part: int, commands: list[Simple], text: str, script: str = "") -> None:
    """Enter commits that a program printed as git does which makes them by itself: a task runner, a script. Not those in a repository
    that was made then, or that `script` names as one among temporary files."""
    if _goes_elsewhere(commands) or _BEGAN.search(text[:20_000]) or _IN_TEMPORARY.search(script):
        return
    for line in _told(step, part, text[:20_000]):
        _made(step, commands, line, text, amends=False)


def stopped_by_hook(commands: list[Simple], text: str) -> bool:
    """Whether a hook stopped a commit or a push though the run itself ended well: a program that wraps git may hide that."""
    if not any((words := after_git(c)) and words[0] in ("commit", "push") for c in commands):
        return False
    window = text[-20_000:]
    return _STOPPED.search(window) is not None and _COMMITTED.search(window) is None


def refused(step: FoldStep, commands: list[Simple], run: CommandRun, text: str) -> None:
    """A commit, push or the like that was not carried out, say by a hook: it stays so until one of its kind succeeds."""
    verbs = [words[0] for c in commands if (words := after_git(c)) and words[0] in _REFUSABLE]
    if verbs and file_states.CLEAN in text[:20_000]:
        file_states.clean(step)
    if not verbs or _NOTHING.search(text):
        return
    if files := [match["file"] for match in _CONFLICT.finditer(text[:20_000])]:
        told = ", ".join(dict.fromkeys(files))
        run = replace(run, result=one_line(f"CONFLICT in {told}", CONFLICTS))
    last = verbs[-1]
    if last == "commit":
        file_states.staged(step, commands, step.state.cwd)
    step.state.blocked.put("commit" if "commit" in verbs and not _PUSH_FAILED.search(text) else last, run)


def _told(step: FoldStep, part: int, window: str) -> list[Quote]:
    """The commits that a text tells as git does."""
    found = list(_COMMITTED.finditer(window))
    for match in found:
        if "HEAD" not in match["branch"]:
            step.state.branch = match["branch"]
    return [Quote(one_line(match.group(), 200), Ref(step.seq, part, match.start(), match.end())) for match in found]


def _made(step: FoldStep, commands: list[Simple], line: Quote, text: str, *, amends: bool) -> None:
    """A commit was made; one that amends takes the place of the last."""
    state = step.state
    if amends and state.commits:
        state.commits = state.commits[:-1]
    _keep(step, line)
    for verb in ("commit", "merge", "rebase", "cherry-pick", UNDER_WAY):  # a commit ends a merge that had conflicts
        state.blocked.pop(verb)
    file_states.committed(step, commands, line.text, text, amends=amends)
    work_parts.committed(step, line.text, amends=amends)
    code_edits.finished(step)
    state.net.clear()


def _others(step: FoldStep, part: int, gits: list[list[str]], text: str) -> None:
    """Commits that a log of the present branch shows above the last one known, or above the one that an earlier log began with: somebody
    else made them since. One that was rebased is known by its subject, and takes its new name."""
    words = next(words for words in gits if words[0] == "log")
    if any(not (word.startswith("-") or word == "HEAD" or _TO_HEAD.fullmatch(word)) for word in words[1:]) or {"--all", "--"} & {*words}:
        return
    shown = [match for line in text.split("\n", LOGGED)[:LOGGED] if (match := _ONE_LINE.match(line))]
    state = step.state
    before, state.head = state.head, shown[0]["hash"][:40] if shown else state.head
    known = {_subject(commit.text): commit for commit in state.commits}
    hashes = [found[0] for commit in state.commits if (found := _HASH.search(commit.text))]
    first = next(
        (n for n, match in enumerate(shown) if match["subject"] in known or any(each.startswith(match["hash"][:7]) for each in hashes)),
        None,
    )
    if first is None and before:
        first = next((n for n, match in enumerate(shown) if before.startswith(match["hash"][:7])), None)
        if first and not any(commit.text.endswith(FAST_FORWARD) for commit in state.commits):
            file_states.committed_by_hand(step)
    if first is None:
        return
    for match in shown[first:]:
        commit = known.get(match["subject"])
        hashed = _HASH.search(commit.text) if commit else None
        if commit and hashed and not match["hash"].startswith(hashed[0][:7]):
            renamed = Quote(commit.text.replace(hashed[0], match["hash"], 1), Ref(step.seq, part))
            state.commits = tuple(renamed if each is commit else each for each in state.commits)
    for match in reversed(shown[:first]):
        state.blocked.pop(UNDER_WAY)
        file_states.moved(step)
        _keep(step, Quote(f"{BY_OTHERS}{match['hash']} {match['subject']}", Ref(step.seq, part)))


def _subject(line: str) -> str:
    """The subject of a commit as it is kept."""
    told = _COMMITTED.match(line)
    return told["subject"] if told else line.removeprefix(BY_OTHERS).partition(" ")[2]


_MESSAGE = re.compile(r"-[a-zA-Z]*m")  # short options whose last takes the message


def _untold(gits: list[list[str]], text: str) -> str:
    """The commit that a run made whose output does not tell it as git does: quiet, cut off, or shortened by another program."""
    if _NONE_MADE.search(text):
        return ""
    words = next(words for words in reversed(gits) if words[0] == "commit")
    message = next((value for option, value in pairwise(words) if option == "--message" or _MESSAGE.fullmatch(option)), "")
    message = message or next((word.partition("=")[2] for word in words if word.startswith("--message=")), "")
    subject = one_line(message.strip().partition("\n")[0], 160)
    short = _TOLD_SHORT.search(text)
    if not short and not _COUNTED.search(text) and not any(word in _QUIET or (_MESSAGE.fullmatch(word) and "q" in word) for word in words):
        return ""
    return f"{short['hash']} {subject}".strip() if short else subject


def _overtake(step: FoldStep, did: frozenset[str]) -> None:
    """What an agent told of the tree or the branch before it moved, and what was looked up of it, is so no longer."""
    said = frozenset(word for verb in did for word in _OVERTAKEN.get(verb, ()))
    for name, item in step.state.open.items():
        if (
            item.truth is Truth.CLAIMED
            and item.type is AnchorType.FACT
            and said.intersection(words := item.words.split())
            and _TREE & {*words}
        ):
            recording.settle(step, step.state.open, name, AnchorState.RESOLVED)
    step.state.looked = tuple(look for look in step.state.looked if not look.text.startswith("git "))


def committed(step: FoldStep, index: int, part: Part, *, undone: bool) -> None:
    """Enter a commit that the harness made by itself, or take one back that it removed; the result tells its hash and its message."""
    name = str(part.data.get("commit") or "")
    if undone and name:
        step.state.commits = tuple(commit for commit in step.state.commits if name not in commit.text)
        ref = Ref(step.seq, index, 0, len(part.text))
        recording.found(step, AnchorType.FAILED_APPROACH, part.text, ref, 0.7, Truth.OBSERVED, "failed.undone")
    elif name and name in part.text:
        words = one_line(part.text, 200)
        _made(step, [], Quote(words, Ref(step.seq, index, 0, len(words))), "", amends=False)


def after_git(command: Simple) -> list[str]:
    """The words behind `git`; none of another program."""
    return command.words[1:] if command.program in ("git", "git.exe", "hub") else []


def moves(command: Simple) -> bool:
    """Whether a command of git changes commits or the tree, which is told otherwise."""
    return any(word in _MOVES for word in after_git(command)[:1])


def _keep(step: FoldStep, line: Quote) -> None:
    step.state.commits = (*[c for c in step.state.commits if c.text != line.text], line)[-COMMITS:]


def _target(words: list[str]) -> str:
    """The branch that `git checkout` or `git switch` names, where it can be nothing but a branch."""
    if words[0] not in ("checkout", "switch") or "--" in words:
        return ""
    names = [w for w in words[1:] if not w.startswith("-")]
    creates = any(w in ("-b", "-B", "-c", "-C", "--create") for w in words[1:])
    if creates and names:
        return names[0]
    return names[0] if words[0] == "switch" and len(names) == 1 and "--detach" not in words else ""
