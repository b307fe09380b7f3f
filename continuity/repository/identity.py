"""Which repository this is, wherever it was cloned: its first commits and its remote without credentials."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass

from continuity.repository.git import Git

ROOTS = 16  # joined histories have several; a hostile one any number
HASH = re.compile(r"[0-9a-f]{40,64}\Z")
_SCP = re.compile(r"(?:[^@/\s]{1,200}@)?([A-Za-z0-9.-]{2,253}):(?![/\\])(\S{1,1000})\Z")
_URL = re.compile(r"(?:https?|ssh|git|git\+ssh|ftps?)://([^/\s]{1,1000})/(\S{1,1000})\Z", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class RepositoryIdentity:
    """`roots` are the hashes of the commits without a parent, sorted, none for a shallow clone; `remote` as `host/path`."""

    roots: tuple[str, ...] = ()
    remote: str = ""
    shallow: bool = False

    @property
    def key(self) -> str:
        """A stable name, empty where nothing tells the repository from others."""
        if not self.roots and not self.remote:
            return ""
        return hashlib.sha256("\n".join((*self.roots, self.remote)).encode()).hexdigest()[:32]

    def as_json(self) -> dict[str, object]:
        return {"key": self.key, "roots": list(self.roots), "remote": self.remote, "shallow": self.shallow}


def identity(git: Git) -> RepositoryIdentity:
    """The identity of the repository that `git` reads; all empty without one."""
    shallow = git.line("rev-parse", "--is-shallow-repository") == "true"
    found = git.read("rev-list", "--max-parents=0", f"--max-count={ROOTS}", "HEAD", "--").decode("ascii", "replace").split()
    roots = () if shallow else tuple(sorted(each for each in found if HASH.match(each)))
    return RepositoryIdentity(roots, _remote(git), shallow)


def _remote(git: Git) -> str:
    """Origin's, else that of the first name in order."""
    records = git.read("config", "-z", "--get-regexp", r"^remote\..*\.url$").decode("utf-8", "replace").split("\0")
    addresses: dict[str, str] = {}
    for record in records:
        name, _, address = record.partition("\n")
        if (plain := normalised(address)) and name not in addresses:
            addresses[name] = plain
    return addresses.get("remote.origin.url") or (addresses[min(addresses)] if addresses else "")


def normalised(address: str) -> str:
    """`host/path` of a remote's address, without scheme, credentials, port, query and `.git`; nothing for a path on this machine."""
    address = address.strip()
    if match := _URL.match(address):
        host = match[1].rpartition("@")[2].partition(":")[0]
    elif "://" not in address and (match := _SCP.match(address)):
        host = match[1]
    else:
        return ""
    path = match[2].partition("?")[0].partition("#")[0].strip("/").removesuffix(".git").strip("/")
    return f"{host.lower()}/{path}" if host and path else ""
