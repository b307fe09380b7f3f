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
        moves = []
        for model in apps.get_models():
            of_team = _of_team(model)
            times = {field.name: str(field.column) for field in model._meta.concrete_fields if isinstance(field, models.DateTimeField)}
            if of_team is None or not times:
                continue
            for name in sorted(times, key=lambda name: name not in AHEAD):
                known_by = times.get("created_at", times[name]) if name in AHEAD else times[name]
                moves.append(_move(model._meta.db_table, of_team, times[name], known_by))
        starts, ends, back = zip(*self.spans, strict=True)
        with connection.cursor() as cursor:
            # In one go: sent one by one, the hundred of them take longer than what they do.
            cursor.execute(";".join(moves), [list(starts), list(ends), list(back), team.id] * len(moves))


def _move(table: str, of_team: str, column: str, known_by: str) -> str:
    named = {name: connection.ops.quote_name(text) for name, text in zip("tck", (table, column, known_by), strict=True)}
    return (
        "UPDATE {t} SET {c} = {t}.{c} - span.back FROM unnest(%s::timestamptz[], %s::timestamptz[], %s::interval[]) "  # noqa: S608
        "AS span(began, ended, back) WHERE {of_team} AND {t}.{k} >= span.began AND {t}.{k} <= span.ended".format(of_team=of_team, **named)
    )


def _of_team(model: type[models.Model]) -> str | None:
    """The condition that a model's row is the team's: by its own column, or by that of what it cannot be without."""
    table, quote = model._meta.db_table, connection.ops.quote_name
    if model is Team:
        return f"{quote(table)}.id = %s"
    by = _team_column(model)
    if by is not None:
        return f"{quote(table)}.{quote(by)} = %s"
    for column in model._meta.concrete_fields:
        owner = column.related_model
        if isinstance(owner, type) and issubclass(owner, models.Model) and not column.null and (by := _team_column(owner)):
            own = f"{quote(table)}.{quote(str(column.column))}"
            return f"{own} IN (SELECT id FROM {quote(owner._meta.db_table)} WHERE {quote(by)} = %s)"  # noqa: S608  our own names
    return None


def _team_column(model: type[models.Model]) -> str | None:
    """The column that names the team of a model's rows."""
    found = (field.column for field in model._meta.concrete_fields if field.name == "team" and field.related_model is Team)
    return next(found, None)
