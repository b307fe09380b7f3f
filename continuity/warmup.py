"""Loads what a web process needs, once, before the first request and out of the garbage collector's sight.

What stays until the process ends is looked through in each full round of the collector: with addresses, forms and templates more than
a hundred thousand things, a pause of 50 to 150 ms in whichever request it meets.
"""

from __future__ import annotations

import gc
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path

from django.template import TemplateSyntaxError, engines
from django.template.loader import get_template
from django.template.utils import get_app_template_dirs
from django.urls import reverse

from continuity.knowledge.rules.catalogue import RULES
from continuity.services.jobs import queueing
from continuity.usage import tokens


def settle() -> None:
    """Load all addresses, templates and what recording takes, and keep what is there from the collector until the process ends."""
    reverse("home")  # The first one loads the addresses, and how each is found by its name.
    for name in _templates(engines["django"].dirs):
        get_template(name)
    for name in _templates(get_app_template_dirs("templates")):
        # Those of others may be for a library that is not installed here, and so for a page that we don't have.
        with suppress(TemplateSyntaxError):
            get_template(name)
    ready_to_record()
    gc.collect()
    gc.freeze()


def ready_to_record() -> None:
    """Load what reads messages, what counts tokens and what sends tasks; none asks a server. The first messages took ten times as long
    without it."""
    RULES.load()
    tokens.load_vocabularies()
    queueing.prepare()


def _templates(folders: Iterable[str | Path]) -> Iterator[str]:
    for folder in map(Path, folders):
        for file in sorted(folder.rglob("*.html")):
            yield str(file.relative_to(folder))
