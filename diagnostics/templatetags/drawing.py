"""Template tags for measured values."""

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
def rows_of(picture: Picture) -> SafeString:
    """The rows of a picture's table; hundreds of cells, each of which would take a template longer than to compute it."""
    rows = [(bar.label, [bar.value]) for bar in picture.bars.bars] if picture.bars else picture.lines.table if picture.lines else []
    row = '<tr><th scope="row">{}</th>' + '<td class="number">{}</td>' * len(picture.names) + "</tr>"
    written = (row.format(escape(label), *(escape(measured(value, picture.kind)) for value in values)) for label, values in rows)
    return mark_safe("".join(written))  # noqa: S308 - each is escaped
