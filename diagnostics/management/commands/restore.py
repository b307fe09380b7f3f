"""manage.py restore: an installation from a back-up, on this host or another."""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from continuity.core.errors import DomainError
from diagnostics.archives.problems import BadBackup
from diagnostics.services.backups import passphrases, restoring
from diagnostics.services.backups.postgres_tools import ToolMissing
from diagnostics.services.backups.restoring import NotEmpty


class Command(BaseCommand):
    help = "Restores a back-up into an empty data folder or database, while Continuity is stopped."
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("source", type=Path, help="the file that `manage.py backup` wrote")
        parser.add_argument(
            "--passphrase-file", type=Path, help="the file that holds its passphrase (default: CONTINUITY_BACKUP_PASSPHRASE)"
        )
        parser.add_argument("--replace", action="store_true", help="remove what is there, also if it is data")

    def handle(self, *args: Any, **options: Any) -> None:
        source: Path = options["source"].expanduser()
        try:
            told = restoring.restore(
                path=source,
                passphrase=passphrases.from_file_or_setting(options["passphrase_file"]),
                replace=options["replace"],
                tell=self.stdout.write,
            )
        except BadBackup as error:
            raise CommandError(f"{source.name}: {error}") from None
        except (NotEmpty, ToolMissing, DomainError) as error:
            raise CommandError(str(error)) from None
        except OSError as error:
            raise CommandError(f"{error.filename or source}: {error.strerror}") from None
        self.stdout.write(f"Restored {told.rows:,} rows and {len(told.files)} files. Start Continuity now.")
        self.stdout.write(f"Erase again what was erased since {told.made_at}.")
        if told.secrets_elsewhere:
            self.stdout.write(
                f"The environment gave these keys where it was made; give the same here: {', '.join(told.secrets_elsewhere)}."
            )
