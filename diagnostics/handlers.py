"""What diagnostics does about events of the conversations."""

from continuity.models import Event
from continuity.services.bus import on
from diagnostics.services import measurements


@on("conversation.erased")
def count_what_was_erased(event: Event) -> None:
    """The events of an erased conversation go; they are counted first, so that no figure is lost and erasing need not wait."""
    measurements.catch_up()
