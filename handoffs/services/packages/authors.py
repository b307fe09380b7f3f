"""The author of a change to a package: a person, or an agent with a key of the team."""

from dataclasses import dataclass

from continuity.models import ApiKey, User


@dataclass(frozen=True, slots=True)
class Author:
    """One of the two, or neither where the application acts by itself."""

    user: User | None = None
    key: ApiKey | None = None

    @property
    def person(self) -> User | None:
        """The person, or whose key it is; None for the application and for a key that the installation made. At most one query."""
        return self.user or (self.key.created_by if self.key else None)

    @property
    def name(self) -> str:
        """The author's name, for a record that outlives the account and the key. At most one query."""
        if self.key is None:
            return self.user.email if self.user else "Continuity"
        owner = f" of {self.person.email}" if self.person else ""
        return f"key {self.key.name} ({self.key.kind}_{self.key.lookup}){owner}"


NOBODY = Author()
