"""Who changes a package: a person, or an agent with a key of the team."""

from dataclasses import dataclass

from continuity.models import ApiKey, User


@dataclass(frozen=True, slots=True)
class Author:
    """One of the two, or neither where the application acts by itself."""

    user: User | None = None
    key: ApiKey | None = None


NOBODY = Author()
