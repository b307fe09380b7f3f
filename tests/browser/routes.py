"""Every page that can be looked at, found by following the links as someone would."""

from __future__ import annotations

from collections import defaultdict, deque
from html.parser import HTMLParser
from urllib.parse import urljoin, urlsplit

from django.urls import Resolver404, URLPattern, URLResolver, get_resolver, resolve
from playwright.sync_api import APIRequestContext

# Some pages of one route differ by what they show: a draft and a resumed handoff, an open and a handed-off conversation.
VARIANTS = {"conversation": 3, "handoff": 3}
ELSEWHERE = ("/admin/", "/api/", "/static/")

# Routes that are no pages for a browser: what they are instead.
POST = "takes a POST only"
LETTER = "its address is told once, to one person"
NOT_PAGES = {
    "api-docs": "Swagger's own page",
    "artifacts": POST,
    "change-role": POST,
    "client-file": "files to take away",
    "demo-remove": "only where there is a demo",
    "handoff-answer": POST,
    "handoff-offer": POST,
    "handoff-step": POST,
    "health": "JSON",
    "join": LETTER,
    "leave-team": "not offered to the only owner",
    "live": "the event stream",
    "logout": POST,
    "metrics": "for Prometheus",
    "note-statement": POST,
    "order-agent": POST,
    "package": "a file to take away",
    "password-reset-confirm": LETTER,
    "ready": "JSON",
    "rate-turn": POST,
    "rename-team": POST,
    "rename": POST,
    "single-sign-on": "only where it is set up",
    "single-sign-on-back": "only where it is set up",
    "retry-letter": POST,
    "saw-alert": POST,
    "say-to-group": POST,
    "state-resolve": POST,
    "state-restore": POST,
    "test-alerts": POST,
    "window": POST,
}


def names() -> list[str]:
    """The names of all routes that must be reached, the admin's and the API's own aside."""
    tops = [entry for entry in get_resolver().url_patterns if not str(entry.pattern).startswith(("admin/", "api/"))]
    patterns = [found for top in tops for found in (top.url_patterns if isinstance(top, URLResolver) else [top])]
    return sorted({pattern.name for pattern in patterns if isinstance(pattern, URLPattern) and pattern.name} - NOT_PAGES.keys())


def crawled(request: APIRequestContext, *starts: str) -> dict[str, list[str]]:
    """The addresses of pages by route name, at most VARIANTS of each (one if not named); every one answered 200 with HTML."""
    found: dict[str, list[str]] = defaultdict(list)
    seen: set[str] = set()
    waiting = deque(starts)
    while waiting:
        address = waiting.popleft()
        name = _name(address)
        if name is None or address in seen or len(found[name]) >= VARIANTS.get(name, 1):
            continue
        seen.add(address)
        answer = request.get(address)
        if "text/html" not in answer.headers.get("content-type", ""):
            continue
        assert answer.status == 200, f"{address} answers {answer.status}"
        found[name].append(address)
        waiting.extend(_links(address, answer.text()))
    return found


def _name(address: str) -> str | None:
    path = urlsplit(address).path
    if path.startswith(ELSEWHERE):
        return None
    try:
        name = resolve(path).url_name
    except Resolver404:
        return None
    return None if name in NOT_PAGES else name


def _links(address: str, html: str) -> list[str]:
    collector = _Links()
    collector.feed(html)
    # A form's address shows the form to who has no scripts, or takes a POST only.
    joined = (urlsplit(urljoin(address, link)) for link in collector.found)
    return [f"{link.path}?{link.query}" if link.query else link.path for link in joined if not link.netloc]


class _Links(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        link = dict(attrs).get({"a": "href", "form": "action"}.get(tag, ""))
        if link:
            self.found.append(link)
