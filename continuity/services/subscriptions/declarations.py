"""Declarations of topics as this process read them last. Who publishes has the statement that stores events compare them with the rows, so
that nothing is ever stored by what was declared before."""

from collections.abc import Collection, Mapping
from uuid import UUID

from continuity.models import Team, Topic

MOST = 1000
_known: dict[tuple[UUID, str], Topic | None] = {}


def of(team: Team, names: Collection[str], *, anew: bool) -> Mapping[str, Topic]:
    """The declarations of these topics; `anew` as they are now, else perhaps as they were. At most one query."""
    remembered = {} if anew else _known.copy()
    found = {name: remembered[team.id, name] for name in names if (team.id, name) in remembered}
    lacking = [name for name in names if name not in found]
    if lacking:
        rows = {topic.name: topic for topic in Topic.objects.filter(team=team, name__in=lacking)}
        found |= {name: rows.get(name) for name in lacking}
        if len(_known) + len(lacking) > MOST:
            _known.clear()
        _known.update({(team.id, name): found[name] for name in lacking})
    return {name: topic for name, topic in found.items() if topic is not None}
