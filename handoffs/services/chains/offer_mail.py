"""Mail to whom a handoff is offered. Where it can't be sent, the offer stands all the same: it waits on their first page."""

import logging
import smtplib

from django.conf import settings
from django.core.mail import send_mail
from django.template.loader import render_to_string

from handoffs.models import Handoff

logger = logging.getLogger("continuity.mail")


def send(*, handoff: Handoff, link: str) -> bool:
    """Mails the link with the note, no words of the conversation; False where there is nobody to mail to, or it was not taken."""
    if handoff.offered_to is None:
        return False
    text = render_to_string("handoffs/offer_mail.txt", {"handoff": handoff, "link": link})
    try:
        send_mail(f"{handoff.offered_by or 'A teammate'} hands a session over to you", text, None, [handoff.offered_to.email])
    except (smtplib.SMTPException, OSError) as error:
        logger.warning("An offer could not be mailed", extra={"metadata": {"error": type(error).__name__}})
        return False
    return "console" not in settings.EMAIL_BACKEND  # where no server is set up, mails are printed in the terminal
