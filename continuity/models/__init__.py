"""Models of conversations; one file for each noun."""

from continuity.models.accounts.apikeys import ApiKey, Scope
from continuity.models.accounts.audit import AuditEntry
from continuity.models.accounts.client_codes import ClientCode
from continuity.models.accounts.invitations import Invitation
from continuity.models.accounts.teams import Membership, Role, Team, Tier
from continuity.models.accounts.users import User
from continuity.models.agents.agents import Agent, AgentInstance
from continuity.models.agents.recovery import AgentOrder, AttemptStatus, Incident, RecoveryAttempt
from continuity.models.anchors import Anchor
from continuity.models.bus.subscriptions import Acknowledgement, Delivery, Subscription, SubscriptionKind
from continuity.models.bus.topics import PublishedPayload, Topic
from continuity.models.cleanups import Cleanup
from continuity.models.conversations import Conversation, ConversationStatus, within
from continuity.models.deferrals import Deferral
from continuity.models.erasures import Erasure, ErasureScope
from continuity.models.events import Cursor, Event
from continuity.models.files import FileTouch
from continuity.models.folds import FoldCheckpoint, FoldState
from continuity.models.groups.groups import Group, GroupParticipant
from continuity.models.groups.turns import GroupSelection, GroupTransition
from continuity.models.heads import CheckedOutCommit
from continuity.models.jobs import IdempotentReply, Job, JobStatus
from continuity.models.letters import DeadLetter, LetterStatus
from continuity.models.log_lines import LogLine
from continuity.models.messages import Message
from continuity.models.notices import Notice, NoticeKind
from continuity.models.proposals import ModelPass
from continuity.models.segments import CompressedSegment, Level, Segment
from continuity.models.skipped import SkippedMessage
from continuity.models.states.shared import StateEntry, StateVersion
from continuity.models.states.stored import StoredState
from continuity.models.tasks import Task

__all__ = [
    "Acknowledgement",
    "Agent",
    "AgentInstance",
    "AgentOrder",
    "Anchor",
    "ApiKey",
    "AttemptStatus",
    "AuditEntry",
    "CheckedOutCommit",
    "Cleanup",
    "ClientCode",
    "CompressedSegment",
    "Conversation",
    "ConversationStatus",
    "Cursor",
    "DeadLetter",
    "Deferral",
    "Delivery",
    "Erasure",
    "ErasureScope",
    "Event",
    "FileTouch",
    "FoldCheckpoint",
    "FoldState",
    "Group",
    "GroupParticipant",
    "GroupSelection",
    "GroupTransition",
    "IdempotentReply",
    "Incident",
    "Invitation",
    "Job",
    "JobStatus",
    "LetterStatus",
    "Level",
    "LogLine",
    "Membership",
    "Message",
    "ModelPass",
    "Notice",
    "NoticeKind",
    "PublishedPayload",
    "RecoveryAttempt",
    "Role",
    "Scope",
    "Segment",
    "SkippedMessage",
    "StateEntry",
    "StateVersion",
    "StoredState",
    "Subscription",
    "SubscriptionKind",
    "Task",
    "Team",
    "Tier",
    "Topic",
    "User",
    "within",
]
