"""Writes the inputs and choices of forms without a template: rendering Django's own took a seventh of a list's page."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from django.forms.renderers import DjangoTemplates
from django.http import HttpRequest
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString


class FormRenderer(DjangoTemplates):
    """Django's renderer, with the same elements as its templates."""

    def render(self, template_name: str, context: dict[str, Any], request: HttpRequest | None = None) -> str:
        written = _WRITTEN.get(template_name)
        return written(context["widget"]) if written else super().render(template_name, context, request)


def _attributes(of: Mapping[str, Any]) -> SafeString:
    """Those that are True stand without a value, those that are False not at all."""
    shown = ((name, "" if value is True else format_html('="{}"', value)) for name, value in of.items() if value is not False)
    return format_html_join("", " {}{}", shown)


def _input(widget: Mapping[str, Any]) -> SafeString:
    value = "" if widget["value"] is None else format_html(' value="{}"', widget["value"])
    return format_html('<input type="{}" name="{}"{}{}>', widget["type"], widget["name"], value, _attributes(widget["attrs"]))


def _select(widget: Mapping[str, Any]) -> SafeString:
    groups = format_html_join("\n", "{}", ((_group(name, options),) for name, options, _ in widget["optgroups"]))
    return format_html('<select name="{}"{}>\n{}\n</select>', widget["name"], _attributes(widget["attrs"]), groups)


def _group(name: str | None, options: Sequence[Mapping[str, Any]]) -> SafeString:
    inner = format_html_join("\n", "{}", ((_option(each),) for each in options))
    return format_html('<optgroup label="{}">\n{}\n</optgroup>', name, inner) if name else inner


def _option(widget: Mapping[str, Any]) -> SafeString:
    return format_html('<option value="{}"{}>{}</option>', widget["value"], _attributes(widget["attrs"]), widget["label"])


_INPUTS = ("text", "number", "email", "url", "password", "hidden", "date")
_WRITTEN: Mapping[str, Callable[[Mapping[str, Any]], SafeString]] = {
    **{f"django/forms/widgets/{kind}.html": _input for kind in _INPUTS},
    "django/forms/widgets/select.html": _select,
}
