"""The neighbours of the files that other signals speak for: changed with them, tests of them, in their folder."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence

from continuity.packs.matching import scaled
from continuity.packs.paths import folder_of, is_test, topic_of
from continuity.packs.signals import Column, Columns
from continuity.repository.state import Commit

SEEDS, LATEST_SEEDS, FOLDERS = 8, 5, 10
WHOLE = 30  # paths: a commit of more joins too much
SCEPTICAL = 3  # one joint change of a file that was changed once is no rule yet
WEIGHTS = {"content": 0.5, "path": 0.5, "mentioned": 2.0, "defines": 1.0, "like": 0.5, "recent": 0.3}


def seeds(columns: Columns, count: int) -> Column:
    """How likely each file is one that the request is about, by the columns of the other signals."""
    return [sum(weight * columns[name][i] for name, weight in WEIGHTS.items()) for i in range(count)]


def neighbours(paths: Sequence[str], commits: Sequence[Commit], known: Mapping[str, int], seed: Column, latest: Column) -> Columns:
    """The neighbours of files that `seed` speaks for, and of the `latest` changed."""
    return {
        "together": _together(commits, known, seed, SEEDS),
        "together_latest": _together(commits, known, latest, LATEST_SEEDS),
        "beside": _beside(paths, seed),
        "folder": _folder(paths, seed),
        "test": [float(is_test(path)) for path in paths],
    }


def _best(paths: int, seed: Column, number: int) -> list[int]:
    return sorted((i for i in range(paths) if seed[i] > 0), key=lambda i: (-seed[i], i))[:number]


def _together(commits: Sequence[Commit], known: Mapping[str, int], seed: Column, number: int) -> Column:
    """Changed in the same commits as the best by `seed`, as a share of what those were changed."""
    best = frozenset(_best(len(known), seed, number))
    alone: Counter[int] = Counter()
    joint: Counter[tuple[int, int]] = Counter()
    for commit in commits:
        those = [known[path] for path in commit.paths if path in known]
        if len(those) > WHOLE:
            continue
        alone.update(those)
        joint.update((one, other) for one in those if one in best for other in those if other != one)
    column = [0.0] * len(known)
    for (one, other), times in joint.items():
        column[other] += seed[one] * times / (alone[one] + SCEPTICAL)
    return scaled(column)


def _beside(paths: Sequence[str], seed: Column) -> Column:
    """A source and its tests, in one folder."""
    groups: defaultdict[tuple[str, str], list[int]] = defaultdict(list)
    for i, path in enumerate(paths):
        groups[folder_of(path), topic_of(path)].append(i)
    column = [0.0] * len(paths)
    for group in groups.values():
        first, second = ([*sorted((seed[i] for i in group), reverse=True), 0.0])[:2]
        for i in group:
            column[i] = (second if seed[i] == first else first) if len(group) > 1 else 0.0
    return scaled(column)


def _folder(paths: Sequence[str], seed: Column) -> Column:
    folders: Counter[str] = Counter()
    weights: defaultdict[str, float] = defaultdict(float)
    for i in _best(len(paths), seed, FOLDERS):
        folders[folder_of(paths[i])] += 1
        weights[folder_of(paths[i])] += seed[i]
    return scaled([weights[folder] if (folder := folder_of(path)) in folders else 0.0 for path in paths])
