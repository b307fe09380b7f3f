"""Become the wanted user, tie one's life to the parent's, then become the given program. Run as a script, standard library only.

A program of its own rather than a function called between fork and exec: there the threads of whoever forks could interfere.
"""

from __future__ import annotations

import ctypes
import os
import sys
from pathlib import Path

CLONE_NEWUSER = 0x10000000
PR_SET_PDEATHSIG = 1
NOBODY = 65534
KEEP, NAMESPACE = "keep", "namespace"


def die_with_parent(death_signal: int, parent: int | None = None) -> None:
    """Ask the kernel to signal this process when its parent ends, also by kill -9 (Linux; elsewhere the next start cleans up)."""
    if sys.platform != "linux":
        return
    ctypes.CDLL(None, use_errno=True).prctl(PR_SET_PDEATHSIG, death_signal, 0, 0, 0)
    if parent is not None and os.getppid() != parent:
        os._exit(1)  # The parent ended before it could be watched.


def enter_namespace() -> None:
    """See oneself as nobody in a user namespace of one's own; outside, the process keeps its user and loses all rights of root."""
    uid, gid = os.geteuid(), os.getegid()
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.unshare(CLONE_NEWUSER) != 0:
        raise OSError(ctypes.get_errno(), "unshare")
    for name, text in (("setgroups", "deny"), ("uid_map", f"{NOBODY} {uid} 1"), ("gid_map", f"{NOBODY} {gid} 1")):
        Path(f"/proc/self/{name}").write_text(text, encoding="ascii")


def main(user: str, death_signal: str, parent: str, *command: str) -> None:
    if user == NAMESPACE:
        enter_namespace()
    elif user != KEEP:
        uid, gid = (int(part) for part in user.split(":"))
        os.setgroups([])
        os.setgid(gid)
        os.setuid(uid)
    die_with_parent(int(death_signal), int(parent))  # After the change of user, which would undo it.
    os.execv(command[0], command)


if __name__ == "__main__":
    try:
        main(*sys.argv[1:])
    except OSError as error:
        print(f"continuity: cannot start {sys.argv[4]} as {sys.argv[1]}: {error}", file=sys.stderr)
        sys.exit(126)
