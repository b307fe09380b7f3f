"""Things that a command made elsewhere, by the addresses and ids that its result names."""

from __future__ import annotations

import re

from continuity.knowledge.evidence import MadeOutside
from continuity.knowledge.extractors.shell.parser import Simple
from continuity.knowledge.state.step import FoldStep

READ = 4_000  # characters of a result, at its end
URL, ID = 200, 60
MOST = 4  # from one result

_ADDRESS = re.compile(r"https?://[^\s\"'<>)\]}\x1b]{6,200}")
_KINDS = (
    ("comment", re.compile(r"/(?:pull|issues|merge_requests)/\d+#(?:issuecomment|discussion_r|pullrequestreview|note)[-_]?(?P<id>\d+)$")),
    ("pull request", re.compile(r"/(?:pull|pulls|merge_requests|pull-requests)/(?P<id>\d+)$")),
    ("issue", re.compile(r"/issues?/(?P<id>\d+|[A-Z][A-Z0-9]+-\d+)(?:/[\w-]*)?$|/browse/(?P<key>[A-Z][A-Z0-9]+-\d+)$")),
    ("run", re.compile(r"/(?:actions/runs|pipelines|builds|jobs)/(?P<id>\d+)")),
    ("release", re.compile(r"/releases/(?:tag/)?(?P<id>[\w.-]+)$")),
    ("discussion", re.compile(r"/discussions/(?P<id>\d+)$")),
    ("gist", re.compile(r"gist\.github\.com/(?:[\w-]+/)?(?P<id>[0-9a-f]{20,40})$")),
    ("package", re.compile(r"(?:npmjs\.com/package|pypi\.org/project|crates\.io/crates)/(?P<id>[\w@./-]+)$")),
    ("deployment", re.compile(
        r"https?://(?P<id>[\w.-]+\.(?:vercel\.app|netlify\.app|pages\.dev|workers\.dev|fly\.dev|onrender\.com|herokuapp\.com|web\.app|run\.app))/?$"
    )),
)  # fmt: skip
_NEW_PULL = re.compile(r"/(?:pull/new|compare|merge_requests/new)\b")
_CONTAINER = re.compile(r"^[0-9a-f]{64}$", re.M)
_IMAGE = re.compile(r"(?:writing image sha256:|naming to |Successfully tagged )(?P<id>\S{3,100})")
_RUN = re.compile(r"\b(?:[Rr]un|[Dd]eployment|[Jj]ob|[Bb]uild)(?: id| ID)?[ :#]+(?P<id>\d{5,20}|[A-Za-z]{2,6}_[\w]{6,40})\b")
_STARTS = frozenset(("run", "start", "up", "create"))


def starts(commands: list[Simple]) -> bool:
    """Whether a command starts something elsewhere with a verb that otherwise changes nothing there."""
    return any(c.program in ("docker", "podman") or c.words[:3] == ["gh", "workflow", "run"] for c in commands)


def observe(step: FoldStep, commands: list[Simple], text: str) -> None:
    """Enter what a run made that changed something elsewhere; `text` is what it printed."""
    window = text[-READ:]
    programs = {command.program for command in commands}
    verbs = {word for command in commands for word in command.words[1:4]}
    if programs & {"docker", "podman"}:
        for match in _CONTAINER.finditer(window) if verbs & _STARTS else ():
            _enter(step, "container", match[0][:12])
        for match in _IMAGE.finditer(window) if "build" in verbs else ():
            _enter(step, "image", match["id"])
    else:
        addressed(step, window)
        if programs & {"gh", "glab", "vercel", "railway", "fly", "flyctl"} and (run := _RUN.search(window)):
            _enter(step, "run", run["id"])


def addressed(step: FoldStep, text: str) -> None:
    """Enter the issues, pull requests and the like whose addresses a text tells, the last ones."""
    found: dict[str, tuple[str, str]] = {}
    for match in _ADDRESS.finditer(text[-READ:]):
        url = match[0].rstrip(".,;:`")
        if _NEW_PULL.search(url) or url.startswith("https://api."):
            continue
        for kind, pattern in _KINDS:
            if place := pattern.search(url):
                groups = place.groupdict()
                found.setdefault(url, (kind, groups.get("id") or groups.get("key") or ""))
                break
    for url, (kind, id) in list(found.items())[-MOST:]:
        _enter(step, kind, f"#{id}" if id.isdigit() and kind in ("pull request", "issue", "discussion") else id, url)


def known_as(step: FoldStep, kind: str, id: str, url: str = "") -> None:
    """Enter what a tracker says that it made."""
    _enter(step, kind, id, url)


def _enter(step: FoldStep, kind: str, id: str, url: str = "") -> None:
    made = MadeOutside(kind, id[:ID], step.seq, url[:URL])
    known = step.state.made.get(f"{kind} {made.id}")
    if known is None or (url and not known.url):
        step.state.made.put(f"{kind} {made.id}", made)
