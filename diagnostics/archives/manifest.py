"""The last entry of a back-up: what it holds, with the digest of each part. A file without it was cut short."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from diagnostics.archives.problems import BadBackup

NAME = "manifest.json"
FORMAT = 1
LARGEST_BYTES = 64 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Content:
    """The size in bytes and the SHA-256 of one part."""

    size: int
    sha256: str


@dataclass(frozen=True, slots=True)
class TableContent:
    """How many rows a table had, and a digest of all of them, whatever their order."""

    rows: int
    digest: str


@dataclass(frozen=True, slots=True)
class Manifest:
    """`files` by the name of the entry; `database` is the dump, whose entries are pieces of it. `migrations`: by app, all that were
    applied. `secrets`: which keys are in the file; `secrets_elsewhere`: which the environment gave, and so are not."""

    version: str
    made_at: str
    server: int
    storage: str
    migrations: Mapping[str, list[str]]
    tables: Mapping[str, TableContent]
    database: Content
    files: Mapping[str, Content] = field(default_factory=dict)
    secrets: list[str] = field(default_factory=list)
    secrets_elsewhere: list[str] = field(default_factory=list)
    format: int = FORMAT

    def written(self) -> bytes:
        return json.dumps(asdict(self), sort_keys=True, indent=1).encode()

    @property
    def rows(self) -> int:
        return sum(table.rows for table in self.tables.values())


def read(body: bytes) -> Manifest:
    """Raises BadBackup where it is damaged, or of a newer form."""
    try:
        told: dict[str, Any] = json.loads(body)
        if not isinstance(told["format"], int) or told["format"] > FORMAT:
            raise BadBackup(f"it was made by a newer release ({told.get('version')}), in a form that this one does not know")
        return Manifest(
            **{
                **told,
                "tables": {name: TableContent(**each) for name, each in told["tables"].items()},
                "database": Content(**told["database"]),
                "files": {name: Content(**each) for name, each in told["files"].items()},
            }
        )
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise BadBackup("what it says of itself can't be read: it is damaged") from None


def newer_migrations(manifest: Manifest, known: Mapping[str, set[str]]) -> list[str]:
    """Those that were applied where the back-up was made, and that this release does not have."""
    return sorted(f"{app}.{name}" for app, names in manifest.migrations.items() for name in names if name not in known.get(app, set()))
