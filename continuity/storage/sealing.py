"""Bodies that only the holder of a key can read: AES-256-GCM, each under the id of its key. Pure.

A sealed body: `CSE` and the version of this form (1 byte, now 1), the id of the key (8 bytes), a random nonce (12), the ciphertext with
its tag (16). What is authenticated beside it is this header and the name under which it is stored: it can't be moved to another name.
A body that does not begin so was stored before there were keys, and is read as it is.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Sequence
from dataclasses import dataclass

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from continuity.storage.sessions import DamagedRecord, UnknownStateKey

MAGIC, VERSION = b"CSE", 1
KEY, ID, NONCE, TAG = 32, 8, 12, 16
HEADER = len(MAGIC) + 1 + ID
OVERHEAD = HEADER + NONCE + TAG


def is_sealed(body: bytes) -> bool:
    return body.startswith(MAGIC)


def id_of_key(key: bytes) -> str:
    """Sixteen hex digits that name a key and tell nothing of it."""
    return hashlib.sha256(b"continuity state key" + key).hexdigest()[: 2 * ID]


def id_in(body: bytes) -> str:
    """The id of the key by which a body is sealed; empty for one that is not."""
    return body[len(MAGIC) + 1 : HEADER].hex() if is_sealed(body) else ""


@dataclass(frozen=True, slots=True)
class Keyring:
    """Keys of 32 bytes: the first one seals, all of them open. Without any, bodies are stored as they are."""

    keys: Sequence[bytes] = ()

    @property
    def current(self) -> str:
        return id_of_key(self.keys[0]) if self.keys else ""

    def seal(self, name: str, body: bytes) -> bytes:
        if not self.keys or not body:
            return body
        header = MAGIC + bytes([VERSION]) + bytes.fromhex(self.current)
        nonce = os.urandom(NONCE)
        return header + nonce + AESGCM(self.keys[0]).encrypt(nonce, body, header + name.encode())

    def open(self, name: str, body: bytes) -> bytes:
        """Raises UnknownStateKey, DamagedRecord."""
        if not is_sealed(body):
            return body
        if len(body) < OVERHEAD or body[len(MAGIC)] != VERSION:
            raise DamagedRecord("what is stored is cut short, or was sealed in a form that this release does not know")
        key = next((key for key in self.keys if id_of_key(key) == id_in(body)), None)
        if key is None:
            raise UnknownStateKey(id_in(body))
        try:
            return AESGCM(key).decrypt(body[HEADER : HEADER + NONCE], body[HEADER + NONCE :], body[:HEADER] + name.encode())
        except InvalidTag as error:
            raise DamagedRecord("what is stored was changed, or moved here from another name") from error
