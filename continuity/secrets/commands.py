"""Secrets that are told by the option of a command: `curl -u name:password`, `mysql -ppassword`, `sshpass -p password`."""

from __future__ import annotations

from continuity.secrets.patterns import pattern
from continuity.secrets.values import is_placeholder

# From a command's name to its option, on its own line or lines: not past a pipe, `&&` or `;`.
_ON = r"\b(?:[^\n|;&]|&(?!&)|\\\n){0,600}?[\s\"',]"
# Between an option and its value: a space, `=`, or the end of a quoted word and the beginning of the next one, as in a list.
_TO = r"(?:\s{1,4}|=|\\?[\"'],\s{0,4})"
_VALUE = r"(?:\\?\"([^\"\\\r\n]{2,256})|\\?'([^'\\\r\n]{2,256})|([^\s\"'$`<>{}|;&\\-][^\s\"'`|;&<>\\]{1,255}))"
_NAME_AND_VALUE = (
    r"(?:\\?\"[^\":\\\r\n]{1,128}:([^\"\\\r\n]{2,256})|\\?'[^':\\\r\n]{1,128}:([^'\\\r\n]{2,256})"
    r"|[^\s\"':$`<>{}\\]{1,128}:([^\s\"'$`<>{}|;&\\][^\s\"'`|;&<>\\]{1,255}))"
)
_MYSQL = r"\b(?:mysql(?:dump|admin|import|show|check|sh|pump)?|mariadb(?:-dump|-admin)?)"


def _is_password(value: str) -> bool:
    """Whether the value is none that an example would show (`$PW`, `<password>`, `PASSWORD`)."""
    return not is_placeholder(value) and not (value.isupper() and value.isalpha())


def _is_login(value: str) -> bool:
    """Whether this is a password, and no number of a group or a port."""
    return _is_password(value) and not value.isdigit()


def _are_cookies(value: str) -> bool:
    return "=" in value and _is_password(value.partition("=")[2])


COMMANDS = (
    pattern("password", "curl", r"\bcurl" + _ON + r"-(?:[a-zA-Z#]{0,6}u|-user|-proxy-user|U)" + _TO + _NAME_AND_VALUE, is_secret=_is_login),
    pattern("password", "curl", r"\bcurl" + _ON + r"-[a-zA-Z]{0,6}u" + _NAME_AND_VALUE, is_secret=_is_login),
    pattern("cookie", "curl", r"\bcurl" + _ON + r"-(?:[a-zA-Z#]{0,6}b|-cookie)" + _TO + _VALUE, is_secret=_are_cookies),
    pattern("password", "auth", r"\bhttps?" + _ON + r"(?:-a|--auth)" + _TO + _NAME_AND_VALUE, is_secret=_is_login),
    pattern("password", "mysql mariadb", _MYSQL + _ON + r"-p" + _VALUE, is_secret=_is_login),
    pattern("password", "sshpass", r"\bsshpass" + _ON + r"-p(?:\s{1,4}|\\?[\"'],\s{0,4})?" + _VALUE, is_secret=_is_password),
    pattern("password", "redis-cli valkey-cli", r"\b(?:redis|valkey)-cli" + _ON + r"(?:-a|--pass)" + _TO + _VALUE, is_secret=_is_password),
    pattern(
        "password",
        " login",
        r"\b(?:docker|podman|helm registry|az|oc|skopeo|buildah) login" + _ON + r"-p" + _TO + _VALUE,
        is_secret=_is_password,
    ),
    pattern("password", "ldap", r"\bldap(?:search|modify|add|delete|passwd|whoami)" + _ON + r"-w" + _TO + _VALUE, is_secret=_is_password),
    pattern("password", "mongo", r"\bmongo(?:sh|dump|restore|export|import)?" + _ON + r"-p" + _TO + _VALUE, is_secret=_is_login),
    pattern(
        "password",
        "openssl",
        r"\bopenssl" + _ON + r"-pass(?:in|out)?" + _TO + r"\\?[\"']?pass:([^\s\"'\\$]{2,256})",
        is_secret=_is_password,
    ),
    pattern("password", "--pass", r"--pass(?:word|wd|phrase)?=" + _VALUE, is_secret=_is_password),
)
