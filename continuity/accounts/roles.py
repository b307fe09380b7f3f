"""Permissions of each role: the one table that the code enforces, the team's page shows, and the tests walk."""

from dataclasses import dataclass
from enum import StrEnum

from continuity.core.errors import RoleTooLow
from continuity.models import Role, Scope


class Permission(StrEnum):
    """What one may be allowed to do. Those that `Scope` has are the scopes of API keys too, under the same names."""

    READ = "read"
    WRITE = "write"
    HANDOFF = "handoff"
    AGENT = "agent"
    KEYS = "keys"
    ADMIN = "admin"
    AUDIT = "audit"
    UNMASK = "unmask"
    PEOPLE = "people"
    TEAM = "team"


@dataclass(frozen=True, slots=True)
class RoleRule:
    """A permission, in words, and the lowest role that has it; every higher role has it too."""

    permission: Permission
    lowest: Role
    words: str

    def holds_for(self, role: int) -> bool:
        return role >= self.lowest


TABLE = (
    RoleRule(Permission.READ, Role.VIEWER, "Read conversations, handoffs, chains and figures, with secrets masked"),
    RoleRule(Permission.WRITE, Role.MEMBER, "Record, import and correct conversations"),
    RoleRule(Permission.HANDOFF, Role.MEMBER, "Prepare, edit, offer, withdraw and resume handoffs"),
    RoleRule(Permission.AGENT, Role.MEMBER, "Run agents: register them, beat for them, keep their state"),
    RoleRule(Permission.KEYS, Role.MEMBER, "Make API keys, worth no more than their own role, and revoke them"),
    RoleRule(
        Permission.ADMIN,
        Role.OPERATOR,
        "End and erase conversations, see secrets, set the policy, order agents, override a failed check",
    ),
    RoleRule(Permission.AUDIT, Role.OPERATOR, "Read the audit log; see and revoke everybody's API keys"),
    RoleRule(Permission.UNMASK, Role.OWNER, "Show to everybody what was masked by mistake"),
    RoleRule(Permission.PEOPLE, Role.OWNER, "Invite people, change their roles, remove them"),
    RoleRule(Permission.TEAM, Role.OWNER, "Rename the team"),
)
_LOWEST = {rule.permission.value: rule.lowest for rule in TABLE}


def permissions(role: int) -> frozenset[str]:
    """The permissions of a role, by value, so that scopes are found in it too."""
    return frozenset(name for name, lowest in _LOWEST.items() if role >= lowest)


def scopes(role: int) -> list[Scope]:
    """The scopes that a key of somebody with this role may have."""
    allowed = permissions(role)
    return [scope for scope in Scope if scope.value in allowed]


def may(role: int, permission: str) -> bool:
    return role >= _LOWEST[permission]


def require(role: int, permission: str) -> None:
    """Raises RoleTooLow (403), naming the lowest role that may."""
    if not may(role, permission):
        raise RoleTooLow(role=_LOWEST[permission].label)


def lowest(permission: str) -> Role:
    return _LOWEST[permission]
