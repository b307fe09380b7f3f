"""continuity install: hooks, a plugin or the MCP server put into a tool, after showing what changes."""

from __future__ import annotations

import argparse
import difflib
import json
import shlex
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

from continuity.client import places, terminal
from continuity.client.light import exclusions
from continuity.client.light.wording import shown_path
from continuity.client.main import DONE, FAILED
from continuity.client.running import UnknownName
from continuity.client.setup import changes as settings_changes
from continuity.client.setup import claude_plugin, commit_hook, hook_settings, mcp_servers, settings_files, targets
from continuity.client.setup.changes import SettingsChange


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "tool", choices=[*targets.TARGETS, targets.GIT], help="`git`: commits in this repository name the session that made them"
    )
    parser.add_argument("--project", action="store_true", help="for this folder only: Claude Code's .claude/settings.local.json")
    parser.add_argument("--yes", action="store_true", help="write without asking")
    parser.add_argument("--only", action="append", metavar="PATH", type=Path, help="record this folder and none besides; may be repeated")
    parser.add_argument("--everywhere", action="store_true", help="take back what --only said")
    parser.add_argument("--plugin", action="store_true", help="Claude Code: as a plugin, with the MCP server, commands and a skill too")
    parser.add_argument("--mcp", action="store_true", help="the MCP server too, with tools to look things up, to hand over and to resume")
    parser.add_argument("--diff", action="store_true", help="show each line that changes")
    parser.add_argument("--no-status-line", action="store_true", help="leave Claude Code's status line, which tells us the context window")


def run(options: argparse.Namespace) -> int:
    if missing := [each for each in options.only or () if not each.expanduser().is_dir()]:
        raise UnknownName(f"there is no folder {shown_path(missing[0])}, so nothing at all would be recorded; nothing was changed")
    if options.tool == targets.GIT:
        return settle(options, [commit_hook.install(Path.cwd())], remember=False)
    if options.plugin:
        return _with_plugin(options)
    # A folder's status line would hide the person's own one.
    line = not options.project and not options.no_status_line
    changes = planned(options.tool, project=options.project, status_line=line, mcp=options.mcp)
    code = settle(options, changes, remember=True)
    if code == DONE and options.mcp:
        code = _register_server(options)
    if code == DONE:
        _limit(options)
    if code == DONE and not options.json:
        if options.tool in targets.AFTERWARDS:
            terminal.show(targets.AFTERWARDS[options.tool])
        if options.project and _is_committed(changes[0]):
            terminal.show(f"{shown_path(changes[0].path)} names places of this machine: keep it out of git (.gitignore).")
    return code


def _register_server(options: argparse.Namespace) -> int:
    """Has a tool that keeps its servers itself take ours, unless it has it."""
    if options.tool not in mcp_servers.BY_COMMAND or mcp_servers.is_known(options.tool):
        return DONE
    words = mcp_servers.command(options.tool)
    shown = f"{targets.TARGETS[options.tool].shown}"
    if shutil.which(words[0]) is None:
        terminal.note(f"{words[0]} is not in your PATH, so it does not have the MCP server yet. Run where it is: {shlex.join(words)}")
        return FAILED
    if told := mcp_servers.run_tool(words):
        terminal.note(f"{shown} refused the MCP server: {told}")
        return FAILED
    if not options.json:
        terminal.show(f"{shown} has the MCP server.")
    return DONE


def planned(tool: str, *, project: bool = False, status_line: bool = True, mcp: bool = False) -> list[SettingsChange]:
    """The changes that installing makes; the status line is Claude Code's alone. Raises Unreadable, and UnknownName beside the plugin."""
    if tool == "claude-code" and claude_plugin.is_enabled():
        raise UnknownName("Claude Code has the plugin, whose hooks are the same: `continuity uninstall claude-code --plugin` takes it out")
    return targets.install(tool, project=project, status_line=status_line and tool == "claude-code", mcp=mcp)


def write(changes: Sequence[SettingsChange], *, remember: bool) -> None:
    """`remember` what was there."""
    for change in changes:
        if change.before != change.after:
            settings_changes.apply(change, remember=remember)


def _with_plugin(options: argparse.Namespace) -> int:
    """The hooks come out of the settings once Claude Code took the plugin: no event is answered twice, and none by nobody."""
    if options.tool != "claude-code" or options.project:
        raise UnknownName("the plugin is for Claude Code, and for all its folders")
    settings = hook_settings.without_hooks(
        status_line=not options.no_status_line
    )  # What can't be read is refused before anything is written.
    claude = shutil.which("claude")
    steps_told = [] if claude is None else [f"Claude Code: installs the plugin {claude_plugin.FULL_NAME} from there"]
    if not _agreed(options, claude_plugin.changes(), steps_told, [settings] if claude else []):
        return FAILED
    place = claude_plugin.write()
    steps = claude_plugin.steps(place)
    refused = [told for words in steps if claude and (told := mcp_servers.run_tool([claude, *words])) and words[1] != "uninstall"]
    if claude and not refused:
        write([settings], remember=True)
    if options.json:
        terminal.show_json({"path": str(place), "installed": bool(claude) and not refused, "trouble": refused})
    elif claude is None:
        lines = ["claude " + " ".join(map(shlex.quote, words)) for words in steps if words[1] != "uninstall"]
        lines.append("continuity install claude-code --plugin   # once more: it takes the hooks out of the settings, which the plugin has")
        written = f"Written: {shown_path(place)}. Claude Code is not in your PATH, so it does not have it yet. Run where it is:"
        terminal.show("\n".join([written, *lines]))
    elif not refused:
        also = f" and {shown_path(settings.path)}" if settings.before != settings.after else ""
        terminal.show(f"Claude Code has the plugin {claude_plugin.FULL_NAME}, from its next start on. Written: {shown_path(place)}{also}")
    for told in refused:
        terminal.note(f"Claude Code refused it: {told}")
    if not refused:
        _limit(options)
    return FAILED if refused else DONE


