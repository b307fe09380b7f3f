"""Conditions on stored times that hold also after the clock was set back, when rows lie in what is now the future."""

from datetime import datetime, timedelta

from django.db.models import Q


def settled(field: str, *, now: datetime, age: timedelta) -> Q:
    """Rows whose time in `field` is `age` ago or more. One that lies as far ahead counts too: nobody knows how old it is, and
    work that waits for it would wait as long as the clock was set back."""
    return Q(**{f"{field}__lte": now - age}) | Q(**{f"{field}__gt": now + age})


def due(field: str, *, now: datetime, longest: timedelta) -> Q:
    """Rows whose time in `field` has come. One further ahead than `longest`, which is the most that is ever set, counts too."""
    return Q(**{f"{field}__lte": now}) | Q(**{f"{field}__gt": now + longest})
