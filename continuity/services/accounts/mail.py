"""Mail to people. Where it can't be sent, the work goes on and the log says so."""

import logging
import smtplib

from django.conf import settings
from django.core.mail import send_mail
from django.template.loader import render_to_string

from continuity.models import Invitation

logger = logging.getLogger("continuity.mail")


def is_set_up() -> bool:
    """Whether there is a mail server; without one, mail is only printed."""
    return "console" not in settings.EMAIL_BACKEND


def send(*, subject: str, text: str, to: str) -> bool:
    """Whether the mail is under way; False where the mail server did not take it, and where none is set up and it was only printed."""
    try:
        send_mail(subject, text, None, [to])
    except (smtplib.SMTPException, OSError) as error:
        logger.warning("A mail could not be sent", extra={"metadata": {"error": type(error).__name__}})
        return False
    return is_set_up()


def send_invitation(*, invitation: Invitation, link: str) -> bool:
    """Mails the link to the invited address."""
    text = render_to_string("people/invitation_mail.txt", {"invitation": invitation, "link": link})
    return send(subject=f"Join {invitation.team.name} on Continuity", text=text, to=invitation.email)
