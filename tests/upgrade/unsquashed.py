"""Migrations as they were before one stood for all of a release; also as a command: `python -m tests.upgrade.unsquashed migrate`."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from unittest import mock

from django.core.management import execute_from_command_line
from django.db import connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder

from continuity.upgrades.release_before import LAST_MIGRATIONS


@contextmanager
def unsquashed() -> Iterator[None]:
    load = MigrationLoader.load_disk

    def load_others(loader: MigrationLoader) -> None:
        load(loader)
        for key in [key for key, found in loader.disk_migrations.items() if found.replaces and key[0] in LAST_MIGRATIONS]:
            del loader.disk_migrations[key]

    with mock.patch.object(MigrationLoader, "load_disk", load_others):
        yield


def forget_squashed() -> list[tuple[str, str]]:
    """Takes back the notes that migrations which stand for others are applied: so an earlier release leaves a database."""
    recorder = MigrationRecorder(connection)
    found = [(app, name) for app, name in recorder.applied_migrations() if app in LAST_MIGRATIONS and "_squashed_" in name]
    for each in found:
        recorder.record_unapplied(*each)
    return found


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    with unsquashed():
        execute_from_command_line(sys.argv)
