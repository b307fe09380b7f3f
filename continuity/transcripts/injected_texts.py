"""Texts that a tool files under its user though nobody typed them: notices of jobs, feedback of hooks, refusals, prompts of its own.

Each is known by how it begins, since a tool writes it as a text of its own. Wrappers within a text are `words`' matter.
"""

from __future__ import annotations

import json
import re

NOTICE = 4000  # characters of a notice that is a JSON object

_EVENTS = (
    "PreToolUse|PostToolUse|PostToolUseFailure|PermissionRequest|PermissionDenied|Notification|UserPromptSubmit|UserPromptExpansion"
    "|SessionStart|SessionEnd|Stop|StopFailure|SubagentStart|SubagentStop|PreCompact|PostCompact|TeammateIdle|TaskCreated|TaskCompleted"
    "|ConfigChange|InstructionsLoaded|CwdChanged|FileChanged|WorktreeCreate|WorktreeRemove|Elicitation|ElicitationResult|Setup"
)
_WHOLE = re.compile(
    rf"\s*(?:(?:{_EVENTS})(?::[^\s:]{{1,200}})? hook (?:feedback|additional context|(?:returned )?(?:non-)?(?:blocking )?error"
    r"|non-blocking status code|stopped continuation|success|cancelled|warning|failed|timed out)[^\n:]{0,200}:"
    r"|Operation stopped by hook:|Base directory for this skill: |Unknown (?:slash command|skill): \S{1,200}\s*\Z"
    # what Claude Code asks its model beside the conversation
    r"|\[SUGGESTION MODE: |The user stepped away and is coming back\. Recap "
    r"|CRITICAL: Respond with TEXT ONLY\. Do NOT call any tools\."
    r"|Your task is to create a detailed summary of the (?:conversation|RECENT portion)\b"
    # Codex
    r"|Warning: (?:apply_patch was requested via|The maximum number of unified exec|Your account was flagged|Heads up: Long threads)"
    r"|You are performing a CONTEXT CHECKPOINT COMPACTION\b"
    # Gemini CLI
    r"|This is the Gemini CLI\. We are setting up the context for our chat\.|System: Please continue\.\s*\Z"
    # opencode
    r"|Summarize the task tool output above and continue with your task\.\s*\Z|The following tool was executed by the user\s*\Z"
    r"|Called the \w{1,40} tool with the following input: \{"
    # Cline and Roo Code
    r"|\[ERROR\] You did not use a tool in your previous response!)"
)
# A tool's own words that lead to what its user says in tags: all but these are the tool's.
_LEADS = re.compile(r"\s*(?:\[TASK RESUMPTION\]|New message to respond to with plan_mode_respond tool\b)")
_REFUSAL = re.compile(r"\s*The user doesn't want to (?:proceed with this tool use|take this action right now)\.")
_SAID = re.compile(r"(.*?(?:the user said:|the following reason for the rejection:))\s*(.+)\Z", re.DOTALL)
_NOTE_AFTER = re.compile(r"\n\nNote: The user's next message may contain .*\Z", re.DOTALL)
# Commands that set the tool up: what stands behind them is an option, no word to the agent.
_SETTING = (
    "add-dir|agents|allowed-tools|release-notes|install-github-app|branch|clear|color|config|context|copy|cost|doctor|effort|exit|export|extra-usage|fast|fork|help|hooks"
    "|ide|keybindings|login|logout|mcp|memory|model|new|output-style|permissions|plugin|plugins|privacy-settings|quit|reload-plugins"
    "|remote-control|rename|resume|rewind|sandbox|skills|stats|status|tag|tasks|terminal-setup|theme|todos|upgrade|usage|vim|voice"
)
_SETS_UP = re.compile(
    r"\s*(?:<command-message>[^<]{0,200}</command-message>\s*)?<command-name>/(?:" + _SETTING + r")</command-name>"
    r"(?:\s*<command-message>[^<]{0,200}</command-message>)?(?:\s*<command-args>[^<]{0,2000}</command-args>)?\s*\Z"
)
_TEAM_NOTICES = frozenset((
    "idle_notification", "shutdown_request", "shutdown_approved", "shutdown_response", "shutdown_rejected", "task_assignment",
    "task_completed", "plan_approval_request", "plan_approval_response", "permission_request", "permission_response", "mode_set_request",
    "teammate_terminated",
))  # fmt: skip
# What stands in the agent's place where it said nothing.
_FILLERS = frozenset(("No response requested.", "(no content)"))


def is_injected(text: str) -> bool:
    """Whether a tool wrote the whole text."""
    return _WHOLE.match(text) is not None or _SETS_UP.match(text) is not None or _is_notice(text)


def leads_in(text: str) -> bool:
    """Whether a tool wrote the text but for what stands in tags as its user's words."""
    return _LEADS.match(text) is not None


def is_filler(text: str) -> bool:
    """Whether a tool put the text where the agent said nothing."""
    return len(text) < 40 and text.strip() in _FILLERS


def is_rejection(text: str) -> bool:
    """Whether a text says that the person did not allow a tool to run."""
    return _REFUSAL.match(text) is not None


def words_in_rejection(text: str) -> tuple[str, str]:
    """A rejected tool's result as the tool's words and what the person typed to say why, which may be empty."""
    found = _SAID.match(text) if is_rejection(text) else None
    said = _NOTE_AFTER.sub("", found[2]).strip() if found else ""
    # a wish to talk about a question first is told in the tool's words
    return (found[1].strip(), said) if found and said and not said.startswith("The user wants to clarify") else (text, "")


def _is_notice(text: str) -> bool:
    """Whether the text is an object by which a tool tells of a job of its own or of a teammate."""
    words = text.strip()
    if len(words) > NOTICE or not (words.startswith("{") and words.endswith("}")) or '"t' not in words:
        return False
    try:
        notice = json.loads(words)
    except (ValueError, RecursionError):
        return False
    if not isinstance(notice, dict):
        return False
    if isinstance(notice.get("task_id"), str):
        return not notice.keys().isdisjoint(("task_type", "tool_use_id", "status", "output_file"))
    return isinstance(notice.get("type"), str) and notice["type"] in _TEAM_NOTICES
