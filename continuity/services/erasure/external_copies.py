"""Copies of a conversation outside the database: entries of the event stream, and uploaded files."""

from collections.abc import Collection
from pathlib import Path
from typing import Any
from uuid import UUID

from django.conf import settings

from continuity.services.events import relay
from continuity.services.jobs import broker

PAGE = 1000


class TracesRemain(Exception):
    """The broker does not answer; its stream may still tell of the conversation."""


def remove(*, subjects: Collection[UUID], files: Collection[str]) -> None:
    """Removes the stream's entries about `subjects`, and the uploads named `files`. Raises TracesRemain or OSError; may be repeated.

    Nothing else outside of the database outlives a minute: keys that drop a repeated task live for seconds.
    """
    for name in files:
        # A name only: what a row says is no path to follow.
        (Path(settings.MEDIA_ROOT) / Path(name).name).unlink(missing_ok=True)
    wanted = {str(subject).encode() for subject in subjects}
    if wanted and not broker.try_call(lambda client: _forget(client, wanted)):
        raise TracesRemain("The event bus does not answer.")


def _forget(client: broker.Client, wanted: Collection[bytes]) -> None:
    begin = "-"
    while True:
        page: Any = client.xrange(relay.STREAM, min=begin, count=PAGE)
        gone = [entry for entry, told in page if told.get(b"subject") in wanted]
        if gone:
            client.xdel(relay.STREAM, *gone)
        if len(page) < PAGE:
            return
        begin = f"({page[-1][0].decode()}"
