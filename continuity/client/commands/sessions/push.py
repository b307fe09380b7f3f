"""continuity push: session files as they are, whole, in any format that can be read, with the files of their sub-agents."""

from __future__ import annotations

import argparse
from pathlib import Path

from continuity.client import terminal
from continuity.client.client import Client
from continuity.client.light import exclusions
from continuity.client.light.wording import shown_path
from continuity.client.main import AWAY, DONE, FAILED
from continuity.client.recording import finding
from continuity.client.recording.sending import Sender
from continuity.client.recording.session_recorder import SessionRecorder
from continuity.client.recording.spool import Spool
from continuity.client.recording.whole_files import NO_ROOM, NOT_RECORDED, push_file
from continuity.transcripts import FORMATS, TranscriptError, detect

# Formats that tools write line by line; of others the whole file changes with every message.
GROWING = frozenset({"claude-code", "codex", "copilot-cli"})


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("files", metavar="FILE", nargs="+", type=Path)
    parser.add_argument("--format", choices=sorted(FORMATS), help="default: found from the content")


def run(options: argparse.Namespace) -> int:
    if until := exclusions.paused():
        terminal.note(f"recording is paused {until}: nothing was sent")
        return FAILED
    spool = Spool()
    sender = Sender(Client(acting=False), spool, terminal.note)
    results = []
    for path in dict.fromkeys(path for named in options.files for path in finding.with_agents(named)):
        try:
            results.append(_push(path, options.format or detect(path), sender))
        except (TranscriptError, OSError) as error:
            results.append({"file": str(path), "error": str(error)})
    sender.drain()
    if options.json:
        terminal.show_json(results)
    else:
        for result in results:
            terminal.show(_line(result))
    return FAILED if any("error" in result for result in results) else AWAY if spool.count() else DONE


def _push(path: Path, format: str, sender: Sender) -> dict[str, object]:
    if format in GROWING:
        recorder = SessionRecorder(path, sender, terminal.note, format=format)
        while recorder.step():
            terminal.progress(f"{path.name}: {recorder.read:,} messages")
        recorder.finish()
        recorder.close()
        terminal.progress("")
        if recorder.waits:
            raise OSError(NO_ROOM)
        if recorder.left_out:
            raise OSError(NOT_RECORDED.format(reason=recorder.left_out))
        return {"file": str(path), "conversation_id": recorder.conversation, "messages": recorder.read}
    conversation, messages = push_file(path, format, sender, lambda done: terminal.progress(f"{path.name}: {done:,} messages"))
    terminal.progress("")
    return {"file": str(path), "conversation_id": conversation, "messages": messages}


def _line(result: dict[str, object]) -> str:
    if "error" in result:
        return f"{terminal.colour('failed', 'red')}  {shown_path(str(result['file']))}: {result['error']}"
    where = f"conversation {result['conversation_id']}" if result["conversation_id"] else "kept on disk until the server is back"
    file = shown_path(str(result["file"]))
    sent = f"{result['messages']:,} messages of {file} sent" if result["messages"] else f"nothing new in {file}"
    return f"{sent}: {where}"
