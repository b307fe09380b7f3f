"""Which changed files are committed, as far as git's own results tell. "Uncommitted" only where that is certain."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from itertools import pairwise

from continuity.knowledge.evidence import ChangedFile, Keeping
from continuity.knowledge.extractors.shell.parser import Simple
from continuity.knowledge.extractors.shell.paths import is_path, join, relative
from continuity.knowledge.language.word_sets import word_set
from continuity.knowledge.model import FileAction
from continuity.knowledge.state.step import FoldStep

CLEAN = "nothing to commit, working tree clean"
COMMIT = 60  # characters of what a commit is called by
READ = 12_000  # characters of an output
LISTED = 200  # lines of a listing

_NAME = re.compile(r"^\[[^\]\n]*?(?P<hash>[0-9a-f]{7,40})\]")
_COUNT = re.compile(r"^ ?(?P<count>\d{1,6}) files? changed\b", re.M)
_DIFF = re.compile(r"^diff --git a/(?P<path>\S+) b/", re.M)
_STAT = re.compile(r"^ (?P<path>\S[^|\n]{0,300}?) +\| +(?:\d|Bin)", re.M)
_ENTRY = re.compile(r"^(?P<code>[ MADRCU?!]{2}) (?P<path>\S[^\n]*)$")
_LONG = re.compile(
    r"^\t(?:(?:new file|modified|deleted|renamed|typechange|copied|both \w+|(?:added|deleted) by \w+):\s+)?(?P<path>\S[^\n]*)$"
)
_SECTIONS = {"Changes to be committed:": Keeping.STAGED, "Untracked files:": Keeping.UNKNOWN}
_FILE = re.compile(r"\.[A-Za-z]\w*$|/$")
_CUT = frozenset(("head", "tail", "grep", "rg", "sed", "awk"))
_ALL = frozenset(("-A", "--all", ".", ":/", "-u", "--update", "-Av"))
# Options of a commit whose value is the next word.
_VALUED = re.compile(r"-[a-z]*[mFCct]")
_VALUED_LONG = word_set(
    "--message --file --author --date --template --reuse-message --reedit-message --fixup --squash --cleanup --trailer --pathspec-from-file"
)
_IN_INDEX = frozenset((Keeping.STAGED, Keeping.EDITED_AGAIN))
_OPEN = frozenset((Keeping.UNCOMMITTED, Keeping.UNKNOWN)) | _IN_INDEX
_GONE_BACK = re.compile(r"HEAD(?:~\d?|\^)")


def touched(step: FoldStep, path: str, action: FileAction, before: str = "") -> None:
    """A tool changed a path, which stood under the name `before`: what was known of it is so no longer."""
    if action is FileAction.READ:
        return
    step.state.edited = step.seq
    if action is FileAction.DELETED:
        for key in [key for key in step.state.changed if key.startswith(f"{path}/")]:
            step.state.changed.pop(key)
    if action is FileAction.DELETED and _was_new(step, path):
        step.state.changed.pop(path)
        return
    if before:
        _put(step, ChangedFile(before, Keeping.UNCOMMITTED, step.seq))
    known = step.state.changed.get(path)
    again = known is not None and known.keeping in _IN_INDEX
    _put(step, ChangedFile(path, Keeping.EDITED_AGAIN if again else Keeping.UNCOMMITTED, step.seq))


def _was_new(step: FoldStep, path: str) -> bool:
    """Whether a path was created here, and nothing was committed since: to git there never was such a file."""
    created = step.state.touches.among((f"{FileAction.CREATED}:{path}",))
    return bool(created) and not any(commit.ref.seq > created[0].seq for commit in step.state.commits)


def divided(commands: list[Simple]) -> tuple[list[Simple], list[Simple]]:
    """The commands up to the last commit, and those behind it; all of them come before where there is none."""
    last = next((n for n in reversed(range(len(commands))) if commands[n].words[:2] == ["git", "commit"]), len(commands))
    return commands[: last + 1], commands[last + 1 :]


def observed(step: FoldStep, commands: list[Simple], text: str, cwd: str) -> None:
    """What a successful run of git commands, in order, says of the files."""
    window = text[:READ]
    cut = any(each.program in _CUT for each in commands)
    for command in commands:
        if command.program == "cd" and len(command.words) > 1:
            cwd = join(cwd, command.words[1])
        words = command.words[1:] if command.program in ("git", "hub") else []
        if not words:
            continue
        verb, rest = words[0], words[1:]
        paths = [_known(step, path, cwd) for path in rest if is_path(path) and path not in ("HEAD", "--")]
        if verb in ("add", "stage"):
            _staged(step, rest, paths)
        elif verb == "status":
            whole, listed = not cut and not paths, _of_status(window)
            if whole and not listed and _is_clean(window):
                clean(step)
            else:
                _listed(step, listed, cwd, whole=whole)
        elif verb == "diff" and not _of_revisions(rest):
            found = [match["path"] for pattern in (_DIFF, _STAT) for match in pattern.finditer(window)]
            names = window.splitlines()[:LISTED] if "--name-only" in rest else []
            _listed(step, [(path, Keeping.UNCOMMITTED) for path in (*found, *names)], cwd, whole=False)
        elif verb == "stash":
            _stashed(step, rest)
        elif verb in ("checkout", "restore") and "--staged" not in rest:
            _restored(step, verb, rest, paths)
        elif verb == "reset":
            _reset(step, rest)


def committed(step: FoldStep, commands: list[Simple], line: str, text: str, *, amends: bool) -> None:
    """A commit was made: `line` is how git told it, `commands` those that made it."""
    match = _NAME.match(line)
    name = (match["hash"] if match else line)[:COMMIT]
    changed = step.state.changed
    if amends:
        last = next((each.commit for _, each in changed.latest() if each.commit), "")
        for key, each in changed.items():
            if last and each.commit == last:
                changed.replace(key, replace(each, commit=name))
    everything, named = _meant(commands)
    again = [(key, each) for key, each in changed.items() if each.keeping is Keeping.EDITED_AGAIN and not everything]
    for key, each in again:  # what was staged of it is in the commit, the rest is not
        changed.replace(key, ChangedFile(each.path, Keeping.UNCOMMITTED, step.seq))
    open_ones = [(key, each) for key, each in changed.items() if each.keeping in _OPEN]
    staged = [(key, each) for key, each in open_ones if each.keeping is Keeping.STAGED or any(_under(each.path, path) for path in named)]
    counted = _COUNT.search(text[:READ])
    count = int(counted["count"]) if counted else 0
    taken = open_ones if everything or (not staged and not again and count >= len(open_ones)) else staged
    for key, each in taken:
        changed.replace(key, ChangedFile(each.path, Keeping.COMMITTED, step.seq, name))
    if not everything and (not (staged or again) or (count and count != len(staged) + len(again))):
        _doubt(step)


def moved(step: FoldStep) -> None:
    """Commits were made, or came, by somebody else: what is not known to be committed may be by now."""
    _doubt(step)


def committed_by_hand(step: FoldStep) -> None:
    """The person committed by hand: what was staged is in it."""
    for key, each in step.state.changed.items():
        if each.keeping in _IN_INDEX:
            left = Keeping.COMMITTED if each.keeping is Keeping.STAGED else Keeping.UNKNOWN
            step.state.changed.replace(key, replace(each, keeping=left))


def mark_unsure(step: FoldStep, path: str) -> None:
    """A path may be as it was committed."""
    if (each := step.state.changed.get(path)) is not None:
        step.state.changed.replace(path, replace(each, keeping=Keeping.UNKNOWN))


def _doubt(step: FoldStep) -> None:
    changed = step.state.changed
    for key, each in changed.items():
        if each.keeping is Keeping.UNCOMMITTED or each.keeping in _IN_INDEX:
            changed.replace(key, replace(each, keeping=Keeping.UNKNOWN))


def now(changed: Iterable[ChangedFile], turn_seq: int, cwd: str) -> tuple[ChangedFile, ...]:
    """The files as they can be told, without those outside of the tree where it is known where that is: what was edited before the
    person spoke last, and was not shown by git since, is not certain."""
    return tuple(
        replace(each, keeping=Keeping.UNKNOWN) if each.keeping is Keeping.UNCOMMITTED and not each.shown and each.seq < turn_seq else each
        for each in changed
        if not (cwd and each.path.startswith(("/", "~", "../")))
    )


def _staged(step: FoldStep, options: list[str], paths: list[str]) -> None:
    changed = step.state.changed
    for key, each in changed.items():
        if each.keeping in _OPEN and (_ALL & {*options} or any(_under(each.path, path) for path in paths)):
            changed.replace(key, replace(each, keeping=Keeping.STAGED))


def _meant(commands: list[Simple]) -> tuple[bool, list[str]]:
    """Whether a commit takes everything, and the paths that it names."""
    everything = False
    named: list[str] = []
    for command in commands:
        words = command.words[1:] if command.program in ("git", "hub") else []
        if words[:1] in (["add"], ["stage"]) and _ALL & {*words}:
            everything = True
        if words[:1] == ["commit"]:
            options = [w for w in words[1:] if w.startswith("-")]
            everything = everything or any(w == "--all" or re.fullmatch(r"-[a-z]*a[a-z]*", w) for w in options)
            named += _named(words[1:])
    return everything, named


def _named(words: list[str]) -> list[str]:
    """The paths that a commit names, perhaps behind "--"."""
    if "--" in words:
        return words[words.index("--") + 1 :]
    return [
        word
        for before, word in pairwise(("", *words))
        if not word.startswith("-") and not (_VALUED.fullmatch(before) or before in _VALUED_LONG)
    ]


def _of_status(text: str) -> list[tuple[str, Keeping]]:
    """The paths that a status lists, and how each stands; UNKNOWN for what git does not keep yet."""
    found: list[tuple[str, Keeping]] = []
    section = ""
    for line in text.splitlines()[:LISTED]:
        if line.endswith(":") and not line.startswith((" ", "\t")):
            section = line
        elif (entry := _LONG.match(line)) and section:
            found.append((entry["path"].rpartition(" -> ")[2], _SECTIONS.get(section, Keeping.UNCOMMITTED)))
        elif (short := _ENTRY.match(line)) and short["code"].strip():
            code = short["code"]
            how = Keeping.UNKNOWN if code == "??" else Keeping.STAGED if code[1] == " " else _unstaged(code)
            found.append((short["path"].rpartition(" -> ")[2].strip('"'), how))
    return found


def _unstaged(code: str) -> Keeping:
    return Keeping.EDITED_AGAIN if code[0] in "MARC" and code[1] in "MD" else Keeping.UNCOMMITTED


def _listed(step: FoldStep, paths: list[tuple[str, Keeping]], cwd: str, *, whole: bool) -> None:
    """Git lists these as changed: that is certain. Of what a whole listing leaves out, what was tracked is committed."""
    changed = step.state.changed
    known = changed.items()
    seen: set[str] = set()
    for shown, how in paths:
        hits = [(key, each) for key, each in known if _same(each.path, shown, cwd, step.state.root)]
        for key, each in hits:
            seen.add(key)
            keeping = Keeping.UNCOMMITTED if how is Keeping.UNKNOWN else how
            changed.replace(key, replace(each, keeping=keeping, seq=step.seq, shown=True))
        if not hits and how is not Keeping.UNKNOWN and not shown.endswith("/"):
            path = relative(shown, cwd, step.state.root)
            _put(step, ChangedFile(path, how, step.seq, shown=True))
            seen.add(path)
    if not whole:
        return
    for key, each in known:
        if key not in seen and each.keeping in _OPEN and not each.path.startswith(("/", "~")):
            was_listed = each.shown or each.keeping in _IN_INDEX
            left = Keeping.COMMITTED if was_listed else Keeping.UNKNOWN
            changed.replace(key, ChangedFile(each.path, left, step.seq))


def _is_clean(text: str) -> bool:
    """Whether a status lists nothing because there is nothing to list; a program that wraps git may list in a way of its own."""
    return CLEAN in text or all(line.startswith("## ") for line in text.splitlines() if line.strip())


def staged(step: FoldStep, commands: list[Simple], cwd: str) -> None:
    """Enter what `git add` staged before a commit that was refused."""
    adds = [each for each in commands if each.words[1:2] in (["add"], ["stage"]) and each.program in ("git", "hub")]
    observed(step, adds, "", cwd)


def clean(step: FoldStep) -> None:
    """Git lists no change at all: what was changed in the tree is committed, or as it was before."""
    for key, each in step.state.changed.items():
        if each.keeping in _OPEN and not each.path.startswith(("/", "~")):
            step.state.changed.replace(key, ChangedFile(each.path, Keeping.COMMITTED, step.seq))


def _stashed(step: FoldStep, words: list[str]) -> None:
    verb = next((word for word in words if not word.startswith("-")), "push")
    before, after = {
        "push": (_OPEN, Keeping.STASHED), "save": (_OPEN, Keeping.STASHED),
        "pop": (frozenset((Keeping.STASHED,)), Keeping.UNCOMMITTED), "apply": (frozenset((Keeping.STASHED,)), Keeping.UNCOMMITTED),
        "drop": (frozenset((Keeping.STASHED,)), None), "clear": (frozenset((Keeping.STASHED,)), None),
    }.get(verb, (frozenset(), None))  # fmt: skip
    for key, each in step.state.changed.items():
        if each.keeping in before:
            if after is None:
                step.state.changed.pop(key)
            else:
                step.state.changed.replace(key, ChangedFile(each.path, after, step.seq))


def _restored(step: FoldStep, verb: str, words: list[str], paths: list[str]) -> None:
    """Changes of the named paths were thrown away."""
    if verb == "checkout" and "--" not in words and not paths:
        return
    whole = "." in words
    if verb == "checkout" and "--" not in words and not whole and not any(path in step.state.changed for path in paths):
        return  # a branch
    for key, each in step.state.changed.items():
        if each.keeping in _OPEN and (whole or any(_under(each.path, path) for path in paths)):
            step.state.changed.pop(key)


def _reset(step: FoldStep, words: list[str]) -> None:
    hard = "--hard" in words
    back = any(_GONE_BACK.fullmatch(word) for word in words)
    last = next((each.commit for _, each in step.state.changed.latest() if each.keeping is Keeping.COMMITTED and each.commit), "")
    for key, each in step.state.changed.items():
        undone = back and last and each.commit == last
        if hard and (each.keeping in _OPEN or undone):
            step.state.changed.pop(key)
        elif undone or each.keeping in _IN_INDEX:
            step.state.changed.replace(key, ChangedFile(each.path, Keeping.UNCOMMITTED, step.seq, shown=True))


def _put(step: FoldStep, file: ChangedFile) -> None:
    step.state.changed.put(file.path, file)


def _known(step: FoldStep, path: str, cwd: str) -> str:
    return relative(path, cwd, step.state.root)


def _under(path: str, named: str) -> bool:
    named = named.rstrip("/")
    return path == named or path.startswith(f"{named}/") or (named.count("/") > 0 and path.endswith(f"/{named}"))


def _same(path: str, shown: str, cwd: str, root: str) -> bool:
    """Whether git means the path: it tells paths from the directory it runs in, or from its own root."""
    if shown.endswith("/"):
        return path.startswith((shown, relative(shown, cwd, root) + "/")) or f"/{shown}" in path
    told = relative(shown, cwd, root)
    bare = shown.lstrip("./")
    return path in (shown, told) or ("/" in bare and path.endswith(f"/{bare}")) or ("/" in path and shown.endswith(f"/{path}"))


def _of_revisions(words: list[str]) -> bool:
    """Whether a diff compares commits, not the working tree."""
    before = words[: words.index("--")] if "--" in words else words
    names = [word for word in before if not word.startswith("-") and word not in ("HEAD", ".")]
    return "--no-index" in words or any(".." in word or not _FILE.search(word) for word in names)
