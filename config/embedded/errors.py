"""The one error of starting up: its message is the line that the user reads."""


class StartError(Exception):
    """Continuity cannot start here; the message says in one line what is missing and what to do."""
