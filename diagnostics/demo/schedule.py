"""The demo's schedule: who worked on what, when, and with what outcome, in a fortnight that ends now."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import StrEnum

SATURDAY = 5


class Outcome(StrEnum):
    """What became of a session's package; `RESUMED` ones are gone on from by the next session of the same thread."""

    NONE = "none"
    READY = "ready"
    DRAFT = "draft"
    OFFERED = "offered"
    FAILED = "failed"
    RESUMED = "resumed"


@dataclass(frozen=True, slots=True)
class DemoSession:
    """A session that began at `hour` (UTC) so many working `days` ago.

    Its package has a `budget` of tokens, and is offered with a `note`. Without `by` or `tool` they are the theme's. A `fork` goes on from
    the package of the session before the last one. One that `expires` was given the default life instead of a month. One with `packs` is
    given packs of its repository at each turn; of what it taught its person accepts the first `accepted` drafts.
    """

    days: int
    hour: float
    outcome: Outcome = Outcome.RESUMED
    by: str = ""
    tool: str = ""
    fork: bool = False
    expires: bool = False
    receipt: bool = False
    audited: bool = False
    budget: int = 4000
    note: str = ""
    packs: bool = False
    accepted: int = 0

    def begin(self, now: datetime) -> datetime:
        return working_time(now, self.days, self.hour)


def working_time(now: datetime, days: int, hour: float) -> datetime:
    """An hour (UTC) of the day that is so many working days before today."""
    day = datetime(now.year, now.month, now.day, tzinfo=UTC)
    while days:
        day -= timedelta(days=1)
        days -= day.weekday() < SATURDAY
    return day + timedelta(hours=hour)


@dataclass(frozen=True, slots=True)
class Person:
    name: str
    email: str
    role: str
    folder: str


DOMAIN = "tidewatch.example"  # reserved: no mail ever reaches it
PEOPLE = {
    "mira": Person("Mira Hansen", f"mira@{DOMAIN}", "OWNER", "/home/mira/tidewatch"),
    "jonas": Person("Jonas Petersen", f"jonas@{DOMAIN}", "OPERATOR", "/home/jonas/src/tidewatch"),
    "aylin": Person("Aylin Demir", f"aylin@{DOMAIN}", "MEMBER", "/home/aylin/code/tidewatch"),
    "ruth": Person("Ruth Okafor", f"ruth@{DOMAIN}", "VIEWER", ""),
}
SAMPLE_BY, SAMPLE_END = "mira", (2, 12.2)


@dataclass(frozen=True, slots=True)
class Model:
    """What a tool works with: the model, its window, and what told of that (nothing: the model's name does)."""

    name: str
    window: int
    told_by: str = ""


MODELS = {
    "claude-opus-4-5-20251101": Model("claude-opus-4-5-20251101", 200_000),
    "claude-sonnet-4-5-20250929": Model("claude-sonnet-4-5-20250929", 200_000),
    "claude-sonnet-4-5": Model("claude-sonnet-4-5", 200_000),
    "gpt-5.2-codex": Model("gpt-5.2-codex", 272_000, "transcript"),
    "gpt-5.2": Model("gpt-5.2", 128_000, "client"),
    "gemini-3-pro": Model("gemini-3-pro", 1_048_576),
    "qwen3-coder-30b": Model("qwen3-coder-30b", 65_536, "client"),
}
# Of each tool where a session is in another one than its theme.
OTHERS = {"claude-code": "claude-opus-4-5-20251101", "codex": "gpt-5.2-codex", "gemini-cli": "gemini-3-pro", "opencode": "qwen3-coder-30b"}
NOTE = "When frr.toml comes from the translators: copy it and run the tests, nothing else. I am back in two weeks."
_N = Outcome.NONE

SCHEDULE: dict[str, Sequence[DemoSession]] = {
    "gateway-retries": (DemoSession(10, 8.162), DemoSession(9, 12.373, _N, by="aylin", tool="claude-code", receipt=True)),
    "storm": (DemoSession(10, 10.478, _N, expires=True),),
    "feed-import": (
        DemoSession(8, 7.892, budget=1550),
        DemoSession(7, 12.173, _N, receipt=True),
        DemoSession(7, 14.290, _N, by="jonas", tool="gemini-cli", fork=True),
    ),
    "partitions": (
        DemoSession(6, 8.206, budget=1800),
        DemoSession(5, 8.647, by="aylin", receipt=True, packs=True),
        DemoSession(3, 9.192, tool="codex", receipt=True, packs=True, accepted=1),
        DemoSession(1, 13.264, _N, tool="opencode", receipt=True),
    ),
    "clock-change": (DemoSession(5, 12.788, _N),),
    "status": (DemoSession(4, 13.614), DemoSession(2, 12.947, _N, by="mira", receipt=True)),
    "weekly-report": (DemoSession(4, 9.926, Outcome.READY, audited=True, budget=700),),
    "texts": (DemoSession(3, 10.354, Outcome.OFFERED, note=NOTE),),
    "backup": (DemoSession(2, 8.857, Outcome.DRAFT, budget=900),),
    "parallel": (DemoSession(1, 8.304, Outcome.READY, audited=True, packs=True),),
    "thresholds": (DemoSession(1, 9.423, Outcome.FAILED),),
    "pause": (DemoSession(1, 7.229, _N),),
}
