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
    """A session that began at `hour` (UTC) so many working `days` ago and did the steps up to `until` (a share of the theme's).

    `filled` is the share of the window in use at its end. Without `by` or `tool` they are the theme's. A `fork` goes on from
    the package of the session before the last one. One that `expires` was given the default life instead of a month.
    """

    days: int
    hour: float
    until: float
    filled: float
    outcome: Outcome = Outcome.RESUMED
    by: str = ""
    tool: str = ""
    fork: bool = False
    expires: bool = False
    receipt: bool = False
    audited: bool = False

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


DOMAIN = "tidewatch.example"  # reserved: no mail ever reaches it
PEOPLE = {
    "mira": Person("Mira Hansen", f"mira@{DOMAIN}", "OWNER"),
    "jonas": Person("Jonas Petersen", f"jonas@{DOMAIN}", "OPERATOR"),
    "aylin": Person("Aylin Demir", f"aylin@{DOMAIN}", "MEMBER"),
    "ruth": Person("Ruth Okafor", f"ruth@{DOMAIN}", "VIEWER"),
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
OTHERS = {"claude-code": "claude-opus-4-5-20251101", "codex": "gpt-5.2-codex", "gemini-cli": "gemini-3-pro"}
_R, _N = Outcome.RESUMED, Outcome.NONE

SCHEDULE: dict[str, Sequence[DemoSession]] = {
    "tidewatch:fix/gateway-retries": (
        DemoSession(10, 8.1, 0.4, 0.17),
        DemoSession(10, 13.3, 0.8, 0.24, by="aylin", tool="claude-code", receipt=True),
        DemoSession(9, 9.6, 1.0, 0.11, _N, receipt=True),
    ),
    "tidewatch-ops:main": (DemoSession(10, 10.4, 0.75, 0.31, _N, expires=True),),
    "tidewatch:feature/feed-import": (
        DemoSession(9, 7.8, 0.4, 0.86),
        DemoSession(9, 13.1, 1.0, 0.27, _N, receipt=True),
        DemoSession(8, 10.2, 0.8, 0.04, _N, by="jonas", tool="gemini-cli", fork=True),
    ),
    "tidewatch-web:perf/map": (DemoSession(8, 8.4, 0.6, 0.46, audited=True), DemoSession(7, 8.9, 1.0, 0.22, _N, receipt=True)),
    "tidewatch-ops:backup": (DemoSession(7, 9.7, 0.8, 0.16, Outcome.READY),),
    "tidewatch:feature/pause": (DemoSession(7, 13.4, 1.0, 0.05, _N),),
    "tidewatch-web:a11y/settings": (DemoSession(6, 12.9, 0.6, 0.26), DemoSession(5, 13.2, 1.0, 0.18, _N)),
    "tidewatch:db/partitions": (
        DemoSession(6, 8.2, 0.34, 0.88, receipt=True),
        DemoSession(5, 8.6, 0.5, 0.39, by="aylin"),
        DemoSession(3, 9.1, 0.67, 0.23, tool="codex", receipt=True),
        DemoSession(1, 13.2, 0.84, 0.78, _N, receipt=True),
    ),
    "tidewatch:fix/clock-change": (DemoSession(4, 8.7, 1.0, 0.28, _N),),
    "tidewatch-web:feature/weekly-report": (DemoSession(4, 9.9, 0.8, 0.05, Outcome.READY, audited=True),),
    "tidewatch:i18n/alerts": (DemoSession(3, 10.3, 0.8, 0.14, Outcome.OFFERED),),
    "tidewatch-ops:fix/status": (DemoSession(3, 13.6, 0.6, 0.29), DemoSession(2, 13.1, 1.0, 0.21, _N, by="mira")),
    "tidewatch-ops:ops/postgres-18": (DemoSession(2, 8.8, 0.84, 0.33, Outcome.DRAFT),),
    "tidewatch:feature/rate-limit": (DemoSession(1, 8.3, 0.8, 0.88, Outcome.READY),),
    "tidewatch:data/thresholds": (DemoSession(1, 9.4, 0.25, 0.24, Outcome.FAILED),),
}
