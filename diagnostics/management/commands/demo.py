"""`manage.py demo`: the demo, loaded or removed."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from continuity.core.errors import DomainError
from continuity.models import User
from diagnostics.services import demo, demo_removal


class Command(BaseCommand):
    help = "Loads a demo team with a made-up fortnight of work, or removes it with all that is in it."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--remove", action="store_true", help="remove it")
        parser.add_argument("--only", action="append", default=[], metavar="THEME", help="this piece of work only; may be repeated")
        parser.add_argument("--owner", metavar="E-MAIL", help="who becomes an owner of the demo team (default: the first administrator)")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            if options["remove"]:
                demo_removal.remove()
                self.stdout.write("The demo is gone.")
            else:
                demo.load(owner=_owner(options["owner"]), now=timezone.now(), schedule=demo.schedule_of(options["only"]))
                self.stdout.write("The demo is loaded: sign in, it is a team of its own.")
        except DomainError as error:
            raise CommandError(error.detail) from error


def _owner(email: str | None) -> User:
    people = User.objects.filter(is_active=True)
    people = people.filter(email=email.strip().lower()) if email else people.filter(is_superuser=True).order_by("created_at")
    found = people.first()
    if found is None:
        raise CommandError(f"There is no account {email}." if email else "There is no administrator yet; run bootstrap first.")
    return found
