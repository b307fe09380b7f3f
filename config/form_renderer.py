"""Writes the inputs and choices of forms without a template: rendering Django's own took a seventh of a list's page."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from django.forms.renderers import DjangoTemplates
from django.http import HttpRequest
from django.utils.html import conditional_escape
from django.utils.safestring import SafeString, mark_safe


class FormRenderer(DjangoTemplates):
    """Django's renderer, with the same elements as its templates."""

    def render(self, template_name: str, context: dict[str, Any], request: HttpRequest | None = None) -> str:
        written = _WRITTEN.get(template_name)
        if written:
            return mark_safe(written(context["widget"]))  # noqa: S308  all is escaped
        if template_name == _ERRORS and not context["errors"]:
            return SafeString("")
        return super().render(template_name, context, request)


def _attributes(of: Mapping[str, Any]) -> str:
    """Those that are True stand without a value, those that are False not at all."""
    shown = (f" {name}" if value is True else f' {name}="{conditional_escape(value)}"' for name, value in of.items() if value is not False)
    return "".join(shown)


def _input(widget: Mapping[str, Any]) -> str:
    value = "" if widget["value"] is None else f' value="{conditional_escape(widget["value"])}"'
    return f'<input type="{widget["type"]}" name="{conditional_escape(widget["name"])}"{value}{_attributes(widget["attrs"])}>'


def _select(widget: Mapping[str, Any]) -> str:
    groups = "\n".join(_group(name, options) for name, options, _ in widget["optgroups"])
    return f'<select name="{conditional_escape(widget["name"])}"{_attributes(widget["attrs"])}>\n{groups}\n</select>'


def _group(name: str | None, options: Sequence[Mapping[str, Any]]) -> str:
    inner = "\n".join(map(_option, options))
    return f'<optgroup label="{conditional_escape(name)}">\n{inner}\n</optgroup>' if name else inner


def _option(widget: Mapping[str, Any]) -> str:
    value, label = conditional_escape(widget["value"]), conditional_escape(widget["label"])
    return f'<option value="{value}"{_attributes(widget["attrs"])}>{label}</option>'


_ERRORS = "django/forms/errors/list/default.html"
_INPUTS = ("text", "number", "email", "url", "password", "hidden", "date")
_WRITTEN: Mapping[str, Callable[[Mapping[str, Any]], str]] = {
    **{f"django/forms/widgets/{kind}.html": _input for kind in _INPUTS},
    "django/forms/widgets/select.html": _select,
}
