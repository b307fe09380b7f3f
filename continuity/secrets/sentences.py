"""Passwords that somebody tells in a sentence: "the admin password is hunter2!", "das Passwort lautet …"."""

from __future__ import annotations

from continuity.secrets.patterns import pattern
from continuity.secrets.values import is_placeholder, is_words

# Not "passe", which stands in every report of tests that passed.
_FOREIGN = ("passwort", "kennwort", "passcode", "contraseña", "mot de passe")
_TRIGGERS = ("password", "passwd", "passphrase", *_FOREIGN)
_NAMES = r"(?i)(?<![\w-])(?:[\w-]{0,24}-)?(?:password|passwd|passphrase|passcode|passwort|kennwort|mot de passe|contraseña)"
_IS = r"\b[^.\n!?:=;]{0,60}?\s(?:is|was|be|to|ist|lautet|war|est|es)\s{1,4}(?:now |jetzt |:\s?)?"
# Not in English, where `password: …` is an assignment.
_ASSIGNED = r"(?i)(?<![\w-])(?:[\w-]{0,24}-)?(?:passwort|kennwort|passcode|mot de passe|contraseña|pw)\s{0,4}[:=]\s{0,4}"
_QUOTED = r"\\?[\"'`“„«‘]([^\s\"'`“”„«»’\\]{4,128})"
_BARE = r"([^\s,;\"'`“”„«»’‘<>({\[/$\\][^\s,;\"'`“”«»’<>]{2,126}[^\s,;\"'`“”«»’<>.:?)\]])"


def _is_told(value: str) -> bool:
    """Whether this is no word: sentences speak of passwords far more often than they tell one."""
    if is_placeholder(value) or value.endswith("()") or not any(c.isalpha() for c in value):
        return False
    return any(c.isdigit() for c in value) or any(c in "!@#%^&*+=?$~" for c in value[:-1])


def _is_told_in_quotes(value: str) -> bool:
    """Whether this is more than a short name, which code has in quotes too."""
    return _is_told(value) or not (is_placeholder(value) or (len(value) < 12 and is_words(value)) or value.endswith("()"))


SENTENCES = tuple(
    pattern("password", triggers, before + value, anywhere=True, is_secret=is_secret)
    for triggers, before in ((_TRIGGERS, _NAMES + _IS), ((*_FOREIGN, "pw:", "pw="), _ASSIGNED))
    for value, is_secret in ((_QUOTED, _is_told_in_quotes), (_BARE, _is_told))
)
