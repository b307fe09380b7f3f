"""Background commands and sub-agents that run on while the conversation continues."""

from __future__ import annotations

import re

from continuity.distill.clip import one_line
from continuity.distill.evidence import tools
from continuity.distill.items import Pending
from continuity.distill.language.sieve import Guarded
from continuity.distill.step import Step
from continuity.transcripts.model import Part

_STARTED = Guarded(
    r"(?:running in (?:the )?background with ID:?|Process running with session ID|started in background[^:\n]{0,40}:|agentId:"
    r"|agent_id\"?:)\s*\"?([\w-]{1,40})",
    re.I,
)
_ENDED = Guarded(
    r"<status>(?:completed|failed|killed|stopped|exited)</status>|status:? ?(?:completed|failed|killed|exited)|Process exited with code"
    r"|is not running|not found|No (?:such )?(?:shell|process)",
    re.I,
)
_NOTICE = re.compile(r"<task[-_]id>\s*([\w-]{1,40})\s*</task[-_]id>")
_FINISHED = re.compile(r"<status>\s*(?:completed|failed|killed|stopped)\s*</status>|\bcompleted\b|\bfailed\b|\bexit code\b", re.I)


def started(step: Step, part: Part, pending: Pending) -> None:
    """Note a job that a call left running."""
    job = part.data.get("backgroundTaskId")
    if isinstance(job, (str, int)) and str(job):
        step.state.running.put(str(job)[:60], _title(pending, str(job)))
        return
    if part.data.get("running") and isinstance(session := part.data.get("session_id"), (str, int)):
        step.state.running.put(str(session)[:60], _title(pending, str(session)))
        return
    if part.failed:
        return
    head = part.text[:1500]
    if (match := _STARTED.search(head)) and not _ENDED.search(head):
        step.state.running.put(match[1], _title(pending, match[1]))


def _title(pending: Pending, job: str) -> str:
    return one_line(f"{pending.command or pending.text or pending.name} ({job})", 200)


def parked(step: Step, part: Part, pending: Pending) -> bool:
    """Keep a shell call whose process goes on under the id of its job, until a look at it shows how it ended."""
    job = part.data.get("session_id") if part.data.get("running") else part.data.get("backgroundTaskId")
    if not isinstance(job, (str, int)) or not str(job):
        return False
    step.state.pending.put(f"job:{job}"[:80], pending)
    return True


def polled(step: Step, part: Part, pending: Pending) -> Pending | None:
    """A look at a job, or the order to stop it; where it shows that the job ended by itself, the call that began it."""
    name = tools.plain_name(pending.name)
    if part.data.get("running") or part.data.get("status") == "running":
        step.state.watching = pending.subject
        return None
    ended = (
        name in tools.STOP
        or part.exit_code is not None
        or part.data.get("status") in ("completed", "failed", "killed")
        or _ENDED.search(part.text[:1500])
    )
    if not ended or not pending.subject:
        return None
    step.state.running.pop(pending.subject)
    step.state.watching = ""
    return step.state.pending.pop(f"job:{pending.subject}"[:80])


def noticed(step: Step, text: str) -> None:
    """A notice from the harness that a job ended."""
    if (match := _NOTICE.search(text[:2000])) and _FINISHED.search(text[:2000]):
        step.state.running.pop(match[1])
