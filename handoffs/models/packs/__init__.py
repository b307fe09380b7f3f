"""Models of packs: repositories, the three caches, the governor's state of a session, what was captured."""

from handoffs.models.packs.artifacts import Artifact, ArtifactStatus
from handoffs.models.packs.caches import FileSummary, RankedSearch, StoredPack
from handoffs.models.packs.repositories import PackMode, PackPolicy, Repository
from handoffs.models.packs.sessions import PackSession

__all__ = [
    "Artifact",
    "ArtifactStatus",
    "FileSummary",
    "PackMode",
    "PackPolicy",
    "PackSession",
    "RankedSearch",
    "Repository",
    "StoredPack",
]
