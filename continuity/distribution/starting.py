"""First file of continuity.pyz: unpacks the client into its folder, once for each build, and starts it from there.

Hooks run at every step of an agent: from plain files Python starts twice as fast as from an archive, since it keeps them compiled.
The command `bin/continuity` of the folder always starts the build that was run last. Python 3.6 can read this file, so that it can
say that it is too old.
"""

import errno
import os
import shutil
import sys
import tempfile
import zipfile

NEEDED = (3, 11)
TOLD = "continuity: the client needs Python {}.{} or newer, and this is {}.{}; run it with a newer one: python3.12 continuity.pyz\n"
KEPT = 3  # builds: a recorder that an older one started may still run


def main() -> int:
    if sys.version_info < NEEDED:
        sys.stderr.write(TOLD.format(*NEEDED, *sys.version_info[:2]))
        return 2
    archive = os.path.dirname(os.path.abspath(__file__))
    home = os.path.abspath(os.environ.get("CONTINUITY_HOME") or os.path.expanduser("~/.continuity"))
    try:
        for folder in (home, os.path.join(home, "client")):
            os.makedirs(folder, 0o700, exist_ok=True)
        program = os.path.join(unpack(archive, os.path.join(home, "client")), "continuity", "client", "__main__.py")
        launch(os.path.join(home, "bin"), program)
    except OSError as error:
        reason = os.strerror(errno.ENOTDIR) if isinstance(error, FileExistsError) else error.strerror or error
        sys.stderr.write(f"continuity: the client can't be unpacked into {home}: {reason}\n")
        return 1
    return os.execv(sys.executable, [sys.executable, "-IS", program, *sys.argv[1:]])


def unpack(archive: str, place: str) -> str:
    """The folder with the client's files; of several that unpack at once the first one wins. Raises OSError."""
    with zipfile.ZipFile(archive) as held:
        folder = os.path.join(place, held.read("BUILD").decode())
        if os.path.isdir(folder):
            os.utime(folder)
            return folder
        fresh = tempfile.mkdtemp(prefix=".", dir=place)
        try:
            held.extractall(fresh, [name for name in held.namelist() if name.startswith("continuity/")])
            os.rename(fresh, folder)
        except OSError:
            shutil.rmtree(fresh, ignore_errors=True)
            if not os.path.isdir(folder):
                raise
    forget_old(place)
    return folder


def forget_old(place: str) -> None:
    builds = [os.path.join(place, name) for name in os.listdir(place) if not name.startswith(".")]
    for old in sorted(builds, key=written)[:-KEPT]:
        shutil.rmtree(old, ignore_errors=True)


def written(path: str) -> float:
    """The time of writing; of what another start deletes in this moment, long ago."""
    try:
        return os.path.getmtime(path)
    except OSError:
        return 0.0


def launch(place: str, program: str) -> None:
    """Puts the command there that starts the program, where it is not there already. Raises OSError."""
    text = f'#!/bin/sh\nexec {quoted(interpreter())} -IS {quoted(program)} "$@"\n'
    path = os.path.join(place, "continuity")
    if os.path.exists(path):
        with open(path, encoding="utf-8") as there:
            if there.read() == text:
                return
    os.makedirs(place, 0o700, exist_ok=True)
    fresh = f"{path}.{os.getpid()}"
    with open(fresh, "w", encoding="utf-8") as stream:
        stream.write(text)
    os.chmod(fresh, 0o700)
    os.replace(fresh, path)


def interpreter() -> str:
    """This Python; where it is an environment's, the one that it was made of, since hooks outlive environments."""
    return str(getattr(sys, "_base_executable", "") or sys.executable) if sys.prefix != sys.base_prefix else sys.executable


def quoted(word: str) -> str:
    """The word as a shell takes it."""
    return "'" + word.replace("'", "'\"'\"'") + "'"


if __name__ == "__main__":
    sys.exit(main())
