"""Importing a recorded session from a file."""

from django import forms
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from continuity.models import Scope
from continuity.services import imports
from continuity.transcripts import FORMATS
from continuity.views import jobs
from continuity.views.access import MemberRequest, member_page


class ImportForm(forms.Form):
    file = forms.FileField(
        label="Transcript", help_text="JSONL or JSON. Reading the same file again adds only what is new.", allow_empty_file=True
    )
    format = forms.ChoiceField(initial="auto", choices=[("auto", "Recognise by content"), *((name, name) for name in sorted(FORMATS))])


@member_page
@require_http_methods(["GET", "HEAD", "POST"])
def page(request: MemberRequest) -> HttpResponse:
    """The form; a file that was sent leads to the page of the job that reads it, or under htmx to its progress."""
    request.principal.require(Scope.WRITE)
    form = ImportForm(request.POST, request.FILES) if request.method == "POST" else ImportForm()
    if not form.is_valid():
        template = "conversations/import.html#form" if request.htmx else "conversations/import.html"
        return render(request, template, {"form": form}, status=422 if form.is_bound else 200)
    job = imports.begin(
        team=request.principal.team,
        upload=form.cleaned_data["file"],
        format=form.cleaned_data["format"],
        created_by=request.principal.user,
    )
    if request.htmx:
        return render(request, "jobs/job.html#progress", jobs.shown(job))
    return redirect("job", job_id=job.id)
