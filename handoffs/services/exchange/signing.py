"""The installation's own signing key, and the keys that it trusts."""

import os
import secrets
from pathlib import Path

from django.conf import settings

from continuity.core.errors import Unavailable
from handoffs.contract.signature import public_of

SIZE = 32


def private() -> bytes:
    """The 32 raw bytes of the key that packages are signed with: the environment's, else the one in the data folder, made on
    first use and readable by its owner only. Raises Unavailable where it can't be kept."""
    if settings.CONTINUITY_SIGNING_KEY:
        return bytes(settings.CONTINUITY_SIGNING_KEY)
    path = Path(settings.CONTINUITY_SIGNING_KEY_FILE)
    try:
        return _kept(path) or _made(path)
    except OSError as error:
        detail = "The signing key can't be read or kept in the data folder: set CONTINUITY_SIGNING_KEY, or let us write there."
        raise Unavailable(detail, retry_after=60) from error


def public() -> bytes:
    """The 32 raw bytes by which others check what was signed here. Raises Unavailable."""
    return public_of(private())


def trusted() -> list[bytes]:
    """The public keys whose packages are taken in, our own first. Raises Unavailable."""
    return [public(), *settings.CONTINUITY_TRUSTED_KEYS]


def _kept(path: Path) -> bytes | None:
    try:
        key = path.read_bytes()
    except FileNotFoundError:
        return None
    if len(key) != SIZE:
        raise OSError(f"{path.name} holds no key")
    return key


def _made(path: Path) -> bytes:
    """A new key, in one step: of several processes that make one, the first one's is everybody's."""
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_name(f"{path.name}.{secrets.token_hex(8)}")
    descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(descriptor, "wb") as stream:
            stream.write(secrets.token_bytes(SIZE))
            stream.flush()
            os.fsync(stream.fileno())
        os.link(fresh, path)
    except FileExistsError:
        pass
    finally:
        fresh.unlink()
    return path.read_bytes()
