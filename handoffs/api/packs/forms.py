"""Packs as clients ask for them and get them."""

from typing import Annotated, Any, Literal
from uuid import UUID

from ninja import Field, Schema
from pydantic import AfterValidator, AwareDatetime, ConfigDict

from continuity.api.masks import MaskedJson, MaskedText
from continuity.packs.anchor import AnchorFacts
from continuity.packs.budgets import BudgetProfile, WorkMode
from continuity.packs.context import FILES, RankedFile
from continuity.packs.delta import CountedChange
from continuity.repository.changes import CHANGES, Changes, FileChange
from continuity.transcripts.base.sanitise import clean_text
from handoffs.models import ArtifactStatus, PackMode
from handoffs.packs.serving.material import PackMaterial, rules_of
from handoffs.services.packs.pack_answers import PackArrival, PackQuestion
from handoffs.services.packs.pack_caches import FileVersion
from handoffs.services.packs.repositories import WorkPlace

MOST = 2**31 - 1


def one_line(text: str) -> str:
    """Names and lines stand in texts of ours: what could begin another line there becomes a space."""
    return "".join(c if c.isprintable() else " " for c in text)


Path = Annotated[str, Field(min_length=1, max_length=1_000), AfterValidator(one_line)]
Line = Annotated[str, Field(max_length=600), AfterValidator(one_line)]
Hash = Annotated[str, Field(max_length=64, pattern=r"^[0-9a-f]*$")]
FileText = Annotated[str, Field(max_length=100_000), AfterValidator(clean_text)]


class Strict(Schema):
    model_config = ConfigDict(extra="forbid")


class WorkTreeIn(Strict):
    """The work tree: its folder on a machine, and which repository it is wherever it was cloned (`key` is empty without a commit)."""

    machine: str = Field("", max_length=120)
    root: str = Field(min_length=1, max_length=4_096)
    key: Annotated[str, Field(max_length=48, pattern=r"^[0-9a-f]*$")] = ""
    remote: str = Field("", max_length=1_000, description="As `host/path`, without credentials.")
    roots: list[Hash] = Field(default_factory=list, max_length=16)

    def as_place(self) -> WorkPlace:
        return WorkPlace(self.machine, self.root, self.key, self.remote, self.roots)


class ArrivalIn(Strict):
    pack_id: UUID
    parts: list[Literal["anchor", "context", "delta"]] = Field(max_length=3)
    size: int = Field(ge=0, le=1_000_000)


class QuestionIn(Strict):
    """`changed` is the digest of all that differs from the commit `head`; `since` the commit at which the last delta ended."""

    place: WorkTreeIn
    head: Hash = ""
    changed: Hash
    since: Hash = ""
    mode: WorkMode = WorkMode.CODE
    profile: BudgetProfile = BudgetProfile.HOOK
    begun: bool = Field(False, description="A turn of the person began.")
    anchored: Annotated[str, Field(max_length=24, pattern=r"^[0-9a-f]*$")] = Field(
        "", description="Of an Anchor pack that was given as the session began: the first 24 digits of the SHA-256 of its text."
    )
    emptied: bool = Field(False, description="The window is new, or was compacted: what was given before is gone.")
    limited: bool = Field(False, description="The tool told of a rate limit or an overload.")
    diff_lines: int = Field(0, ge=0, le=MOST, description="Lines of the work tree that differ from the commit.")
    committed_lines: int = Field(0, ge=0, le=MOST, description="Lines that were committed since the session began.")
    arrivals: list[ArrivalIn] = Field(default_factory=list, max_length=20)

    def as_question(self, conversation_id: UUID) -> PackQuestion:
        given = self.model_dump(exclude={"place", "arrivals"})
        arrivals = [PackArrival(each.pack_id, tuple(each.parts), each.size) for each in self.arrivals]
        return PackQuestion(conversation_id=conversation_id, place=self.place.as_place(), arrivals=arrivals, **given)


class RankedFileIn(Strict):
    path: Path
    blob: Hash = ""
    size: int = Field(0, ge=0, le=2**53)
    reasons: list[Line] = Field(default_factory=list, max_length=5)
    symbols: list[tuple[int, Line]] = Field(default_factory=list, max_length=12)


class TextIn(Strict):
    path: Path
    text: FileText


class ChangeIn(Strict):
    path: Path
    before: FileText | None = None
    after: FileText


class CountIn(Strict):
    path: Path
    new: bool = False
    added: int = Field(0, ge=0, le=MOST)
    removed: int = Field(0, ge=0, le=MOST)


