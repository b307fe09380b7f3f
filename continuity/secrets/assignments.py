"""Secrets that are told by the name they are assigned to: `DB_PASSWORD=…`, `"apiKey": "…"`."""

from __future__ import annotations

import re
import string
from collections.abc import Iterator

from continuity.secrets.model import SecretSpan
from continuity.secrets.values import entropy

WORDS_OF_PASSWORDS = ("password", "passwd", "passphrase", "pwd")
WORDS_OF_KEYS = ("apikey", "api_key", "api-key", "access_key", "accesskey", "private_key", "auth_key")
TRIGGERS = frozenset((*WORDS_OF_PASSWORDS, *WORDS_OF_KEYS, "secret", "token", "credential"))
_WORD = re.compile("|".join(re.escape(word) for word in sorted(TRIGGERS, key=lambda word: (-len(word), word))))
# From the end of the word: the rest of the name, an assignment, an optional quote, the value. A space assigns to a flag.
_ASSIGNED = re.compile(
    r"([\w.-]{0,24}?)\\?[\"'`]?\]?(\s{0,4}(?:=>|:=|=|:)\s{0,4}|\s{1,4})(?:\\?[\"'`])?([^\s\"'`,;\\<>(){}\[\]|&]{4,512})",
    re.ASCII,
)
_NAME_CHARS = string.ascii_letters + string.digits + "_.-"
# Names that speak about secrets without holding one: counts, ids, kinds, places.
_NAME_OF_SOMETHING_ELSE = re.compile(
    r"tokens|[_-]?(?:ids?|names?|types?|count|limit|budget|usage|file|path|url|uri|length|size|version|field|header|kind|manager|service"
    r"|ref|arn|expir\w*|ttl|hash)\Z",
    re.IGNORECASE | re.ASCII,
)
_PLACEHOLDER = re.compile(
    r"\A(?:\$|%|\{|<|\*|#|/|\./|~/|https?:)|x{4,}|\*{3,}|\.\.\.|example|placeholder|your[-_]|change-?me|redacted|process\.env|environ"
    r"|getenv|undefined|dummy|\A(?:null|none|true|false|secret:?)\Z",
    re.IGNORECASE,
)
# A name or a call, words joined by dashes, a number with its unit, a path.
_CODE = re.compile(
    r"[A-Za-z_$]+(?:[.:][A-Za-z_$?!]+)*[?!.:]?\Z|[a-z]+(?:[-_/.][a-z]+)*\Z|[\d.,:%/+-]+[a-zA-Z]{0,2}\Z|[\w@.-]{0,31}/[\w@./-]{0,31}\Z"
    r"|[\w@.-]+/[\w@./-]+\.\w{1,5}\Z",
    re.ASCII,
)
_NUMBERED_NAME = re.compile(r"[A-Za-z_$][A-Za-z_$.:-]*\d{1,3}\Z", re.ASCII)
MIN_ENTROPY = 2.8


def assigned_matches(text: str, lowered: str, present: set[str]) -> Iterator[SecretSpan]:
    """The spans of values assigned to names of secrets, where the value looks like one."""
    if TRIGGERS.isdisjoint(present):
        return
    position = 0
    for word in _WORD.finditer(lowered):
        if word.start() < position or not (found := _ASSIGNED.match(text, word.end())):
            continue
        before = text[max(0, word.start() - 40) : word.start()]
        name = before[len(before.rstrip(_NAME_CHARS)) :] + text[word.start() : word.end()] + found.group(1)
        value = found.group(3)
        # A long value is judged once, not again from every such word inside it.
        position = found.end() if len(value) > 64 else position
        assigned = found.group(2)
        if _NAME_OF_SOMETHING_ELSE.search(name) or (assigned.isspace() and not name.startswith("--")):
            continue
        kind = kind_of(word.group())
        if is_secret_value(value, kind, environment=name.isupper() and assigned == "="):
            yield SecretSpan(found.start(3), found.end(3), kind)


def is_secret_value(value: str, kind: str, *, environment: bool = False) -> bool:
    """Whether `value` is no placeholder, code or number; an upper-case environment variable needs no digits."""
    if _PLACEHOLDER.search(value):
        return False
    if environment:
        return not value.isdigit()
    if len(value) < 8 or _CODE.match(value) or (kind != "password" and _NUMBERED_NAME.match(value)):
        return False
    return any(c.isdigit() for c in value) and any(c.isalpha() for c in value) and entropy(value) >= MIN_ENTROPY


def kind_of(word: str) -> str:
    """The kind of secret that a word of a name tells of, in lower case."""
    if word in WORDS_OF_PASSWORDS:
        return "password"
    return "api-key" if word.endswith("key") else word
