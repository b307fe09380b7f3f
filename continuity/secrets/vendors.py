"""The token shapes of further vendors, from the detectors of the detect-secrets library."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from importlib import import_module

from continuity.secrets.model import SecretSpan
from continuity.secrets.patterns import Pattern, shaped_matches

# Kind, module and class of each detector, and literals, one of which stands in the text. Left out are those with
# unbounded repeats, with many false alarms (entropy, keyword, public addresses), and those that we have ourselves.
DETECTORS = (
    ("aws-access-key", "aws", "AWSKeyDetector", ("AKIA", "ASIA", "ABIA", "ACCA", "A3T")),
    ("azure-storage-key", "azure_storage_key", "AzureStorageKeyDetector", ("AccountKey=",)),
    ("discord-token", "discord", "DiscordBotTokenDetector", ("discord", "Discord", "DISCORD")),
    ("gitlab-token", "gitlab_token", "GitLabTokenDetector", ("glpat-", "gldt-", "glft-", "glsoat-", "glrt-", "glptt-", "GR1348941")),
    ("mailchimp-key", "mailchimp", "MailchimpDetector", ("-us1", "-us2")),
    ("pypi-token", "pypi_token", "PypiTokenDetector", ("pypi-Ag",)),
    ("sendgrid-key", "sendgrid", "SendGridDetector", ("SG.",)),
    ("slack-webhook", "slack", "SlackDetector", ("hooks.slack.com",)),
    ("square-token", "square_oauth", "SquareOAuthDetector", ("sq0csp-",)),
    ("twilio-key", "twilio", "TwilioKeyDetector", ("twilio", "Twilio", "TWILIO")),
)
LITERALS = tuple(literal for *_, literals in DETECTORS for literal in literals)


def vendor_matches(text: str, literals: set[str]) -> Iterator[SecretSpan]:
    """The spans that the library's shapes find in a text with these literals; it is loaded (0.3 s) when there first are any."""
    if literals:
        yield from shaped_matches(text, literals, _patterns())


@cache
def _patterns() -> tuple[Pattern, ...]:
    """One pattern per shape; only the one of an AWS secret key sets its secret apart from the name before it."""
    return tuple(
        Pattern(kind, frozenset(literals), regex, whole=not regex.pattern.startswith("aws"))
        for kind, module, name, literals in DETECTORS
        for regex in getattr(import_module(f"detect_secrets.plugins.{module}"), name).denylist
    )
