"""Tokens that can be told by their shape, and the literal without which no pattern needs to run."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from continuity.secrets.model import SecretSpan
from continuity.secrets.values import entropy, is_placeholder, is_words

# Every quantifier is bounded: a hostile text costs no more than a constant per character.


@dataclass(frozen=True, slots=True)
class Pattern:
    """A secret's shape. `triggers` are lower-case literals, one of which stands in each match.

    The secret is the last group that took part in the match, or the `whole` match. One that is `anywhere` may begin inside a word:
    nothing else looks like it. `is_secret` is asked last.
    """

    kind: str
    triggers: frozenset[str]
    regex: re.Pattern[str]
    anywhere: bool = False
    whole: bool = False
    is_secret: Callable[[str], bool] | None = None


def pattern(
    kind: str, triggers: str | tuple[str, ...], regex: str, *, anywhere: bool = False, is_secret: Callable[[str], bool] | None = None
) -> Pattern:
    """A pattern of our own; `triggers` in one text are separated by spaces."""
    needed = triggers.split() if isinstance(triggers, str) else triggers
    return Pattern(kind, frozenset(needed), re.compile(regex, re.ASCII), anywhere=anywhere, is_secret=is_secret)


def _has_digit(secret: str) -> bool:
    return any(c.isdigit() for c in secret)


def _is_generated(secret: str) -> bool:
    """Whether this was made by a machine: it has digits, and is more than words joined by dashes."""
    return _has_digit(secret) and not is_words(secret)


def _is_bearer(secret: str) -> bool:
    # An example names its value in words (`Bearer your-token-here`); a real one carries digits.
    return _has_digit(secret) and not is_placeholder(secret)


def _is_url_token(secret: str) -> bool:
    return any(c.isalpha() for c in secret) and _is_generated(secret) and "%40" not in secret and entropy(secret) >= 3.0


def _is_url_password(secret: str) -> bool:
    return not is_placeholder(secret) and not _EXAMPLE_PASSWORD.search(secret)


_EXAMPLE_PASSWORD = re.compile(r"password\b|passwd\b|\buser\b|\bpass\b", re.IGNORECASE)

PATTERNS = (
    pattern("continuity-key", "cont_", r"cont_[0-9a-f]{12}_[A-Za-z0-9_-]{12,64}", anywhere=True),
    pattern("anthropic-key", "sk-ant-", r"sk-ant-[A-Za-z0-9_-]{16,512}", is_secret=_is_generated),
    pattern(
        "openai-key",
        "sk-",
        r"sk-(?!ant-)(?:(?:proj|svcacct|admin|or-v1|live|test)-)?[A-Za-z0-9_-]{20,512}",
        is_secret=lambda secret: _is_generated(secret.removeprefix("sk-")),
    ),
    pattern("github-token", "ghp_ gho_ ghu_ ghs_ ghr_", r"gh[pousr]_[A-Za-z0-9_]{30,255}", anywhere=True, is_secret=_has_digit),
    pattern("github-token", "github_pat_", r"github_pat_[A-Za-z0-9_]{22,255}", anywhere=True, is_secret=_has_digit),
    pattern("slack-token", "xox xapp-", r"(?:xox[a-z]|xapp)-[A-Za-z0-9-]{10,255}", is_secret=_has_digit),
    pattern("google-api-key", "aiza", r"AIza[A-Za-z0-9_-]{35}"),
    pattern("google-oauth-token", "ya29.", r"ya29\.[A-Za-z0-9_-]{20,1024}"),
    pattern("huggingface-token", "hf_", r"hf_[A-Za-z0-9]{30,64}", anywhere=True),
    pattern("npm-token", "npm_", r"npm_[A-Za-z0-9]{36}", anywhere=True),
    pattern("groq-key", "gsk_", r"gsk_[A-Za-z0-9]{40,64}", anywhere=True),
    pattern("xai-key", "xai-", r"xai-[A-Za-z0-9]{40,120}", anywhere=True),
    pattern("stripe-key", "k_live_ k_test_", r"[rsp]k_(?:live|test)_[A-Za-z0-9]{20,128}"),
    pattern("digitalocean-token", "_v1_", r"do[opr]_v1_[a-f0-9]{64}", anywhere=True),
    pattern("databricks-token", "dapi", r"dapi[a-f0-9]{32}"),
    pattern("docker-token", "dckr_", r"dckr_[op]at_[A-Za-z0-9_-]{20,128}", anywhere=True),
    pattern("grafana-token", "glsa_ glc_", r"gl(?:sa|c)_[A-Za-z0-9+/=_]{30,512}", anywhere=True, is_secret=_has_digit),
    pattern("vault-token", "hvs. hvb.", r"hv[sb]\.[A-Za-z0-9_-]{24,512}", is_secret=_has_digit),
    pattern("shopify-token", "shp", r"shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}", anywhere=True),
    pattern("atlassian-token", "atatt3x", r"ATATT3x[A-Za-z0-9_=-]{50,512}"),
    pattern("age-key", "age-secret-key-", r"AGE-SECRET-KEY-1[A-Z0-9]{50,64}"),
    pattern(
        "telegram-token", ":aa telegram /bot", r"(?<!\d)\d{8,10}:[A-Za-z0-9_-]{35}(?![A-Za-z0-9_-])", anywhere=True, is_secret=_is_generated
    ),
    pattern("jwt", "eyj", r"(?<![A-Za-z0-9])eyJ[A-Za-z0-9_-]{8,2048}\.eyJ[A-Za-z0-9_-]{8,2048}\.[A-Za-z0-9_-]{10,2048}", anywhere=True),
    pattern("bearer-token", "bearer", r"[Bb][Ee][Aa][Rr][Ee][Rr]\s{1,4}([A-Za-z0-9._~+/-]{16,2048}={0,2})", is_secret=_is_bearer),
    pattern("basic-auth", "basic", r"[Aa]uthorization\\?[\"']?:\s{0,4}\\?[\"']?[Bb]asic\s{1,4}([A-Za-z0-9+/]{8,512}={0,2})"),
    pattern(
        "url-password",
        "://",
        r"[a-z][a-z0-9+.-]{1,24}+://[^\s:/@\"'<>{}$]{0,128}:([^\s:/@\"'<>{}$]{3,256})@[\w.\[-]",
        is_secret=_is_url_password,
    ),
    pattern("url-token", "://", r"[a-z][a-z0-9+.-]{1,24}+://([^\s:/@\"'<>{}$]{16,512})@[\w.\[-]", is_secret=_is_url_token),
    pattern("npm-token", "_authtoken", r"_authToken=([^\s\"'$]{8,256})"),
)

# What ends the word before a token though its last character is a letter or a digit: an escaped line break or tab as it stands in
# nested JSON, a character as an address or JSON writes it, the colour of a terminal.
_ESCAPE = re.compile(r"(?:\\[nrt]|%[0-9A-Fa-f]{2}|\\u[0-9A-Fa-f]{4}|\[[\d;]{1,8}m)\Z")


def shaped_matches(text: str, present: set[str], patterns: tuple[Pattern, ...] = PATTERNS) -> Iterator[SecretSpan]:
    """The spans of those `patterns` in `text` of which a trigger is `present` in its lower-case form."""
    for each in patterns:
        if each.triggers.isdisjoint(present):
            continue
        for match in each.regex.finditer(text):
            if not (each.anywhere or _begins_word(text, match.start())):
                continue
            start, end = match.span(0 if each.whole else match.lastindex or 0)
            if each.is_secret is None or each.is_secret(text[start:end]):
                yield SecretSpan(start, end, each.kind)


def _begins_word(text: str, start: int) -> bool:
    """Whether a word begins at `start`: a token's shape inside a longer word is chance. A path or a name may hold a token."""
    return start == 0 or not text[start - 1].isalnum() or bool(_ESCAPE.search(text[max(0, start - 10) : start]))
