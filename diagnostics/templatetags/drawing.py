"""Template tags for measured values."""

from collections.abc import Sequence
from html import escape

from django import template
from django.utils.safestring import SafeString, mark_safe

from continuity.templatetags.figures import grouped, share
from diagnostics.views.pictures import Picture

register = template.Library()


@register.filter
def measured(value: float | None, kind: str) -> str:
    """A value in its unit: `ms` as `12.3 ms` or `1.25 s`, `share` as a percentage, otherwise as a number; a dash for none."""
    if value is None:
        return "–"
    if kind == "ms":
        return f"{value / 1000:.2f} s" if value >= 1000 else f"{value:.1f} ms" if value < 100 else f"{value:.0f} ms"
    return share(value, 1) if kind == "share" else grouped(value)


@register.simple_tag
def values_of(picture: Picture) -> SafeString:
    """Over each time of a picture a stretch that shows its values to who points at it, touches it, or comes to it by the arrow keys: radio
    buttons are one stop of the Tab key, and the browser moves among them. The table beside it has the values too."""
    rows, drawn = _rows(picture), []
    for at, (label, values) in enumerate(rows, start=1):
        told = ", ".join(f"{name} {measured(value, picture.kind)}" for name, value in zip(picture.names, values, strict=True))
        here = " checked" if at == len(rows) else ""
        drawn.append(f'<label><input type="radio" name="at-{escape(picture.name)}"{here}><span>{escape(f"{label}: {told}")}</span></label>')
    return mark_safe("".join(drawn))  # noqa: S308 - each is escaped


@register.simple_tag
def rows_of(picture: Picture) -> SafeString:
    """The rows of a picture's table; hundreds of cells, each of which would take a template longer than to compute it."""
    row = '<tr><th scope="row">{}</th>' + '<td class="number">{}</td>' * len(picture.names) + "</tr>"
    written = (row.format(escape(label), *(escape(measured(value, picture.kind)) for value in values)) for label, values in _rows(picture))
    return mark_safe("".join(written))  # noqa: S308 - each is escaped


def _rows(picture: Picture) -> Sequence[tuple[str, Sequence[float | None]]]:
    if picture.bars:
        return [(bar.label, [bar.value]) for bar in picture.bars.bars]
    return picture.lines.table if picture.lines else []
