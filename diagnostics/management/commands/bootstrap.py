"""`manage.py bootstrap`: what a new installation starts with; on one that has it nothing happens."""

from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db import transaction

from continuity.core.errors import DomainError
from continuity.services.accounts import bootstrap
from diagnostics.services import demo


class Command(BaseCommand):
    help = "Creates the first team with its owner and API key, and has a demo loaded beside it where that is on. Safe to repeat."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--only", action="append", default=[], metavar="THEME", help="of the demo, this piece of work only; may be repeated"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            first = _set_up(options["only"])
        except DomainError as error:
            raise CommandError(error.detail) from error
        if first is not None:
            self.stdout.write(_shown_once(first))


@transaction.atomic
def _set_up(themes: list[str]) -> bootstrap.First | None:
    """All of it or nothing, so that a start that was cut off is made good by the next one."""
    first = bootstrap.found(
        name=settings.CONTINUITY_TEAM_NAME, email=settings.CONTINUITY_OWNER_EMAIL, password=settings.CONTINUITY_OWNER_PASSWORD
    )
    if first is not None and settings.CONTINUITY_DEMO:
        demo.ask(team=first.team, owner=first.owner, themes=themes)
    return first


def _shown_once(first: bootstrap.First) -> str:
    lines = [
        "",
        "The first team is set up. These are shown once:",
        f"  E-mail    {first.owner.email}",
        f"  Password  {first.password or '(the one that you chose)'}",
        f"  API key   {first.api_key}",
        "",
    ]
    return "\n".join(lines)
