"""Background commands and sub-agents that run on while the conversation continues."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from continuity.knowledge.extractors.outcomes.refusals import JOB
from continuity.knowledge.extractors.tools import tool_names
from continuity.knowledge.language.clip import clip, one_line
from continuity.knowledge.model import Quote, Ref
from continuity.knowledge.requests.gist import gist
from continuity.knowledge.rules.prefilter import PrefilteredPattern
from continuity.knowledge.state.open_items import Pending
from continuity.knowledge.state.step import FoldStep
from continuity.transcripts.base.model import Part

BRIEF = 1200  # characters of what a sub-agent is told to do
REPORT_LEAST, REPORT, REPORT_READ = 120, 2000, 60_000  # characters of a sub-agent's report

# A line of the harness, not words that a command happens to print: code and documents name such ids too.
_STARTED = PrefilteredPattern(
    r"^[ \t]*(?:(?:command|process) )?(?:running in (?:the )?background with ID:?|running with session ID"
    r"|started in background[^:\n]{0,40}:)\s*\"?([\w-]{1,40})",
    re.I | re.M,
)
# What the harness adds to a report.
_OF_HARNESS = re.compile(r"\s*(?:agent_?id:|</?usage>|(?:total_tokens|tool_uses|duration_ms):)", re.I)
_RESULT = re.compile(r"<result>(?P<told>[^\0]{1,60000}?)</result>")
# What a sub-agent that has ended may be resumed by looks the same but for the words behind it.
_LAUNCHED = PrefilteredPattern(
    r"^[ \t]*(?:\{\s*\"agent_id\":|agentId:|agent_id:)\s*\"?([\w-]{1,40})(?![\w-]|\"?[ \t]*\(for resuming)", re.I | re.M
)
_ENDED = PrefilteredPattern(
    r"<status>(?:completed|failed|killed|stopped|exited)</status>|status:? ?(?:completed|failed|killed|exited)|Process exited with code"
    r"|is not running|not found|No (?:such )?(?:shell|process)",
    re.I,
)
_NOTICE = re.compile(r"<task[-_]id>\s*([\w-]{1,40})\s*</task[-_]id>")
_FINISHED = re.compile(r"<status>\s*(?:completed|failed|killed|stopped)\s*</status>|\bcompleted\b|\bfailed\b|\bexit code\b", re.I)


def sent(given: Mapping[str, Any]) -> str:
    """What a sub-agent is sent: which agent and what for in the first line, and what it is told to do below."""
    kind = clip(one_line(tool_names.first(given, "subagent_type", "agent_type", "agent", "mode"), 60), 60)
    title, brief = tool_names.first(given, "description"), tool_names.first(given, "prompt", "task", "message")
    first = clip(one_line(title or brief, 160), 160)
    return "\n".join(filter(None, (": ".join(filter(None, (kind, first))), gist(brief, BRIEF) if title else "")))


def started(step: FoldStep, part: Part, pending: Pending) -> None:
    """Note a job that a call left running."""
    if job := _job(part, pending):
        step.state.running.put(job[:60], _title(pending, job))


def reported(step: FoldStep, index: int, part: Part) -> None:
    """Keep what a sub-agent found out: nothing else in the conversation tells it."""
    if not part.failed and not _LAUNCHED.search(part.text[:1500]):
        _keep_report(step, index, part.text)


def _keep_report(step: FoldStep, index: int, text: str) -> None:
    told = "\n".join(line for line in text[:REPORT_READ].strip().splitlines() if not _OF_HARNESS.match(line))
    if len(told.strip()) >= REPORT_LEAST and not told.lstrip().startswith("API Error"):
        step.state.reports.put(f"{step.seq}.{index}", Quote(gist(told, REPORT, pictures=True), Ref(step.seq, index)))


def _job(part: Part, pending: Pending) -> str:
    """The id of the job that a call left running, by what its result reports or says; empty where it left none."""
    data = part.data
    for job in (data.get("backgroundTaskId"), data.get("session_id") if data.get("running") else None):
        if isinstance(job, (str, int)) and str(job):
            return str(job)
    if part.failed or data.get("status") == "completed":
        return ""
    head = part.text[:1500]
    match = _STARTED.search(head) or (_LAUNCHED.search(head) if tool_names.plain_name(pending.name) in tool_names.AGENTS else None)
    return match[1] if match and not _ENDED.search(head) else ""


def _title(pending: Pending, job: str) -> str:
    return one_line(f"{pending.command or pending.text.partition(chr(10))[0] or pending.name} ({job})", 200)


def parked(step: FoldStep, part: Part, pending: Pending) -> bool:
    """Keep a shell call whose process goes on under the id of its job, until a look at it shows how it ended."""
    job = _job(part, pending)
    if not job:
        return False
    step.state.pending.put(f"{JOB}{job}"[:80], pending)
    return True


def polled(step: FoldStep, part: Part, pending: Pending) -> Pending | None:
    """A look at a job, or the order to stop it; where it shows that the job ended by itself, the call that began it."""
    name = tool_names.plain_name(pending.name)
    if part.data.get("running") or part.data.get("status") == "running":
        step.state.watching = pending.subject
        return None
    ended = (
        name in tool_names.STOP
        or part.exit_code is not None
        or part.data.get("status") in ("completed", "failed", "killed")
        or _ENDED.search(part.text[:1500])
    )
    if not ended or not pending.subject:
        return None
    step.state.running.pop(pending.subject)
    step.state.watching = ""
    return step.state.pending.pop(f"{JOB}{pending.subject}"[:80])


def noticed(step: FoldStep, text: str) -> None:
    """A notice from the harness that a job ended."""
    if (match := _NOTICE.search(text[:2000])) and _FINISHED.search(text[:2000]):
        step.state.running.pop(match[1])
        if found := _RESULT.search(text):
            _keep_report(step, 0, found["told"])
