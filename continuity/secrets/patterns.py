"""Tokens that can be told by their shape, and the literal without which no pattern needs to run."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from continuity.secrets.model import Span

# Every quantifier is bounded: a hostile text costs no more than a constant per character.


@dataclass(frozen=True, slots=True)
class Pattern:
    """A secret's shape; the secret is `group` of a match. `triggers` are lower-case literals, one of which it contains."""

    kind: str
    triggers: frozenset[str]
    regex: re.Pattern[str]
    group: int = 0


def _shape(kind: str, triggers: str, regex: str) -> Pattern:
    compiled = re.compile(regex, re.ASCII)
    return Pattern(kind, frozenset(triggers.split()), compiled, group=min(compiled.groups, 1))


PATTERNS = (
    _shape("anthropic-key", "sk-ant-", r"sk-ant-[A-Za-z0-9_-]{16,512}"),
    _shape("openai-key", "sk-", r"sk-(?!ant-)(?:(?:proj|svcacct|admin|or-v1|live|test)-)?[A-Za-z0-9_-]{20,512}"),
    _shape("github-token", "ghp_ gho_ ghu_ ghs_ ghr_", r"gh[pousr]_[A-Za-z0-9_]{30,255}"),
    _shape("github-token", "github_pat_", r"github_pat_[A-Za-z0-9_]{22,255}"),
    _shape("slack-token", "xox xapp-", r"(?:xox[a-z]|xapp)-[A-Za-z0-9-]{10,255}"),
    _shape("google-api-key", "aiza", r"AIza[A-Za-z0-9_-]{35}"),
    _shape("google-oauth-token", "ya29.", r"ya29\.[A-Za-z0-9_-]{20,1024}"),
    _shape("huggingface-token", "hf_", r"hf_[A-Za-z0-9]{30,64}"),
    _shape("npm-token", "npm_", r"npm_[A-Za-z0-9]{36}"),
    _shape("groq-key", "gsk_", r"gsk_[A-Za-z0-9]{40,64}"),
    _shape("xai-key", "xai-", r"xai-[A-Za-z0-9]{40,120}"),
    _shape("stripe-key", "k_live_ k_test_", r"[rsp]k_(?:live|test)_[A-Za-z0-9]{20,128}"),
    _shape("digitalocean-token", "_v1_", r"do[opr]_v1_[a-f0-9]{64}"),
    _shape("databricks-token", "dapi", r"dapi[a-f0-9]{32}"),
    _shape("age-key", "age-secret-key-", r"AGE-SECRET-KEY-1[A-Z0-9]{50,64}"),
    _shape("jwt", "eyj", r"(?<![A-Za-z0-9_])eyJ[A-Za-z0-9_-]{8,2048}\.eyJ[A-Za-z0-9_-]{8,2048}\.[A-Za-z0-9_-]{10,2048}"),
    _shape("bearer-token", "bearer", r"[Bb][Ee][Aa][Rr][Ee][Rr]\s{1,4}([A-Za-z0-9._~+/-]{16,2048}={0,2})"),
    _shape("basic-auth", "basic", r"[Aa]uthorization[\"']?:\s{0,4}[\"']?[Bb]asic\s{1,4}([A-Za-z0-9+/]{8,512}={0,2})"),
    _shape("url-password", "://", r"[a-z][a-z0-9+.-]{1,24}://[^\s:/@\"'<>{}$]{0,128}:([^\s:/@\"'<>{}$]{3,256})@[\w.\[-]"),
    _shape("npm-token", "_authtoken", r"_authToken=([^\s\"'$]{8,256})"),
)

# The literal text \n or \t, as it stands in nested JSON, ends the word before it.
_ESCAPED_SPACE = re.compile(r"\\[nrt]\Z")
_DIGIT = re.compile(r"\d", re.ASCII)
# A Bearer or URL example names its value in words (`Bearer your-token-here`); a real one carries digits.
_NEEDS_DIGIT = frozenset({"bearer-token", "openai-key", "anthropic-key", "github-token", "slack-token"})
_PLACEHOLDER = re.compile(r"x{4,}|\*{3,}|\.{3}|example|placeholder|your[-_]|changeme|password\b|passwd\b|\buser\b|\bpass\b", re.IGNORECASE)


TRIGGERS = frozenset[str]().union(*(pattern.triggers for pattern in PATTERNS))


def shaped_matches(text: str, present: set[str], patterns: tuple[Pattern, ...] = PATTERNS) -> Iterator[Span]:
    """The spans of those `patterns` in `text` of which a trigger is `present` in its lower-case form."""
    for pattern in patterns:
        if pattern.triggers.isdisjoint(present):
            continue
        for match in pattern.regex.finditer(text):
            start, end = match.span(pattern.group)
            if _stands_alone(text, match.start()) and not _is_example(pattern.kind, text[start:end]):
                yield Span(start, end, pattern.kind)


def _stands_alone(text: str, start: int) -> bool:
    """Whether a word begins at `start`: a token's shape inside base64 or a longer name is chance."""
    if start == 0 or not (text[start - 1].isalnum() or text[start - 1] in "_+/-"):
        return True
    return (text[start - 1] in "/-" and not text[start - 2 : start - 1].isalnum()) or bool(
        _ESCAPED_SPACE.search(text[max(0, start - 2) : start])
    )


def _is_example(kind: str, secret: str) -> bool:
    if kind in _NEEDS_DIGIT and not _DIGIT.search(secret):
        return True
    return kind in ("bearer-token", "url-password") and bool(_PLACEHOLDER.search(secret))
