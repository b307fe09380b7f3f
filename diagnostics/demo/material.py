"""The material of the demo's repository for packs: from its files as a session left them."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha1

from continuity.packs.anchor import anchor_facts
from continuity.packs.context import ranked_files
from continuity.packs.delta import counted
from continuity.packs.ranking import rank
from continuity.packs.signals.sessions import EarlierSession
from continuity.repository.changes import FileChange
from continuity.repository.state import Commit, RepositoryFile, RepositoryState
from diagnostics.demo.repository import Tree
from handoffs.packs.serving.material import PackMaterial

REMOTE = "git.tidewatch.example/tidewatch"


def blob_of(text: str) -> str:
    """Git's own name for the contents."""
    kept = text.encode()
    return sha1(b"blob %d\0%s" % (len(kept), kept), usedforsecurity=False).hexdigest()


def state_of(tree: Tree) -> RepositoryState:
    files = {path: RepositoryFile(path, blob_of(text), len(text.encode())) for path, text in sorted(tree.files.items())}
    commits = tuple(Commit(each.id, (), 0, "", each.subject, ()) for each in tree.log)
    return RepositoryState(files, commits, tree.head)


def changed_of(tree: Tree) -> Sequence[FileChange]:
    """Files that no commit holds as they are."""
    return [FileChange(path, tree.committed.get(path), tree.files[path]) for path in tree.dirty]


def digest_of(tree: Tree) -> str:
    """Of all that differs from the commit."""
    told = "".join(f"{path}\0{tree.files[path]}\0" for path in tree.dirty)
    return sha1(told.encode(), usedforsecurity=False).hexdigest()


def material(tree: Tree, asked: str, *, sessions: Sequence[EarlierSession], paths: Sequence[str]) -> PackMaterial:
    """For what was `asked` so far; `sessions` and `paths` are what the server says of earlier work."""
    state = state_of(tree)
    known = []
    for each in sessions:
        edited, read = (tuple(path for path in named if path in state.files) for named in (each.edited, each.read))
        known += [EarlierSession(each.id, each.at, edited, read)] if edited or read else []
    ranking = rank(state, asked, tree.files.get, sessions=known)
    return PackMaterial(
        ranked=tuple(ranked_files(ranking, asked)),
        facts=anchor_facts(state, tree.files.get),
        counted=tuple(map(counted, changed_of(tree))),
        present=tuple(path for path in paths if path in state.files),
    )
