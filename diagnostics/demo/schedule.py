"""The demo's schedule: who worked on what, when, and with what outcome, in a fortnight that ends now."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum


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
    """A session that began `ago` days before now and did the steps up to `until` (a share of the theme's, 0..1).

    `filled` is the share of the window in use at its end. Without `by` or `tool` they are the theme's. A `fork` goes on from
    the package of the session before the last one. One that `expires` was given the default life instead of a month.
    """

    ago: float
    until: float
    filled: float
    outcome: Outcome = Outcome.RESUMED
    by: str = ""
    tool: str = ""
    model: str = ""
    fork: bool = False
    expires: bool = False
    receipt: bool = False
    audited: bool = False


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
SAMPLE_BY, SAMPLE_AGO = "mira", 1.7

_R, _N = Outcome.RESUMED, Outcome.NONE
CLAUDE, CODEX, GEMINI = ("claude-code", "claude-opus-4-5-20251101"), ("codex", "gpt-5.2-codex"), ("gemini-cli", "gemini-3-pro")

SCHEDULE: dict[str, Sequence[DemoSession]] = {
    "tidewatch:fix/gateway-retries": (
        DemoSession(13.3, 0.4, 0.71, _R),
        DemoSession(12.9, 0.8, 0.64, _R, by="aylin", tool=CLAUDE[0], model=CLAUDE[1], receipt=True),
        DemoSession(12.2, 1.0, 0.29, _N, receipt=True),
    ),
    "tidewatch-ops:main": (DemoSession(12.8, 0.75, 0.44, _N, expires=True),),
    "tidewatch:feature/feed-import": (
        DemoSession(11.4, 0.4, 0.86, _R),
        DemoSession(11.1, 1.0, 0.58, _N, receipt=True),
        DemoSession(10.9, 0.8, 0.06, _N, by="jonas", tool=GEMINI[0], model=GEMINI[1], fork=True),
    ),
    "tidewatch-web:perf/map": (DemoSession(10.3, 0.6, 0.87, _R, audited=True), DemoSession(9.4, 1.0, 0.41, _N, receipt=True)),
    "tidewatch-ops:backup": (DemoSession(9.2, 0.8, 0.52, Outcome.READY),),
    "tidewatch:feature/pause": (DemoSession(8.3, 1.0, 0.09, _N),),
    "tidewatch-web:a11y/settings": (DemoSession(8.1, 0.6, 0.76, _R), DemoSession(7.2, 1.0, 0.48, _N)),
    "tidewatch:db/partitions": (
        DemoSession(7.4, 0.34, 0.88, _R, receipt=True),
        DemoSession(6.2, 0.5, 0.79, _R, by="aylin"),
        DemoSession(4.3, 0.67, 0.86, _R, tool=CODEX[0], model=CODEX[1], receipt=True),
        DemoSession(0.4, 0.84, 0.82, _N, receipt=True),
    ),
    "tidewatch:fix/clock-change": (DemoSession(6.1, 1.0, 0.37, _N),),
    "tidewatch-web:feature/weekly-report": (DemoSession(5.2, 0.8, 0.12, Outcome.READY, audited=True),),
    "tidewatch:i18n/alerts": (DemoSession(3.9, 0.8, 0.62, Outcome.OFFERED),),
    "tidewatch-ops:fix/status": (DemoSession(3.2, 0.6, 0.73, _R), DemoSession(2.3, 1.0, 0.35, _N, by="mira")),
    "tidewatch-ops:ops/postgres-18": (DemoSession(2.1, 0.84, 0.77, Outcome.DRAFT),),
    "tidewatch:feature/rate-limit": (DemoSession(1.2, 0.8, 0.88, Outcome.READY),),
    "tidewatch:data/thresholds": (DemoSession(0.9, 0.25, 0.58, Outcome.FAILED),),
}
