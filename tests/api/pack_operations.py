"""The operations of packs, repositories and captured memory, for the walk of all."""

from __future__ import annotations

from typing import Any

from continuity.models import Scope

OPERATIONS = {
    ("POST", "/conversations/{conversation_id}/packs/asked"): Scope.WRITE,
    ("POST", "/conversations/{conversation_id}/packs"): Scope.WRITE,
    ("GET", "/packs/anchor"): Scope.READ,
    ("GET", "/packs/policy"): Scope.READ,
    ("PATCH", "/packs/policy"): Scope.ADMIN,
    ("GET", "/conversations/{conversation_id}/packs"): Scope.READ,
    ("GET", "/repositories"): Scope.READ,
    ("GET", "/repositories/{repository_id}"): Scope.READ,
    ("GET", "/repositories/{repository_id}/artifacts"): Scope.READ,
    ("PATCH", "/repositories/{repository_id}/artifacts/{artifact_id}"): Scope.HANDOFF,
}
ASKED = {"place": {"machine": "desk", "root": "/home/me/mail", "key": "ab" * 16}, "head": "cd" * 20, "changed": "ef" * 20}
BODIES: dict[tuple[str, str], Any] = {
    ("PATCH", "/packs/policy"): {"mode": "passive"},
    ("POST", "/conversations/{conversation_id}/packs/asked"): ASKED,
    ("POST", "/conversations/{conversation_id}/packs"): {"question": ASKED, "material": {}},
    ("PATCH", "/repositories/{repository_id}/artifacts/{artifact_id}"): {"action": "accept"},
}
QUERIES = {
    ("GET", "/packs/anchor"): "?root=/home/me/mail&machine=desk",
}
