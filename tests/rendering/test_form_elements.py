"""Inputs and choices of forms, written without a template as Django's own templates write them."""

from __future__ import annotations

import datetime
from typing import Any

import pytest
from django import forms
from django.forms.renderers import DjangoTemplates
from django.utils.html import escape
from django.utils.safestring import mark_safe

from config.form_renderer import FormRenderer
from tests.web.reading import read

HOSTILE = "\"'><script>&amp;"


class Everything(forms.Form):
    words = forms.CharField(max_length=9, widget=forms.TextInput({"placeholder": HOSTILE, "autofocus": True, "spellcheck": False}))
    number = forms.IntegerField(min_value=1, max_value=9, required=False)
    address = forms.EmailField(help_text="Where to write")
    secret = forms.CharField(widget=forms.PasswordInput)
    hidden = forms.UUIDField(widget=forms.HiddenInput, required=False)
    day = forms.DateField(widget=forms.DateInput({"type": "date"}), required=False)
    choice = forms.ChoiceField(choices=[("", "Any"), (1, "One & two"), ("Group", [(HOSTILE, HOSTILE), ("b", mark_safe("<b>B</b>"))])])
    several = forms.MultipleChoiceField(choices=[("a", "A"), ("b", "B")], widget=forms.SelectMultiple)
    long = forms.CharField(widget=forms.Textarea)
    yes = forms.BooleanField(required=False)


def _elements(form: forms.Form) -> dict[str, list[tuple[str, dict[str, str], str]]]:
    return {
        field.name: [(each.tag, each.attributes, " ".join(each.text.split())) for each in read(str(field).encode()).elements]
        for field in form
    }


def test_it_works() -> None:
    written = str(Everything(renderer=FormRenderer())["choice"])

    assert '<option value="1">One &amp; two</option>' in written
    assert f'<option value="{escape(HOSTILE)}">{escape(HOSTILE)}</option>' in written


@pytest.mark.parametrize(
    "data",
    [
        None,
        {
            "words": HOSTILE,
            "number": "0",
            "address": "a@b",
            "secret": "x",
            "hidden": HOSTILE,
            "choice": "1",
            "several": ["a"],
            "long": HOSTILE,
        },
        {"choice": HOSTILE, "day": datetime.date(2026, 1, 2), "number": 3, "yes": True},
    ],
)
def test_elements_are_those_of_django(data: dict[str, Any] | None) -> None:
    assert _elements(Everything(data, renderer=FormRenderer())) == _elements(Everything(data, renderer=DjangoTemplates()))
