"""Asking an operator before an action of the admin that can't be taken back."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse

from continuity.secrets import mask_text

NAMED = 20  # rows that the question names

Action = Callable[[Any, HttpRequest, QuerySet[Any]], HttpResponse | None]


def asked_first(effect: str, *, of_all: bool = False) -> Callable[[Action], Action]:
    """The action behind a page that says its `effect` and names the rows (`of_all`: it does not go by what was chosen)."""

    def asking(action: Action) -> Action:
        @wraps(action)
        def asked(its: Any, request: HttpRequest, chosen: QuerySet[Any]) -> HttpResponse | None:
            if request.POST.get("confirmed") == "yes":
                return action(its, request, chosen)
            names = [] if of_all else [mask_text(str(row)) for row in chosen[: NAMED + 1]]
            shown = {
                **its.admin_site.each_context(request),
                "title": "Are you sure?",
                "effect": effect,
                "names": names[:NAMED],
                "more": len(names) > NAMED,
                "action": request.POST.get("action", ""),
                "chosen": request.POST.getlist(ACTION_CHECKBOX_NAME),
                "opts": its.model._meta,
            }
            return TemplateResponse(request, "admin/ask.html", shown)

        return asked

    return asking
