"""A stream of bytes that only who knows a passphrase can read or make: AES-256-GCM over pieces of equal length, the key by scrypt.

Each piece is bound to its number, and the last one says that it is the last: pieces that are missing, moved or cut are noticed.
The header (magic, cost, salt, beginning of the nonces) is authenticated with each piece. After the STREAM construction of Hoang,
Reyhanitabar, Rogaway and Vizár (2015).
"""

from __future__ import annotations

import os
from typing import BinaryIO

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.scrypt import Scrypt

from diagnostics.archives.problems import BadBackup

MAGIC = b"CONTSEAL1\n"
PIECE = 1024 * 1024
TAG = 16
SALT, PREFIX = 16, 7
COST = 15  # 2 ** 15 rounds over 32 MiB: a tenth of a second for us, and for each guess.
HEADER = len(MAGIC) + 1 + SALT + PREFIX
MOST_PIECES = 2**32


def is_sealed(beginning: bytes) -> bool:
    return beginning.startswith(MAGIC)


class SealedWriter:
    """Writes to `target` what it is given, sealed. `close` ends the stream; `target` stays open."""

    def __init__(self, target: BinaryIO, passphrase: str, cost: int = COST) -> None:
        self._target, self._kept, self._number, self._taken = target, bytearray(), 0, 0
        self._header = MAGIC + bytes([cost]) + os.urandom(SALT + PREFIX)
        self._cipher = _cipher(self._header, passphrase)
        target.write(self._header)

    def write(self, data: bytes) -> int:
        self._kept += data
        self._taken += len(data)
        while len(self._kept) > PIECE:
            self._put(bytes(self._kept[:PIECE]), last=False)
            del self._kept[:PIECE]
        return len(data)

    def tell(self) -> int:
        """How many bytes it was given."""
        return self._taken

    def close(self) -> None:
        self._put(bytes(self._kept), last=True)

    def _put(self, piece: bytes, last: bool) -> None:
        self._target.write(self._cipher.encrypt(_nonce(self._header, self._number, last), piece, self._header))
        self._number += 1


class SealedReader:
    """Reads what a SealedWriter wrote. Raises BadBackup where anything is missing or changed, or the passphrase is another one."""

    def __init__(self, source: BinaryIO, passphrase: str) -> None:
        self._source, self._number = source, 0
        self._header = source.read(HEADER)
        if len(self._header) < HEADER or not is_sealed(self._header) or not 10 <= self._header[len(MAGIC)] <= 20:
            raise BadBackup("it is cut short, or no back-up that is protected by a passphrase")
        self._cipher = _cipher(self._header, passphrase)
        self._ahead = source.read(PIECE + TAG)
        self._kept, self._at = b"", 0

    def read(self, size: int = -1) -> bytes:
        parts: list[bytes] = []
        left = size
        while left != 0:
            if self._at == len(self._kept) and not self._next():
                break
            part = self._kept[self._at : len(self._kept) if left < 0 else self._at + left]
            self._at += len(part)
            left -= len(part) if left > 0 else 0
            parts.append(part)
        return b"".join(parts)

    def _next(self) -> bool:
        """Open the next piece; False at the end."""
        sealed, self._ahead = self._ahead, self._source.read(PIECE + TAG)
        if not sealed:
            return False
        try:
            self._kept = self._cipher.decrypt(_nonce(self._header, self._number, not self._ahead), sealed, self._header)
        except (InvalidTag, ValueError):
            first = "the passphrase is another one, or " if self._number == 0 else ""
            raise BadBackup(f"{first}it is cut short or damaged") from None
        self._at, self._number = 0, self._number + 1
        return True


def _cipher(header: bytes, passphrase: str) -> AESGCM:
    salt = header[len(MAGIC) + 1 : len(MAGIC) + 1 + SALT]
    return AESGCM(Scrypt(salt=salt, length=32, n=2 ** header[len(MAGIC)], r=8, p=1).derive(passphrase.encode()))


def _nonce(header: bytes, number: int, last: bool) -> bytes:
    if number >= MOST_PIECES:
        raise BadBackup("it is larger than a back-up can be")
    return header[-PREFIX:] + number.to_bytes(4, "big") + bytes([last])
