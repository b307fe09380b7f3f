"""Mail to whom a handoff is offered. Where it can't be sent, the offer stands all the same: it waits on their first page."""

from django.template.loader import render_to_string

from continuity.services.accounts import mail
from handoffs.models import Handoff


def send(*, handoff: Handoff, link: str) -> bool:
    """Mails the link with the note, no words of the conversation; False where there is nobody to mail to, or it was not sent."""
    if handoff.offered_to is None:
        return False
    text = render_to_string("handoffs/offer_mail.txt", {"handoff": handoff, "link": link})
    return mail.send(subject=f"{handoff.offered_by or 'A teammate'} hands a session over to you", text=text, to=handoff.offered_to.email)