def without_plugin(options: argparse.Namespace) -> int:
    """Takes the plugin, its marketplace and the status line out."""
    claude = shutil.which("claude")
    settings = hook_settings.uninstall(options.tool)
    steps_told = [] if claude is None else [f"Claude Code: removes the plugin {claude_plugin.FULL_NAME} and its marketplace"]
    if not _agreed(options, claude_plugin.changes(there=False), steps_told, settings):
        return FAILED
    steps = [["plugin", "uninstall", claude_plugin.FULL_NAME], ["plugin", "marketplace", "remove", claude_plugin.NAME]]
    refused = [told for words in steps if claude and (told := mcp_servers.run_tool([claude, *words]))]
    shutil.rmtree(claude_plugin.folder(), ignore_errors=True)
    for told in refused:
        terminal.note(f"Claude Code refused it: {told}")
    write(settings, remember=False)
    _show_result(options, settings, written=True, said=_written([change for change in settings if change.before != change.after]))
    return FAILED if refused else DONE


def _agreed(options: argparse.Namespace, files: Sequence[SettingsChange], told: Sequence[str], settings: Sequence[SettingsChange]) -> bool:
    """Whether somebody agrees to the plugin's `files`, to what the tool is `told`, and to the change of the `settings`; shows it all first,
    a line for each, or with --diff each line."""
    wanted = [change for change in settings if change.before != change.after]
    if not options.json:
        changed = [change for change in files if change.before != change.after]
        if options.diff:
            for change in changed:
                _show(change)
        elif changed:
            what = "removes" if changed[0].after is None else "renews" if changed[0].before is not None else "puts in"
            terminal.show(f"{shown_path(claude_plugin.folder())}: {what} the plugin, {len(changed)} files: {claude_plugin.PARTS}")
        for line in told:
            terminal.show(line)
        for change, line in zip(wanted, targets.described(wanted), strict=True):
            _show(change) if options.diff else terminal.show(line)
    if options.yes or terminal.confirm("Do this?"):
        return True
    if options.json:
        terminal.show_json({"path": str(claude_plugin.folder()), "installed": False, "trouble": []})
    terminal.note("nothing was written; --yes writes without asking")
    return False


def _limit(options: argparse.Namespace) -> None:
    """Keeps to which folders recording is limited."""
    if options.everywhere:
        Path(exclusions.only_file()).unlink(missing_ok=True)
        told = "Recording is no longer limited to some folders, in any tool."
    elif options.only:
        folders = [str(each.expanduser().absolute()) for each in options.only]
        places.write(Path(exclusions.only_file()), json.dumps({"folders": folders}) + "\n")
        told = f"From now on nothing is recorded, in any tool, but what is done in {' or '.join(map(shown_path, folders))}."
    else:
        return
    if not options.json:
        terminal.show(told)


def settle(options: argparse.Namespace, changes: Sequence[SettingsChange], *, remember: bool) -> int:
    """Shows the differences, and writes them where somebody agrees."""
    wanted = [change for change in changes if change.before != change.after]
    if not wanted:
        _show_result(options, changes, written=False, said=f"{shown_path(changes[0].path)}: nothing to change.")
        return DONE
    if not options.json:
        for change, line in zip(wanted, targets.described(wanted), strict=True):
            _show(change) if options.diff else terminal.show(line)
    if not (options.yes or terminal.confirm("Write this?")):
        _show_result(options, changes, written=False, said="Nothing was written; --yes writes without asking.")
        return FAILED
    write(changes, remember=remember)
    _show_result(options, changes, written=True, said=_written(wanted))
    return DONE


def _written(changed: Sequence[SettingsChange]) -> str:
    return "\n".join(f"{'Removed' if change.after is None else 'Written'}: {shown_path(change.path)}" for change in changed)


def _show(change: SettingsChange) -> None:
    before, after = ((text or "").removeprefix(settings_files.BOM).splitlines(keepends=True) for text in (change.before, change.after))
    for line in difflib.unified_diff(before, after, str(change.path), str(change.path)):
        name = {"+": "green", "-": "red"}.get(line[0])
        shown = line.rstrip("\r\n")
        terminal.show(terminal.colour(shown, name) if name else shown)


def _show_result(options: argparse.Namespace, changes: Sequence[SettingsChange], *, written: bool, said: str) -> None:
    if not options.json:
        terminal.show(said)
        return
    told = {"path": str(changes[0].path), "written": written, "after": changes[0].after}
    terminal.show_json({**told, "also": [str(change.path) for change in changes[1:]]})


def _is_committed(change: SettingsChange) -> bool:
    """Whether git would take the file into a commit."""
    git = shutil.which("git")
    if git is None:
        return False
    inside = subprocess.run([git, "rev-parse", "--is-inside-work-tree"], cwd=change.path.parent, capture_output=True, check=False)
    if inside.returncode != 0:
        return False
    return subprocess.run([git, "check-ignore", "-q", str(change.path)], cwd=change.path.parent, check=False).returncode == 1
