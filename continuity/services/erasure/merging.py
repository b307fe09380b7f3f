"""Rows that become alike when words are redacted in them: what must be unique is merged, or told apart by a longer redaction."""

from typing import Any
from uuid import UUID, uuid4

from django.db.models import F, Model, UniqueConstraint
from django.db.models.functions import Greatest, Least

from continuity.core.redaction import REDACTED
from continuity.models import FileTouch


def change(model: type[Model], pk: UUID, new: dict[str, Any]) -> None:
    """Sets fields of one row. Where another row has the same now and only one may, files become one file, and any other row gets
    another redacted character at the end of its text, or in its place where there is no room. The caller's transaction and locks."""
    rows: Any = model._default_manager
    while (twin := _twin(model, pk, new)) is not None:
        field, other = twin
        if model is FileTouch:
            _merge_files(pk, other, new)
            return
        new = new | {field: _longer(new[field], getattr(model._meta.get_field(field), "max_length", None))}
    rows.filter(pk=pk).update(**new)


def _twin(model: type[Model], pk: UUID, new: dict[str, Any]) -> tuple[str, UUID] | None:
    """A changed field of a constraint that the row would break, and the row that stands in its way."""
    rows: Any = model._default_manager
    for constraint in model._meta.constraints:
        touched = [name for name in new if isinstance(constraint, UniqueConstraint) and name in constraint.fields]
        if not touched or not isinstance(constraint, UniqueConstraint):
            continue
        others = [name for name in constraint.fields if name not in new]
        same = dict(zip(others, rows.filter(pk=pk).values_list(*others).get(), strict=True)) if others else {}
        alike = rows.filter(**same, **{name: value for name, value in new.items() if name in constraint.fields}).exclude(pk=pk)
        alike = alike.filter(constraint.condition) if constraint.condition is not None else alike
        other = alike.values_list("pk", flat=True).first()
        if other is not None:
            return touched[0], other
    return None


def _merge_files(pk: UUID, other: UUID, new: dict[str, Any]) -> None:
    """Adds what was done to a file to the row of the other one, which has its name now."""
    gone = FileTouch.objects.get(pk=pk)
    kept = FileTouch.objects.get(pk=other)
    later = gone.last_seq > kept.last_seq
    symbols = [*kept.symbols, *(name for name in new.get("symbols", gone.symbols) if name not in kept.symbols)]
    note = new.get("note", gone.note)
    FileTouch.objects.filter(pk=other).update(
        first_seq=Least(F("first_seq"), gone.first_seq),
        last_seq=Greatest(F("last_seq"), gone.last_seq),
        count=F("count") + gone.count,
        note=(note if later else kept.note) or kept.note or note,
        symbols=symbols,
    )
    gone.delete()


def _longer(text: str, room: int | None) -> str:
    """The text with one more redacted character, to differ from an equal one; without room, its last other letter is redacted."""
    if room is None or len(text) < room:
        return text + REDACTED
    bare = text.rstrip(REDACTED)
    if not bare:
        return uuid4().hex[:room]
    return bare[:-1] + REDACTED * (len(text) - len(bare) + 1)
