"""What is set where TLS is spoken, read in a process of its own, as a start reads it."""

from __future__ import annotations

import json
import os
import subprocess
import sys

from tests.conftest import PROJECT

ASKED = """
import json
from config import settings
print(json.dumps({name: getattr(settings, name) for name in (
    "SESSION_COOKIE_SECURE", "CSRF_COOKIE_SECURE", "SECURE_HSTS_SECONDS", "CONTINUITY_PROXIES", "EMAIL_BACKEND", "CONTINUITY_API_RATE")}))
"""


def told(**environment: str) -> dict[str, object]:
    answer = subprocess.run(
        [sys.executable, "-c", ASKED], cwd=PROJECT, env={**os.environ, **environment}, capture_output=True, text=True, check=True
    )
    found: dict[str, object] = json.loads(answer.stdout)
    return found


def test_it_works() -> None:
    behind = told(CONTINUITY_TLS="1", SMTP_HOST="mail.example.com", CONTINUITY_API_RATE="100/second")
    assert behind["SESSION_COOKIE_SECURE"] is behind["CSRF_COOKIE_SECURE"] is True
    assert (behind["SECURE_HSTS_SECONDS"], behind["CONTINUITY_PROXIES"]) == (31_536_000, 1)
    assert (behind["EMAIL_BACKEND"], behind["CONTINUITY_API_RATE"]) == ("django.core.mail.backends.smtp.EmailBackend", [100, 1])


def test_without_tls_a_browser_may_come_as_it_is() -> None:
    plain = told(CONTINUITY_TLS="", SMTP_HOST="", CONTINUITY_API_RATE="")
    assert plain["SESSION_COOKIE_SECURE"] is False
    assert (plain["SECURE_HSTS_SECONDS"], plain["CONTINUITY_PROXIES"]) == (0, 0)
    assert plain["EMAIL_BACKEND"] == "django.core.mail.backends.console.EmailBackend"
