"""Importing recorded sessions: files that are dropped or chosen, or text that is pasted."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import forms
from django.conf import settings
from django.core.files.uploadedfile import SimpleUploadedFile, UploadedFile
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from continuity.models import Job, Scope
from continuity.services.recording import imports
from continuity.transcripts import FORMATS
from continuity.views import jobs
from continuity.views.access import MemberRequest, member_page

RECENT = 10
PASTED = "pasted text"
MOST = settings.CONTINUITY_MAX_UPLOAD_BYTES // 1024**2


class Files(forms.FileField):
    """Files; none is an empty list. More than the limit no view gets to see."""

    widget = type("Chooser", (forms.ClearableFileInput,), {"allow_multiple_selected": True})

    def clean(self, data: Any, initial: Any = None) -> list[UploadedFile[Any]]:
        given = data if isinstance(data, list | tuple) else [data] if data else []
        return [super(Files, self).clean(each, initial) for each in given]


TOOLS = [known.tool for known in FORMATS.values() if known.tool]


class SessionImportForm(forms.Form):
    file = Files(
        label="Files",
        required=False,
        allow_empty_file=True,
        help_text=f"JSONL, JSON or Markdown; up to {settings.CONTINUITY_MAX_UPLOAD_FILES} files and {MOST} MiB at once, or drop them here.",
    )
    text = forms.CharField(
        label="Or paste a transcript",
        required=False,
        strip=False,
        widget=forms.Textarea({"rows": 5, "spellcheck": "false"}),
    )
    format = forms.ChoiceField(initial="auto", choices=[("auto", "Recognise by content"), *((name, name) for name in sorted(FORMATS))])

    def clean(self) -> dict[str, Any]:
        given = super().clean() or {}
        if not self.errors and not given["file"] and not given["text"].strip():
            raise forms.ValidationError("Choose a file, or paste a transcript.")
        return given

    def uploads(self) -> Sequence[UploadedFile[Any]]:
        """The files to be read, one for each session."""
        text = self.cleaned_data["text"]
        pasted = [SimpleUploadedFile(PASTED, text.encode("utf-8", "surrogateescape"))] if text.strip() else []
        return [*self.cleaned_data["file"], *pasted]


@member_page
@require_http_methods(["GET", "HEAD", "POST"])
def page(request: MemberRequest) -> HttpResponse:
    """The form and the latest imports; what was sent leads to the job that reads it, or under htmx to the progress of each."""
    request.principal.require(Scope.WRITE)
    form = SessionImportForm(request.POST, request.FILES) if request.method == "POST" else SessionImportForm()
    if not form.is_valid():
        template = "conversations/import.html#form" if request.htmx else "conversations/import.html"
        return render(request, template, {"form": form, "recent": _recent(request), "tools": TOOLS}, status=422 if form.is_bound else 200)
    given = {"team": request.principal.team, "format": form.cleaned_data["format"], "created_by": request.principal.user}
    begun = [imports.begin(upload=upload, **given) for upload in form.uploads()]
    if request.htmx:
        return render(request, "conversations/import.html#begun", {"begun": [jobs.shown(job) for job in begun]})
    return redirect("job", job_id=begun[0].id) if len(begun) == 1 else redirect("import")


def _recent(request: MemberRequest) -> Sequence[Job]:
    rows = Job.objects.filter(team=request.principal.team, kind=imports.KIND).select_related("created_by")
    return list(rows.order_by("-created_at")[:RECENT])
