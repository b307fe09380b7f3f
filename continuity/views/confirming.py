"""Asking before something that can't be taken back: a page that says what will happen, and to whom."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

CONFIRMED = "confirmed"


@dataclass(frozen=True, slots=True)
class Question:
    """What a person is asked: `effects` say one by one what will happen, `button` does it, and `back` is where nothing happens.

    `sent` are the fields that the form had, which go along once more.
    """

    title: str
    effects: Sequence[str]
    button: str
    back: str
    sent: Mapping[str, str] = field(default_factory=dict)


def confirmed(request: HttpRequest) -> bool:
    """Whether the button of the question's page was pressed. No link and no GET can do that."""
    return request.method == "POST" and request.POST.get(CONFIRMED) == "yes"


def ask(request: HttpRequest, question: Question) -> HttpResponse:
    """The page with the question. It works without scripts; nothing is done yet."""
    return render(request, "confirm.html", {"question": question})
