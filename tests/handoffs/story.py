"""A short piece of work with everything a handoff must carry, recorded through the services."""

from __future__ import annotations

from typing import Any

from continuity.models import Conversation, Team
from continuity.services.recording import conversations
from continuity.transcripts.base.model import Message
from tests.words import answered, called, resulted, said

DECISION = "Let's use Postgres for the job queue instead of Redis."
RULE = "Never change the public API of the client."
NAMES = ["billing", "search", "audit", "session", "report", "import", "export"]
TODOS = [
    {"content": "Write the schema", "status": "completed"},
    {"content": "Add the index", "status": "completed"},
    {"content": "Write the worker", "status": "in_progress"},
    {"content": "Test the worker", "status": "pending"},
]


def story(team: Team, **fields: Any) -> Conversation:
    """A conversation of a dozen messages; not distilled yet."""
    conversation = conversations.create(team=team, title="Job queue", source_tool="test", **fields)
    conversations.append(team=team, conversation_id=conversation.id, messages=story_messages())
    conversation.refresh_from_db()
    return conversation


def story_messages() -> list[Message]:
    place: dict[str, Any] = {"cwd": "/srv/app", "branch": "feature/queue"}
    return [
        said(f"Please build the job queue. {RULE}", **place),
        answered("Should the queue live in Redis or in Postgres?", **place),
        said(DECISION, **place),
        called("TodoWrite", {"todos": TODOS}, call_id="t1", **place),
        resulted("Todos have been modified successfully.", call_id="t1", **place),
        called("Write", {"file_path": "/srv/app/queue/schema.py", "content": "x = 1"}, call_id="t2", **place),
        resulted("File created successfully at: /srv/app/queue/schema.py", call_id="t2", **place),
        called("Bash", {"command": "pytest tests/queue"}, call_id="t3", **place),
        resulted("1 failed, 11 passed in 0.50s", call_id="t3", failed=True, exit_code=1, **place),
        answered("The test for the lease fails because the clock is read twice. I'll fix the worker next.", **place),
    ]


def overloaded(team: Team) -> Conversation:
    """A conversation with more open work than a small package can state: its check fails there."""
    todos = [{"content": f"Rewrite module {number} of the {name} service", "status": "pending"} for number, name in enumerate(NAMES * 6)]
    conversation = conversations.create(team=team, title="Too much", source_tool="test")
    call = called("TodoWrite", {"todos": todos}, call_id="many")
    conversations.append(team=team, conversation_id=conversation.id, messages=[said("Please rewrite all of this."), call])
    return conversation
