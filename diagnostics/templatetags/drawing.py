"""How the pages of diagnostics write what was measured."""

from django import template

from continuity.templatetags.figures import grouped, share

register = template.Library()


@register.filter
def measured(value: float | None, kind: str) -> str:
    """A value in its unit: `ms` as `12.3 ms` or `1.25 s`, `share` as a percentage, otherwise as a number; a dash for none."""
    if value is None:
        return "–"
    if kind == "ms":
        return f"{value / 1000:.2f} s" if value >= 1000 else f"{value:.1f} ms" if value < 100 else f"{value:.0f} ms"
    return share(value, 1) if kind == "share" else grouped(value)
