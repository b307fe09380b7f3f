"""The one family of errors that a caller caused or must know of. A class's docstring is its message."""

from typing import Any, ClassVar, TypeVar

T = TypeVar("T")


def _in_words(seconds: int) -> str:
    """How long to wait, as one says it: "1 second", "45 seconds", from 90 seconds on in minutes, from 90 minutes in hours."""
    count, unit = (
        (seconds, "second") if seconds < 90 else (-(-seconds // 60), "minute") if seconds < 5400 else (-(-seconds // 3600), "hour")
    )
    return f"{count:,} {unit}{'' if count == 1 else 's'}"


class DomainError(Exception):
    """The request can't be carried out; in its message `{wait}` tells `retry_after` seconds in words."""

    code: ClassVar[str] = "domain_error"
    status: ClassVar[int] = 400

    def __init__(self, detail: str = "", **data: Any) -> None:
        self.data = data
        self.detail = detail or " ".join((type(self).__doc__ or "").split()).format(**data, wait=_in_words(data.get("retry_after", 0)))
        super().__init__(self.detail)


class Invalid(DomainError):
    """A value is not acceptable."""

    code = "invalid"
    status = 422


class Unauthenticated(DomainError):
    """An API key is required: send it as `Authorization: Bearer <key>`."""

    code = "unauthenticated"
    status = 401


class KeyRefused(DomainError):
    """This API key is unknown, revoked or expired."""

    code = "key_refused"
    status = 401


class MissingScope(DomainError):
    """This API key lacks the scope "{scope}"."""

    code = "missing_scope"
    status = 403


class RoleTooLow(DomainError):
    """This takes the role {role} or higher in the team."""

    code = "role_too_low"
    status = 403


class NotYours(DomainError):
    """Only {who} may do this."""

    code = "not_yours"
    status = 403


class GateClosed(DomainError):
    """ "{gate}" needs the tier {tier}; the team has {current}."""

    code = "gate_closed"
    status = 403


class NotFound(DomainError):
    """There is no such {noun}."""

    code = "not_found"
    status = 404


def existing(row: T | None, noun: str) -> T:
    """What was looked for. Raises NotFound where there is none."""
    if row is None:
        raise NotFound(noun=noun)
    return row


class Conflict(DomainError):
    """The request conflicts with what is stored."""

    code = "conflict"
    status = 409


class VersionMismatch(DomainError):
    """The current version is {current}, not {given}: read it again and repeat the change."""

    code = "version_mismatch"
    status = 412


class BaseMissing(DomainError):
    """This state is never overwritten unseen (strategy {strategy}): say as `base` which version you read; the current one is {current}."""

    code = "base_missing"
    status = 428


class AlreadyResumed(Conflict):
    """This handoff was resumed already; resume it with fork=true to open a branch."""

    code = "already_resumed"


class Fenced(Conflict):
    """This instance is over: another one began, or it was declared over (epoch {current}, not {given})."""

    code = "fenced"


class NotRecovering(Conflict):
    """This attempt to recover the agent is over: the agent is {agent_status}."""

    code = "not_recovering"


class NotRunning(Conflict):
    """The agent can't be {asked} now: it is {agent_status}."""

    code = "not_running"


class OtherState(Conflict):
    """What this agent restored (digest {given}) is not what is stored (digest {stored}): restore it again before it is ready."""

    code = "state_differs"


class GroupFull(Conflict):
    """A group has at most {limit} participants: let one leave first, or make a second group."""

    code = "group_full"


class GroupOver(Conflict):
    """This group is closed: nobody speaks in it any more."""

    code = "group_over"


class InGroup(Conflict):
    """This conversation is a group's: what is said there goes through the group (POST /groups/{group_id}/messages), one at a time."""

    code = "in_group"


class NotYourTurn(Conflict):
    """It is not the turn of {agent}: {who} has it. Ask for the next turn first."""

    code = "not_your_turn"


class NotResumable(Conflict):
    """This handoff can't be resumed: its status is {handoff_status}."""

    code = "not_resumable"


class NotEditable(Conflict):
    """This handoff can't be changed: its status is {handoff_status}."""

    code = "not_editable"


class ChainTooLong(Conflict):
    """This chain has {length} handoffs, and its limit is {limit} (policy max_chain_length, or CONTINUITY_MAX_CHAIN_LENGTH): go on in a
    conversation of its own."""

    code = "chain_too_long"


class SessionInvalidated(DomainError):
    """Session invalidated"""

    code = "session_invalidated"
    status = 410


class SessionExpired(DomainError):
    """Session expired"""

    code = "session_expired"
    status = 410


class ConversationGone(DomainError):
    """This conversation was erased on {erased_at}."""

    code = "conversation_gone"
    status = 410


class HandoffGone(DomainError):
    """This handoff was deleted ({reason}) on {deleted_at}."""

    code = "handoff_gone"
    status = 410


class InvitationOver(DomainError):
    """This invitation was used or revoked, or it has expired. Ask for a new one."""

    code = "invitation_over"
    status = 410


class CodeOver(DomainError):
    """There is no such code, or it was used, or its ten minutes are over. Make another on the page /client/ of this server."""

    code = "code_over"
    status = 410


class ClientTooOld(DomainError):
    """This client has version {given}, and this server understands {oldest} and newer ones: get the present one from the page /client/ of
    this server; what it has recorded stays and is sent then."""

    code = "client_too_old"
    status = 403  # Clients keep what they recorded when they are told this, also those that know nothing of versions.


class UntrustedKey(DomainError):
    """The key {key_id}, with which this package is signed, is not trusted here: an operator may add it to CONTINUITY_TRUSTED_KEYS."""

    code = "untrusted_key"
    status = 403


class BadSignature(DomainError):
    """The signature does not fit this package: it was changed after it was signed."""

    code = "bad_signature"
    status = 422


class TooLarge(DomainError):
    """{noun} has {size}, over the limit of {limit}."""

    code = "too_large"
    status = 413


class TooMany(DomainError):
    """The limit of {limit} {noun} is reached; try again in {wait}."""

    code = "too_many"
    status = 429


class TurnTaken(DomainError):
    """{who} may speak now; ask again in {wait}."""

    code = "turn_taken"
    status = 429


class Unavailable(DomainError):
    """The store can't be reached; nothing was saved. Try again in {wait}."""

    code = "unavailable"
    status = 503


class NewerRules(DomainError):
    """What this conversation's messages gave was found by newer rules (version {found}) than those of this process (version {own}), which
    leaves it as it is: bring this process up to date, or have an operator read the conversation again. Try again in {wait}."""

    code = "newer_rules"
    status = 503


class AllStreamsTaken(DomainError):
    """All {limit} event streams of this server are taken; try again in {wait}."""

    code = "streams_taken"
    status = 503


class TookTooLong(DomainError):
    """This was not done within {seconds} seconds. It may still have been carried out: look, or send it again with the same
    Idempotency-Key, in {wait}."""

    code = "took_too_long"
    status = 503


class TooSlow(DomainError):
    """The request did not arrive in time: it has {seconds} seconds to begin with, needs {rate} bytes a second from then on, and ends
    after {limit} seconds at most."""

    code = "too_slow"
    status = 408


class Busy(DomainError):
    """Too many requests are served already; nothing was saved. Try again in {wait}."""

    code = "busy"
    status = 503


class Locked(DomainError):
    """Somebody else changes the same thing and has not finished; nothing was saved. Try again in {wait}."""

    code = "locked"
    status = 503


class TeamDegraded(DomainError):
    """Several agents of the team failed within half a minute: nothing new is begun for agents until they are well again, and what is there
    goes on. Try again in {wait}."""

    code = "degraded"
    status = 503


class AllSessionsTaken(DomainError):
    """All {limit} conversations that agents of a team may have at once are taken; try again in {wait}."""

    code = "sessions_taken"
    status = 503


class Stopping(DomainError):
    """The server is about to stop; nothing was saved. Try again in {wait}."""

    code = "stopping"
    status = 503


class NoRoom(DomainError):
    """The disk of the server has no room for this; nothing was saved. Whoever runs Continuity has to make room in its data folder."""

    code = "no_room"
    status = 507
