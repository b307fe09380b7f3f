"""The latest commits with the paths that each changed."""

from __future__ import annotations

from continuity.repository.git import Git
from continuity.repository.identity import HASH
from continuity.repository.state import Commit

# Fields of a record; the words of a commit may hold any of these bytes, so they come last and are cut at the end mark alone.
_BEGIN, _BETWEEN = "\x01", "\x02"


def commits(git: Git) -> tuple[Commit, ...]:
    """The commits from HEAD back, at most `limits.commits`; none where there is no commit. What is damaged or absent is passed over. A
    merge stands once for each parent: what it brought to a line of work tells as much as its commits do."""
    limits = git.limits
    form = f"--format={_BEGIN}%H{_BETWEEN}%P{_BETWEEN}%ct{_BETWEEN}%ae{_BETWEEN}%B"
    told = git.read("rev-list", f"--max-count={limits.commits}", form, "HEAD", "--").decode("utf-8", "replace")
    heads = [fields for record in told.split(f"\n{_BEGIN}")[1:] if len(fields := record.split(_BETWEEN, 4)) == 5]
    changed = _changed(git, [fields[0] for fields in heads])
    return tuple(
        Commit(
            id,
            tuple(parents.split()),
            int(at) if at.isdecimal() and len(at) < 12 else 0,
            author,
            _message(words)[: limits.message_characters],
            paths,
        )
        for id, parents, at, author, words in heads
        for paths in changed.get(id, [()])
    )


def _message(words: str) -> str:
    """Without the line that begins the next record."""
    before, _, after = words.rpartition("\ncommit ")
    return (before if before and HASH.match(after) else words).strip()


def _changed(git: Git, ids: list[str]) -> dict[str, list[tuple[str, ...]]]:
    """Paths by commit, for each parent that it differs from: its hash is followed by them."""
    if not ids:
        return {}
    told = git.read("diff-tree", "--stdin", "-m", "--root", "-r", "-z", "--no-renames", "--no-ext-diff", "--name-only", lines=ids)
    paths: dict[str, list[list[str]]] = {}
    now, pending = "", set(ids)
    for raw in told.split(b"\0"):
        word = raw.decode("utf-8", "surrogateescape")
        # Commits without changes are not told of, so any of those still due may come next.
        if word and (word in pending or word == now):
            now = word
            pending.discard(now)
            paths.setdefault(now, []).append([])
        elif now and word and len(paths[now][-1]) < git.limits.commit_files:
            paths[now][-1].append(word)
    return {commit: [tuple(found) for found in each] for commit, each in paths.items()}
