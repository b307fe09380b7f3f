"""What earlier sessions did here: files that they edited and read, lately or for requests like this one."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from continuity.packs.matching import Query, bm25, damped, scaled
from continuity.packs.signals import Columns
from continuity.repository.words import terms, words_of

FADES = 6.0  # sessions after which a file counts a third
NAMES = ("edited", "read", "edited_for_like", "read_for_like")


@dataclass(frozen=True, slots=True)
class EarlierSession:
    """`at` when it last said something (seconds since 1970); `asked` the words of people; paths as the repository has them."""

    id: str
    at: float
    asked: str
    edited: tuple[str, ...]
    read: tuple[str, ...]


def earlier(sessions: Sequence[EarlierSession], known: Mapping[str, int], query: Query) -> Columns:
    """The sessions may stand in any order."""
    columns = {name: [0.0] * len(known) for name in NAMES}
    latest_first = sorted(sessions, key=lambda session: (-session.at, session.id))
    like = scaled(bm25(query, [terms(words_of(session.asked).items()) for session in latest_first], by_length=0.75))
    for age, (session, likeness) in enumerate(zip(latest_first, like, strict=True)):
        for name, paths in (("edited", session.edited), ("read", session.read)):
            those = [known[path] for path in paths if path in known]
            for i in those:
                columns[name][i] += math.exp(-age / FADES) / math.sqrt(len(those))
                columns[f"{name}_for_like"][i] += likeness**2 / math.sqrt(len(those))
    return {name: scaled(column) if name.endswith("like") else damped(column) for name, column in columns.items()}
