"""Template tags for measured values."""

from html import escape

from django import template
from django.utils.safestring import SafeString, mark_safe

from continuity.templatetags.figures import grouped, share
from diagnostics.charts import BOTTOM, HEIGHT, LEFT, RIGHT, TOP, WIDTH
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
    """Over each time of a picture a stretch without colour that tells its values to who points at it; the table beside it has them too."""
    rows = [(bar.label, [bar.value]) for bar in picture.bars.bars] if picture.bars else picture.lines.table if picture.lines else []
    wide, drawn = (WIDTH - LEFT - RIGHT) / max(1, len(rows)), []
    for at, (label, values) in enumerate(rows):
        told = ", ".join(f"{name} {measured(value, picture.kind)}" for name, value in zip(picture.names, values, strict=True))
        place = f'x="{LEFT + at * wide:.1f}" y="{TOP}" width="{wide:.1f}" height="{HEIGHT - TOP - BOTTOM}"'
        drawn.append(f'<rect class="tells" {place}><title>{escape(f"{label}: {told}")}</title></rect>')
    return mark_safe("".join(drawn))  # noqa: S308 - each is escaped


@register.simple_tag
def rows_of(picture: Picture) -> SafeString:
    """The rows of a picture's table; hundreds of cells, each of which would take a template longer than to compute it."""
    rows = [(bar.label, [bar.value]) for bar in picture.bars.bars] if picture.bars else picture.lines.table if picture.lines else []
    row = '<tr><th scope="row">{}</th>' + '<td class="number">{}</td>' * len(picture.names) + "</tr>"
    written = (row.format(escape(label), *(escape(measured(value, picture.kind)) for value in values)) for label, values in rows)
    return mark_safe("".join(written))  # noqa: S308 - each is escaped
