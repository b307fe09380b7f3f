"""The files of a repository in the order in which a request is likely to concern them."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from continuity.packs.facts import Facts, PackRequest, Reader, read_facts
from continuity.packs.matching import query_of
from continuity.packs.signals import Columns, history, mentions, neighbours, texts
from continuity.packs.signals.sessions import EarlierSession, worked_together
from continuity.packs.weights import SQUARED, WEIGHTS
from continuity.repository.limits import DEFAULT, Limits
from continuity.repository.state import RepositoryState


@dataclass(frozen=True, slots=True)
class Ranking:
    """`paths` best first with their `scores`; `facts` of those whose contents were read; `columns` by path in the order of the state."""

    paths: tuple[str, ...]
    scores: Mapping[str, float]
    facts: Mapping[str, Facts]
    columns: Columns


def rank(
    state: RepositoryState,
    prompt: str,
    read: Reader,
    *,
    sessions: Sequence[EarlierSession] = (),
    limits: Limits = DEFAULT,
) -> Ranking:
    """Rank all files of `state` for a request and what led to it. `read` gives the text of a path."""
    paths = tuple(state.files)
    request = PackRequest.of(prompt)
    facts, columns = signals(state, request, read, sessions, limits)
    scores = {path: math.fsum(WEIGHTS.get(name, 0.0) * column[i] for name, column in columns.items()) for i, path in enumerate(paths)}
    return Ranking(tuple(sorted(paths, key=lambda path: (-scores[path], path))), scores, facts, columns)


def signals(
    state: RepositoryState, request: PackRequest, read: Reader, sessions: Sequence[EarlierSession], limits: Limits
) -> tuple[dict[str, Facts], Columns]:
    """All columns; the contents of the files that speak for themselves without being read are read first, as far as limits allow."""
    paths = tuple(state.files)
    known = {path: i for i, path in enumerate(paths)}
    query = query_of(request.terms)
    columns: Columns = {
        **texts.names(paths, query),
        **mentions.mentioned(paths, request),
        **history.recency(state.commits, known),
        **history.messages(state.commits, known, query),
    }
    columns |= history.kinds(paths, columns["changed"])
    facts = read_facts(_first_to_read(paths, columns), {path: file.size for path, file in state.files.items()}, request, read, limits)
    columns |= texts.contents(paths, facts, query)
    columns |= texts.close_reading(paths, columns["content"], request, query, read)
    columns |= mentions.symbols(paths, facts, request)
    seed = neighbours.seeds(columns, len(paths))
    columns |= neighbours.neighbours(paths, state.commits, known, seed, columns["latest"])
    columns |= worked_together(sessions, known, seed)
    columns |= {f"{name}_squared": [value * value for value in columns[name]] for name in SQUARED}
    return facts, columns


def _first_to_read(paths: Sequence[str], columns: Columns) -> list[str]:
    names = ("path", "mentioned", "recent", "message")
    worth = [3 * columns["mentioned"][i] + sum(columns[name][i] for name in names) + 0.1 * columns["kind"][i] for i in range(len(paths))]
    return [paths[i] for i in sorted(range(len(paths)), key=lambda i: (-worth[i], paths[i]))]
