"""Events, how far their readers came, and what those could not take."""

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.safestring import SafeString

from continuity.admin.base import HistoryAdmin, LongHistoryAdmin
from continuity.admin.confirmation import asked_first
from continuity.admin.links import link_to
from continuity.admin.masked import masked_column
from continuity.models import Cursor, DeadLetter, Event
from continuity.services.events import redelivery


@admin.register(Event)
class EventAdmin(LongHistoryAdmin):
    list_display = ("position", "name", "team", "subject_id", "critical", "attempts", "created_at", "dispatched_at", "relayed_at")
    list_filter = ("critical", ("dispatched_at", admin.EmptyFieldListFilter), ("relayed_at", admin.EmptyFieldListFilter))
    list_select_related = ("team",)
    list_display_links = ("name",)
    id_fields = ("id", "subject_id")
    search_help_text = "The whole id of an event or of what it is about"
    ordering = ("-position",)


@admin.register(DeadLetter)
class DeadLetterAdmin(LongHistoryAdmin):
    list_display = ("subscriber", "status", "its_event", "team", "attempts", masked_column("reason"), "failed_at", "retry_at")
    list_filter = ("status", "team")
    list_select_related = ("team", "event")
    id_fields = ("id", "event_id")
    search_help_text = "The whole id of a dead letter or of its event"
    ordering = ("-created_at", "-id")
    actions = ("try_again", "discard")

    @admin.action(description="Give the selected events to their subscribers again", permissions=["operate"])
    def try_again(self, request: HttpRequest, chosen: QuerySet[DeadLetter]) -> None:
        tried = redelivery.try_again(chosen=DeadLetter.objects.filter(id__in=chosen.values("id")))
        self.message_user(request, f"{tried} will be tried within seconds.", messages.SUCCESS)

    @admin.action(description="Give the selected letters up: their subscribers never take these events", permissions=["operate"])
    @asked_first("The subscribers of these events never take them.")
    def discard(self, request: HttpRequest, chosen: QuerySet[DeadLetter]) -> None:
        gone = redelivery.discard(chosen=DeadLetter.objects.filter(id__in=chosen.values("id")))
        self.message_user(request, f"{gone} given up.", messages.SUCCESS)

    @admin.display(description="event")
    def its_event(self, letter: DeadLetter) -> SafeString | str:
        return link_to(letter.event, str(letter.event))


@admin.register(Cursor)
class CursorAdmin(HistoryAdmin):
    list_display = ("consumer", "position", "updated_at")
    search_fields = ("consumer",)
    search_help_text = "A consumer"
    id_fields = ()
