"""`manage.py seed`: a big installation to measure on."""

import time
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import connection

from continuity.core.errors import DomainError
from continuity.models import User
from diagnostics.services import seeding

EMAIL = "seed@example.com"


class Command(BaseCommand):
    help = "Makes a team with so many conversations, messages and handoffs, copied in bulk past the services; only for measuring."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--conversations", type=int, default=10_000)
        parser.add_argument("--messages", type=int, default=1_000_000, help="of all conversations together")
        parser.add_argument("--handoffs", type=int, default=5_000)

    def handle(self, *args: Any, **options: Any) -> None:
        started = time.perf_counter()
        owner = User.objects.filter(email=EMAIL).first() or User.objects.create_user(EMAIL, name="Seed")
        try:
            team = seeding.seed(
                owner=owner, conversation_count=options["conversations"], messages=options["messages"], handoffs=options["handoffs"]
            )
        except DomainError as error:
            raise CommandError(error.detail) from error
        with connection.cursor() as cursor:
            cursor.execute("VACUUM (ANALYZE)")  # as the server does by itself soon after so many rows
        self.stdout.write(f"Team {team.slug}, in {time.perf_counter() - started:.0f} s.")
