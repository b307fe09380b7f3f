"""continuity uninstall: hooks and MCP server taken out again, and the settings as they were."""

from __future__ import annotations

import argparse
from pathlib import Path

from continuity.client import terminal
from continuity.client.commands.tools import install
from continuity.client.main import FAILED
from continuity.client.setup import commit_hook, mcp_servers, targets


def arguments(parser: argparse.ArgumentParser) -> None:
    install.arguments(parser)


def run(options: argparse.Namespace) -> int:
    if options.tool == targets.GIT:
        return install.settle(options, [commit_hook.uninstall(Path.cwd())], remember=False)
    if options.plugin:
        return install.without_plugin(options)
    code = install.settle(options, targets.uninstall(options.tool, project=options.project), remember=False)
    return _without_server(options.tool) or code


def _without_server(tool: str) -> int:
    """Has a tool that keeps its servers itself forget ours."""
    if tool not in mcp_servers.REMOVING or not mcp_servers.is_known(tool):
        return 0
    told = mcp_servers.run_tool([mcp_servers.BY_COMMAND[tool][0], *mcp_servers.REMOVING[tool]])
    if told:
        terminal.note(f"{targets.TARGETS[tool].shown} keeps the MCP server: {told}")
    return FAILED if told else 0
