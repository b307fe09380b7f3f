"""manage.py backup: everything of an installation in one file, made while it runs."""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from continuity.core.errors import DomainError
from diagnostics.archives.problems import BadBackup
from diagnostics.services.backups import making, passphrases, reading
from diagnostics.services.backups.postgres_tools import ToolMissing


class Command(BaseCommand):
    help = "Writes a back-up (conversations, uploads, keys, agents' states) to a file, or into a folder under a name with the time."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("target", type=Path, help="the file to write, or a folder that exists")
        parser.add_argument(
            "--passphrase-file", type=Path, help="protect the file with the passphrase in this one (default: CONTINUITY_BACKUP_PASSPHRASE)"
        )
        parser.add_argument("--keep", type=int, metavar="N", help="in a folder: remove all but the latest N back-ups afterwards")
        parser.add_argument(
            "--check", action="store_true", help="write nothing: read the back-up TARGET whole and say whether it can be restored"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        target: Path = options["target"].expanduser().absolute()
        if options["keep"] is not None and (options["keep"] < 1 or not target.is_dir()):
            raise CommandError("--keep takes a number from 1 on, and a folder to write into")
        try:
            passphrase = passphrases.from_file_or_setting(options["passphrase_file"])
            if options["check"]:
                told = reading.check_file(target, passphrase)
                self.stdout.write(
                    f"{target} is whole: {told.rows:,} rows in {len(told.tables)} tables, made {told.made_at} by {told.version}."
                )
                return
            now = timezone.now()
            path = target / making.name_for(now) if target.is_dir() else target
            told = making.make(path=path, passphrase=passphrase, now=now)
            gone = making.keep_latest(folder=target, number=options["keep"]) if options["keep"] else []
        except BadBackup as error:
            raise CommandError(f"{target.name}: {error}") from None
        except (ToolMissing, DomainError) as error:
            raise CommandError(str(error)) from None
        except OSError as error:
            raise CommandError(f"{error.filename or target}: {error.strerror}; what stood there before is untouched") from None
        holds = f"{told.rows:,} rows in {len(told.tables)} tables, {len(told.files)} files, {path.stat().st_size / 2**20:,.1f} MB"
        self.stdout.write(f"{path}: {holds}; read back and compared.")
        self._tell_of_keys(told.secrets, told.secrets_elsewhere, protected=bool(passphrase))
        for old in gone:
            self.stdout.write(f"Removed {old.name}.")

    def _tell_of_keys(self, inside: list[str], elsewhere: list[str], *, protected: bool) -> None:
        how = "only who knows the passphrase can read it" if protected else "whoever can read the file has them: it is 0600, keep it so"
        self.stdout.write(f"Secrets in it: all that the database holds{''.join(f', {name}' for name in inside)}; {how}.")
        if elsewhere:
            self.stdout.write(f"Not in it, since the environment gives them: {', '.join(elsewhere)}. Keep them elsewhere.")
