"""Git as a reader: a few plumbing commands that write nothing, run nothing that a repository configures, and reach no network."""

from __future__ import annotations

import os
import selectors
import shutil
import subprocess
import tempfile
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, cast

from continuity.repository.limits import DEFAULT, Limits

READS = frozenset({"rev-parse", "rev-list", "ls-files", "diff-tree", "diff-index", "cat-file", "config", "blame"})
# Only in this form: `config` also writes, `diff-index` runs filters on the work tree, and `blame` programs that show files as text.
FORMS = {"config": "--get-regexp", "diff-index": "--cached", "blame": "--no-textconv"}
# What a repository's own configuration could make git run or fetch.
GUARDS = (
    "core.fsmonitor=false",
    "core.hooksPath=/dev/null",
    "core.pager=cat",
    "core.quotePath=false",
    "protocol.allow=never",
    "safe.bareRepository=explicit",
    "log.showSignature=false",
    "i18n.logOutputEncoding=UTF-8",
)
OURS = {
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_NO_REPLACE_OBJECTS": "1",
    "LC_ALL": "C",
}
CHUNK = 1 << 16


class NotARead(Exception):
    """This command of git could write, and is never run."""


@dataclass(slots=True)
class Git:
    """Commands in one folder."""

    folder: Path
    limits: Limits = DEFAULT

    def read(self, *arguments: str, lines: Sequence[str] = ()) -> bytes:
        """Run a reading git command with `lines` on its input, and return its output: nothing where it fails, and at most `output_bytes`
        within `seconds`, after which it is ended. Raises NotARead."""
        _check(arguments)
        program = _program()
        if program is None:
            return b""
        guards = [part for guard in GUARDS for part in ("-c", guard)]
        with tempfile.TemporaryFile() as given:
            given.write("".join(line + "\n" for line in lines).encode("utf-8", "surrogateescape"))
            given.seek(0)
            try:
                process = subprocess.Popen(
                    [program, "--no-pager", *guards, *arguments],
                    cwd=self.folder,
                    env=_environment(),
                    stdin=given,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.DEVNULL,
                    start_new_session=True,
                )
            except OSError:
                return b""
            return self._output(process)

    def line(self, *arguments: str) -> str:
        """The first line that the command writes."""
        return self.read(*arguments).decode("utf-8", "replace").partition("\n")[0].strip()

    def _output(self, process: subprocess.Popen[bytes]) -> bytes:
        deadline, size = time.monotonic() + self.limits.seconds, 0
        pieces: list[bytes] = []
        with cast("IO[bytes]", process.stdout) as stream, selectors.DefaultSelector() as waiting:
            waiting.register(stream, selectors.EVENT_READ)
            while size < self.limits.output_bytes and (left := deadline - time.monotonic()) > 0:
                if not waiting.select(left):
                    break
                piece = os.read(stream.fileno(), CHUNK)
                if not piece:
                    break
                pieces.append(piece)
                size += len(piece)
        if process.poll() is None:
            with suppress(subprocess.TimeoutExpired):
                process.wait(0.2)
        if process.poll() is None:
            with suppress(OSError):
                os.killpg(process.pid, 9)
            process.wait()
        return b"".join(pieces)


def _check(arguments: Sequence[str]) -> None:
    command = arguments[0] if arguments else ""
    if command not in READS or FORMS.get(command, command) not in arguments:
        raise NotARead(command)
    if any(part.startswith("--output") for part in arguments):
        raise NotARead(" ".join(arguments))


def _program() -> str | None:
    """Git's own place. A folder of PATH that is not absolute would be looked for in the repository, which may hold another `git`."""
    folders = os.environ.get("PATH", os.defpath).split(os.pathsep)
    return shutil.which("git", path=os.pathsep.join(filter(os.path.isabs, folders)))


def _environment() -> dict[str, str]:
    """The caller's without git's own variables: a hook of git would otherwise lead us to its repository."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    return kept | OURS
