"""manage.py dead_letters: events that a subscriber could not take, to be listed, tried again or given up."""

from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from django.db.models import QuerySet
from django.utils import timezone

from continuity.models import DeadLetter, LetterStatus
from continuity.services.events import redelivery

SHOWN = 200


class Command(BaseCommand):
    help = "Lists the events that a subscriber could not take; --retry gives them once more, --discard gives them up."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("letters", nargs="*", metavar="ID", help="only these letters (default: all)")
        parser.add_argument("--subscriber", default="", help="only those of this subscriber")
        what = parser.add_mutually_exclusive_group()
        what.add_argument("--retry", action="store_true", help="try them now")
        what.add_argument("--discard", action="store_true", help="give them up: their subscribers never take these events")

    def handle(self, *args: Any, **options: Any) -> None:
        chosen = _chosen(options["letters"], options["subscriber"])
        if options["retry"]:
            self._retry(chosen)
        elif options["discard"]:
            self.stdout.write(f"{redelivery.discard(chosen=chosen)} given up.")
        else:
            self._list(chosen)

    def _retry(self, chosen: "QuerySet[DeadLetter]") -> None:
        ids = list(chosen.values_list("id", flat=True))
        redelivery.try_again(chosen=DeadLetter.objects.filter(id__in=ids))
        redelivery.sweep(now=timezone.now(), limit=len(ids), among=ids)
        left = DeadLetter.objects.filter(id__in=ids).count()
        self.stdout.write(f"{len(ids) - left} taken, {left} failed again; these are tried further at growing pauses.")

    def _list(self, chosen: "QuerySet[DeadLetter]") -> None:
        for letter in chosen.select_related("event")[:SHOWN]:
            told = f"{letter.failed_at:%Y-%m-%d %H:%M:%S} UTC  {letter.attempts} attempts  {letter.reason}"
            self.stdout.write(f"{letter.id}  {letter.get_status_display()}  {letter.event.name}  {letter.subscriber}\n    {told}")
        dead = chosen.filter(status=LetterStatus.DEAD).count()
        self.stdout.write(f"{dead} dead, {chosen.count() - dead} still tried.")


def _chosen(ids: list[str], subscriber: str) -> "QuerySet[DeadLetter]":
    rows = DeadLetter.objects.order_by("created_at")
    rows = rows.filter(id__in=ids) if ids else rows
    return rows.filter(subscriber=subscriber) if subscriber else rows
