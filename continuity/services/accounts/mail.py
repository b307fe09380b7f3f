"""Mail to people. Where it can't be sent, the work goes on and the log says so."""

import logging
import smtplib

from django.core.mail import send_mail
from django.template.loader import render_to_string

from continuity.models import Invitation

logger = logging.getLogger("continuity.mail")


def send_invitation(*, invitation: Invitation, link: str) -> bool:
    """Mails the link to the invited address; False where the mail server did not take it."""
    text = render_to_string("people/invitation_mail.txt", {"invitation": invitation, "link": link})
    try:
        send_mail(f"Join {invitation.team.name} on Continuity", text, None, [invitation.email])
    except (smtplib.SMTPException, OSError) as error:
        logger.warning("An invitation could not be mailed", extra={"metadata": {"error": type(error).__name__}})
        return False
    return True
