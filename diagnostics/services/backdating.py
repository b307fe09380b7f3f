"""Setting back the times of what was made a moment ago: the only place where rows get times that they were not written at.

Demo data is made through the services, which read the clock themselves; so that it looks like a fortnight, its times are
moved afterwards, all at once, in the transaction that made it. Nothing else may use this.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from django.apps import apps
from django.db import connection, models
from django.utils import timezone

from continuity.models import Team

# Times in the future are so long after the row was made.
AHEAD = frozenset({"expires_at", "due_at", "warn_at", "lease_until"})


@dataclass(slots=True)
class History:
    """What was done when: of each span of real time, by how much it is set back."""

    spans: list[tuple[datetime, datetime, timedelta]] = field(default_factory=list)

    @contextmanager
    def at(self, moment: datetime) -> Iterator[None]:
        """What the block writes is said to have happened from `moment` on."""
        began = timezone.now()
        yield
        self.spans.append((began, timezone.now(), began - moment))

    def set_back(self, team: Team) -> None:
        """Moves every time of the team's rows by the span that it lies in; times ahead move with their row's `created_at`."""
        if not self.spans:
            return
        own = {"continuity.team": "id"}
        moves = []
        for model in apps.get_models():
            by = own.get(model._meta.label_lower) or _team_column(model)
            times = {field.name: str(field.column) for field in model._meta.concrete_fields if isinstance(field, models.DateTimeField)}
            if by is None or not times:
                continue
            for name in sorted(times, key=lambda name: name not in AHEAD):
                known_by = times.get("created_at", times[name]) if name in AHEAD else times[name]
                moves.append(_move(model._meta.db_table, by, times[name], known_by))
        starts, ends, back = zip(*self.spans, strict=True)
        with connection.cursor() as cursor:
            # In one go: sent one by one, the hundred of them take longer than what they do.
            cursor.execute(";".join(moves), [list(starts), list(ends), list(back), team.id] * len(moves))


def _move(table: str, by: str, column: str, known_by: str) -> str:
    named = {name: connection.ops.quote_name(text) for name, text in zip("tbck", (table, by, column, known_by), strict=True)}
    return (
        "UPDATE {t} SET {c} = {t}.{c} - span.back FROM unnest(%s::timestamptz[], %s::timestamptz[], %s::interval[]) "  # noqa: S608
        "AS span(began, ended, back) WHERE {t}.{b} = %s AND {t}.{k} >= span.began AND {t}.{k} <= span.ended".format(**named)
    )


def _team_column(model: type[models.Model]) -> str | None:
    """The column that names the team of a model's rows."""
    found = (field.column for field in model._meta.concrete_fields if field.name == "team" and field.related_model is Team)
    return next(found, None)
