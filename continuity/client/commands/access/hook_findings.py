"""What the doctor finds of tools, their hooks, and what their hooks said."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import NamedTuple

from continuity.client import places
from continuity.client.hooks.dispatch import UNRECORDED
from continuity.client.light.wording import shown_path
from continuity.client.setup import claude_plugin, codex_hooks, targets

RECENT = timedelta(hours=24)


class Finding(NamedTuple):
    """`mend` is empty where nothing has to be done; `fatal` findings keep the client from its work."""

    subject: str
    said: str
    mend: str = ""
    fatal: bool = False


def of_tools() -> list[Finding]:
    found = [_of_tool(name) for name in targets.used()]
    return found or [Finding("tools", "no tool was used here that Continuity goes into")]


def _of_tool(name: str) -> Finding:
    try:
        there = targets.is_installed(name)
        by_plugin = name == "claude-code" and claude_plugin.is_enabled()
    except OSError as error:
        return Finding(name, str(error), f"mend the file, then `continuity install {name}`")
    if there and by_plugin:
        return Finding(name, "hooks in the settings and in the plugin", f"continuity uninstall {name}; continuity install {name} --plugin")
    if by_plugin:
        return Finding(name, "the plugin is installed, with the hooks")
    if name in targets.WITHOUT_HOOKS:
        return Finding(name, "the MCP server is in" if there else "nothing of Continuity; what is done there can't be recorded")
    if not there:
        return Finding(name, "no hooks", f"continuity install {name}")
    trust = codex_hooks.trust() if name == "codex" else "trusted"
    if trust == "untrusted":
        said = "hooks installed, but Codex does not run them: they are not trusted as they stand, and nothing is recorded"
        return Finding(name, said, "open Codex, type /hooks, and trust them")
    return Finding(name, "hooks installed" if trust == "trusted" else "hooks installed; Codex could not be asked whether it trusts them")


def of_hooks() -> list[Finding]:
    """Faults of the last day are to be mended; older ones are over, or would have come again. A server that was away or refused is none."""
    log = places.home() / "hooks.log"
    lines = log.read_text(encoding="utf-8", errors="replace").splitlines() if log.exists() else []
    lines = [line for line in lines if line[20:].partition(":")[0] not in UNRECORDED]
    if not lines:
        return []
    since = (datetime.now().astimezone() - RECENT).strftime("%Y-%m-%d %H:%M:%S")  # The log has local times.
    recent = [line for line in lines if line[:19] >= since]
    if not recent:
        return [Finding("hooks", f"no fault since {lines[-1][:19]}")]
    count = f"{len(recent)} faults in the last 24 hours, the last" if len(recent) > 1 else "one fault in the last 24 hours"
    return [Finding("hooks", f"{count}: {recent[-1]}", f"look at {shown_path(log)}")]