class MaterialIn(Strict):
    """Material of a client. `instructions` and `changes` are taken where the team lets contents leave the machine, else left unread;
    `counted` are changes without their lines. `present` are those of the paths it was told that are there."""

    ranked: list[RankedFileIn] = Field(default_factory=list, max_length=FILES)
    places: list[Line] = Field(default_factory=list, max_length=20)
    papers: list[Line] = Field(default_factory=list, max_length=40)
    named: list[Path] = Field(default_factory=list, max_length=200)
    instructions: list[TextIn] = Field(default_factory=list, max_length=4)
    changes: list[ChangeIn] = Field(default_factory=list, max_length=CHANGES)
    counted: list[CountIn] = Field(default_factory=list, max_length=CHANGES)
    subjects: list[Line] = Field(default_factory=list, max_length=20)
    gone: int = Field(0, ge=0, le=MOST)
    present: list[Path] = Field(default_factory=list, max_length=1_000)

    def as_material(self, *, contents: bool) -> PackMaterial:
        texts = {each.path: each.text for each in self.instructions} if contents else {}
        changed = [FileChange(each.path, each.before, each.after) for each in self.changes] if contents else []
        return PackMaterial(
            tuple(RankedFile(each.path, tuple(each.reasons), tuple(each.symbols)) for each in self.ranked),
            AnchorFacts(tuple(self.places), tuple(self.papers), tuple(self.named)),
            rules_of(texts),
            Changes(tuple(changed), self.gone, tuple(self.subjects)),
            tuple(CountedChange(each.path, each.new, each.added, each.removed) for each in self.counted),
            tuple(self.present),
        )

    def versions(self) -> list[FileVersion]:
        return [FileVersion(each.path, each.blob, each.size) for each in self.ranked]


class MadeIn(Strict):
    question: QuestionIn
    material: MaterialIn


class EarlierOut(Schema):
    id: str
    at: float
    edited: list[str]
    read: list[str]


class PackOut(Schema):
    """The three texts. `fingerprint` tells which task it is for, `paths` which files it names."""

    id: UUID
    fingerprint: str
    head: str
    mode: str
    profile: str
    anchor: MaskedText
    context: MaskedText
    delta: MaskedText
    paths: list[str]
    created_at: AwareDatetime
    used_at: AwareDatetime


class ReplyOut(Schema):
    """`gives` says that the texts of `parts` belong into the window. `wanted` asks for the material (`POST /packs`), for which `sessions`
    and `paths` are told. `epoch` counts what the team erased: what was kept under another number is thrown away."""

    mode: PackMode
    gives: bool
    pack: PackOut | None
    parts: list[str]
    hit: bool
    wanted: bool
    contents: bool
    low_token: bool
    sessions: list[EarlierOut]
    paths: list[str]
    epoch: int
    action: str
    reasons: list[str]


class AnchorPackOut(Schema):
    """The Anchor pack of a work tree, and the paths that it names: a client gives it only where all of them are there."""

    anchor: MaskedText
    paths: list[str]
    epoch: int


class PackPolicyIn(Strict):
    """Fields to set. `mode`: off, passive (measure only), snapshot (give packs, secure sessions), rehydrate (begin windows anew too)."""

    mode: PackMode | None = None
    contents: bool | None = Field(None, description="Whether clients may send changed lines and instruction files.")
    boundaries: list[str] | None = Field(None, max_length=50, description="Globs of paths that other parts rest on.")
    diff_lines: int | None = Field(None, description="A committed change of so many lines is noted (200).")
    drafts_a_day: int | None = Field(None, description="Drafts of the whole team (40).")


class PackPolicyOut(Schema):
    """`working` is the mode that works: what needs a higher tier is passive."""

    mode: PackMode
    working: PackMode
    contents: bool
    boundaries: list[str]
    diff_lines: int
    drafts_a_day: int


class MeasuresOut(Schema):
    sessions: int
    turns: int
    hit_rate: float | None
    given_bytes: int
    would_bytes: int
    baseline_bytes: int
    saved: float | None
    snapshots: int
    low_token: int
    packs: int
    drafts: int
    accepted: int
    landmines: int
    named: float | None
    touched: int
    repeated: int


class RepositoryOut(Schema):
    """`key` names it wherever it was cloned."""

    id: UUID
    key: str
    name: str
    remote: str
    created_at: AwareDatetime
    seen_at: AwareDatetime


class RepositoryDetailOut(RepositoryOut):
    measures: MeasuresOut


class RepositoriesOut(Schema):
    items: list[RepositoryOut]


class ArtifactOut(Schema):
    """`sentences` are quotations with the number of the message of the conversation; `text` is a person's own wording, if any."""

    id: UUID
    kind: str
    trigger: str
    title: MaskedText
    sentences: list[MaskedJson]
    text: MaskedText
    files: list[str]
    status: ArtifactStatus
    conversation_id: UUID
    decided_by_id: UUID | None
    decided_at: AwareDatetime | None
    created_at: AwareDatetime


class ArtifactsOut(Schema):
    items: list[ArtifactOut]


class DecisionIn(Strict):
    """`text` is a person's own wording."""

    action: Literal["accept", "reject", "reopen"]
    text: str | None = Field(None, max_length=600)


def reply(told: Any, pack: Any) -> dict[str, Any]:
    """A service's answer in the form of `ReplyOut`."""
    fields = ("mode", "gives", "parts", "hit", "wanted", "contents", "low_token", "sessions", "paths", "epoch", "action", "reasons")
    return {**{name: getattr(told, name) for name in fields}, "pack": pack}
