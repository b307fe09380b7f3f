"""manage.py state_keys: the keys that seal agents' states: which are in use, a new one, and sealing anew by the first one."""

import base64
import os
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from continuity.storage.registry import storage
from continuity.storage.sealing import KEY, id_of_key
from continuity.storage.sessions import StorageError


class Command(BaseCommand):
    help = (
        "Lists which keys of CONTINUITY_STATE_KEYS seal agents' states; --new prints a fresh one, --rotate seals everything by the first."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        what = parser.add_mutually_exclusive_group()
        what.add_argument("--new", action="store_true", help="print a fresh key, to be put first in CONTINUITY_STATE_KEYS")
        what.add_argument(
            "--rotate",
            action="store_true",
            help="seal by the first key what another one, or none, sealed; works beside everything that runs",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if options["new"]:
            self.stdout.write(base64.b64encode(os.urandom(KEY)).decode())
            return
        if options["rotate"] and not settings.CONTINUITY_STATE_KEYS:
            raise CommandError("CONTINUITY_STATE_KEYS is not set: there is no key to seal by")
        try:
            if options["rotate"]:
                self._rotate()
            self._list()
        except StorageError as error:
            raise CommandError(str(error)) from None

    def _rotate(self) -> None:
        done = storage().reseal()
        self.stdout.write(f"{done.changed} sealed anew.")
        if done.unknown_keys or done.damaged:
            missing = f"sealed by keys that are not given: {', '.join(done.unknown_keys)}; " if done.unknown_keys else ""
            raise CommandError(f"Not all could be opened: {missing}{done.damaged} damaged. Keep the former keys.")

    def _list(self) -> None:
        given = [id_of_key(key) for key in settings.CONTINUITY_STATE_KEYS]
        in_use = storage().keys_in_use()
        for place, key in enumerate(given):
            use = "seals" if place == 0 else "opens" if in_use[key] else "opens, and is needed no more"
            self.stdout.write(f"{key}  {in_use[key]:>6}  {use}")
        for key in sorted(set(in_use) - set(given)):
            self.stdout.write(f"{key or 'not sealed':<16}  {in_use[key]:>6}{'  is not given: these states cannot be read' if key else ''}")
        if not given and not in_use:
            self.stdout.write("No states are stored, and no keys are given.")
