"""Signing documents with Ed25519, and checking who signed them."""

from __future__ import annotations

import base64
import binascii
import hashlib
import json
from collections.abc import Iterable, Mapping
from typing import Any

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

ALGORITHM = "Ed25519"


class UnknownKey(ValueError):
    """The document names a key that is not among the trusted ones."""


class Forged(ValueError):
    """The signature is not that of the named key over this document."""


def canonical(document: Mapping[str, Any]) -> bytes:
    """The document as the bytes that are signed: JSON with sorted names, no spaces, ASCII only, without its `signature`."""
    signed = {name: value for name, value in document.items() if name != "signature"}
    return json.dumps(signed, sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False).encode()


def key_id(public: bytes) -> str:
    """Sixteen hex digits that name a public key (its 32 raw bytes)."""
    return hashlib.sha256(public).hexdigest()[:16]


def public_of(private: bytes) -> bytes:
    """The 32 raw bytes of the public key to the 32 of a private one."""
    return Ed25519PrivateKey.from_private_bytes(private).public_key().public_bytes_raw()


def signed(document: Mapping[str, Any], private: bytes) -> dict[str, Any]:
    """The document with its signature."""
    value = Ed25519PrivateKey.from_private_bytes(private).sign(canonical(document))
    mark = {"algorithm": ALGORITHM, "keyId": key_id(public_of(private)), "value": base64.b64encode(value).decode()}
    return {**document, "signature": mark}


def check(document: Mapping[str, Any], trusted: Iterable[bytes]) -> None:
    """Raises UnknownKey where none of the `trusted` public keys is the named one, Forged where the signature does not fit."""
    mark = document["signature"]
    public = next((key for key in trusted if key_id(key) == mark["keyId"]), None)
    if public is None:
        raise UnknownKey(mark["keyId"])
    try:
        value = base64.b64decode(mark["value"], validate=True)
        Ed25519PublicKey.from_public_bytes(public).verify(value, canonical(document))
    except (InvalidSignature, binascii.Error, ValueError) as error:
        raise Forged from error
