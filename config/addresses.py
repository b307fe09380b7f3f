"""Addresses of the database and the broker: from the environment, else from the run file of the embedded servers."""

from __future__ import annotations

import ssl
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

from config.embedded import ports
from config.env import BadSetting, Environment
from config.supervision import runfile


@dataclass(frozen=True)
class Addresses:
    """The two URLs ("" where nothing listens yet) and whether the database is ours to start."""

    database_url: str
    redis_url: str
    embedded_database: bool
    embedded_redis: bool


def resolve(env: Environment, data_dir: Path) -> Addresses:
    """Read DATABASE_URL and REDIS_URL; what they leave open comes from a live run file."""
    database_url, redis_url = env.secret("DATABASE_URL"), env.secret("REDIS_URL")
    embedded_database, embedded_redis = not database_url, not redis_url
    if embedded_database or embedded_redis:
        run = runfile.read(runfile.location(data_dir))
        if run is not None and run.alive():
            database_url = database_url or run.database_url
            redis_url = redis_url or run.redis_url
    return Addresses(database_url, redis_url, embedded_database, embedded_redis)


def web_url(host: str, port: int) -> str:
    """Where the web process that listens there answers on this machine."""
    at = ports.reachable(host)
    return f"http://{f'[{at}]' if ':' in at else at}:{port}"


# A host that is gone without a word is noticed after about a minute, also on a connection on which nothing is asked; what was sent
# and not acknowledged is given up after half of that. `connect_timeout` holds for each address of a host.
NOTICES = {
    "connect_timeout": "5",
    "keepalives": "1",
    "keepalives_idle": "30",
    "keepalives_interval": "10",
    "keepalives_count": "3",
    "tcp_user_timeout": "30000",
}


def database_settings(url: str, pool: dict[str, Any] | None, session: Mapping[str, int] | None = None) -> dict[str, Any]:
    """Turn postgresql://user:password@host:port/name?option=value into Django's DATABASES entry.

    An empty URL gives the dummy backend: commands that need no database run, any query fails loudly.
    `pool` bounds psycopg's pool (web threads); None means one connection per use, closed after it.
    `session` are settings of Postgres for each connection (milliseconds), such as statement_timeout; those in the URL win.
    """
    if not url:
        return {"ENGINE": "django.db.backends.dummy"}
    parts = urlsplit(url)
    try:
        port = parts.port
    except ValueError:
        raise BadSetting("DATABASE_URL: the port is not a number") from None
    name = unquote(parts.path.lstrip("/"))
    if parts.scheme not in ("postgres", "postgresql") or not name:
        raise BadSetting("DATABASE_URL: expected postgresql://user:password@host:port/name")
    options: dict[str, Any] = {**NOTICES, **dict(parse_qsl(parts.query))}
    told = [f"-c {name}={value}" for name, value in (session or {}).items()]
    if told or "options" in options:
        options["options"] = " ".join([*told, options.get("options", "")]).strip()
    if pool is not None:
        options["pool"] = pool
    return {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": name,
        "USER": unquote(parts.username or ""),
        "PASSWORD": unquote(parts.password or ""),
        "HOST": options.pop("host", None) or unquote(parts.hostname or ""),
        "PORT": str(port or ""),
        "CONN_MAX_AGE": 0,
        "CONN_HEALTH_CHECKS": True,
        "OPTIONS": options,
    }


_CHECKS = {"none": ssl.CERT_NONE, "optional": ssl.CERT_OPTIONAL, "required": ssl.CERT_REQUIRED}


def broker_tls(url: str) -> dict[str, Any] | None:
    """The TLS settings of the broker's client, from the query of a rediss:// URL, as Redis' own client reads it; None without TLS.

    The server's certificate is checked unless `ssl_cert_reqs=none` says otherwise.
    """
    parts = urlsplit(url)
    if parts.scheme != "rediss":
        return None
    told: dict[str, Any] = {name: value for name, value in parse_qsl(parts.query) if name.startswith("ssl_")}
    wanted = str(told.get("ssl_cert_reqs", "required")).lower().removeprefix("cert_")
    if wanted not in _CHECKS:
        raise BadSetting("REDIS_URL: ssl_cert_reqs is one of none, optional, required")
    told["ssl_cert_reqs"] = _CHECKS[wanted]
    if "ssl_check_hostname" in told:
        told["ssl_check_hostname"] = told["ssl_check_hostname"].lower() in ("1", "true", "yes")
    elif wanted == "none":
        told["ssl_check_hostname"] = False
    return told
