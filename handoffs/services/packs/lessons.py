"""The lessons of a team's recorded sessions about a repository: rules that people laid down, corrections, approaches that failed, and which
files they worked on together. Drafts that people accepted come first, and what they rejected is not told."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from uuid import UUID

from django.db.models import Q

from continuity.knowledge import columns
from continuity.knowledge.anchor_types import LANDMINES, RULES
from continuity.knowledge.model import AnchorState, FileAction, TaskStatus
from continuity.knowledge.model import Task as WorkTask
from continuity.models import Anchor, Conversation, FileTouch
from continuity.models.conversations import within
from continuity.packs.lessons import Failing, Lesson
from continuity.packs.signals.sessions import EarlierSession
from handoffs.capture import DraftKind, subject_of
from handoffs.models import Artifact, ArtifactStatus, PackSession, Repository
from handoffs.packs.serving.keys import digest_of
from handoffs.packs.serving.material import Taught
from handoffs.packs.session_lessons import NEAR, teaches

SESSIONS = 60
ROOTS = 20
ANCHORS, TOUCHES, ACCEPTED = 600, 6_000, 200
EDITED, READ, FILES = 60, 40, 4
LESSONS = 120
TYPES = LANDMINES | RULES
SHALLOW = 2  # a root with fewer folders, such as /home, is no repository's


@dataclass(frozen=True, slots=True)
class RepositoryLessons:
    """`digest` is that of all that packs depend on here, `paths` are those that the lessons name."""

    lessons: tuple[Lesson, ...] = ()
    sessions: tuple[EarlierSession, ...] = ()

    @property
    def digest(self) -> str:
        worked = [[each.id, sorted(each.edited), sorted(each.read)] for each in self.sessions]
        return digest_of([[asdict(each) for each in self.lessons], sorted(worked)])

    @property
    def paths(self) -> tuple[str, ...]:
        return tuple(sorted({path for lesson in self.lessons for path in lesson.files}))


def of_repository(repository: Repository, *, root: str = "", besides: UUID | None = None) -> RepositoryLessons:
    """Of the team's sessions that worked here, in the work tree at `root` or another, the latest first; without the one that asks: what it
    knows stands in its window. Five queries, each bounded."""
    places = _sessions(repository, root)
    if besides is not None:
        places.pop(besides, None)
    touched = _touched(places)
    accepted = list(
        Artifact.objects.filter(repository=repository).exclude(status=ArtifactStatus.DRAFT).order_by("-decided_at", "id")[:ACCEPTED]
    )
    decided = {(row.conversation_id, row.subject) for row in accepted}
    told: dict[str, Lesson] = {}
    for row in accepted:
        if row.status == ArtifactStatus.ACCEPTED:
            seq = int(row.sentences[0]["seq"]) if row.sentences else 0
            lesson = Lesson(row.words, row.kind == DraftKind.LANDMINE, _short(row.conversation_id), seq, tuple(row.files[:FILES]))
            told.setdefault(lesson.text, lesson)
    order = {conversation: place for place, conversation in enumerate(places)}
    found = Anchor.objects.filter(conversation__in=places, state=AnchorState.CURRENT, origin_conversation=None, type__in=TYPES)
    rows = found.order_by("-created_at", "-found_seq", "key").values_list("conversation_id", *columns.ANCHOR)[:ANCHORS]
    for conversation, *values in sorted(rows, key=lambda each: (order[each[0]], -each[4], each[1])):
        anchor = columns.anchor(*values)
        if teaches(anchor) and (conversation, subject_of(anchor)) not in decided:
            files = _about(anchor.text, anchor.ref.seq, touched[conversation])
            landmine = anchor.type in LANDMINES
            told.setdefault(anchor.text, Lesson(anchor.text, landmine, _short(conversation), anchor.ref.seq, files))
    sessions = tuple(_worked(conversation, at, touched[conversation]) for conversation, (_, at) in places.items() if touched[conversation])
    return RepositoryLessons(tuple(told.values())[:LESSONS], sessions)


def taught(found: RepositoryLessons, failing: Sequence[Failing], tasks: Sequence[WorkTask]) -> Taught:
    """With what fails in the session that asks, and its open tasks that changed last."""
    latest = sorted(tasks, key=lambda task: (-task.last_seq, task.key))[:5]
    return Taught(found.lessons, tuple(failing), tuple(f"{_state(task.status)}: {task.description}" for task in latest))


def _state(status: TaskStatus) -> str:
    return TaskStatus(status).name.lower().replace("_", " ")


def _sessions(repository: Repository, here: str) -> dict[UUID, tuple[str, float]]:
    """Conversations that worked here with their root and time, the latest first: those that asked for packs, and those of before, whose
    folder lies in a work tree of the repository."""
    known = PackSession.objects.filter(repository=repository).order_by("-seen_at")
    mine = list(known.values_list("conversation_id", "root", "conversation__active_at")[:SESSIONS])
    places = dict.fromkeys((here, *(root for _, root, _ in mine)))
    roots = [root for root in places if root.startswith("/") and root.strip("/").count("/") + 1 >= SHALLOW][:ROOTS]
    found = {id: (root, at) for id, root, at in mine}
    if roots:
        inside = Q()
        for root in roots:
            inside |= within(root)
        others = Conversation.objects.filter(inside, team_id=repository.team_id).exclude(id__in=found)
        # One that asked for packs elsewhere, such as in a submodule, is that repository's.
        elsewhere = PackSession.objects.exclude(repository=repository).values("conversation_id")
        for id, cwd, at in others.exclude(id__in=elsewhere).order_by("-active_at").values_list("id", "cwd", "active_at")[:SESSIONS]:
            found[id] = (next(root for root in roots if cwd == root or cwd.startswith(f"{root.rstrip('/')}/")), at)
    latest = sorted(found.items(), key=lambda each: (each[1][1], str(each[0])), reverse=True)[:SESSIONS]
    return {id: (root, at.timestamp()) for id, (root, at) in latest}


Touches = list[tuple[str, bool, int, int]]


def _touched(places: Mapping[UUID, tuple[str, float]]) -> defaultdict[UUID, Touches]:
    """Paths in the repository with whether they were changed, and the first and last message that says so, by conversation."""
    found: defaultdict[UUID, Touches] = defaultdict(list)
    rows = FileTouch.objects.filter(conversation__in=places).exclude(action=FileAction.DELETED).order_by("-created_at", "-last_seq", "id")
    for conversation, path, action, first, last in rows.values_list("conversation_id", "path", "action", "first_seq", "last_seq")[:TOUCHES]:
        own = inside(path, places[conversation][0])
        if own:
            found[conversation].append((own, action != FileAction.READ, first, last))
    return found


def inside(path: str, root: str) -> str:
    """The path below the root of a work tree; empty for one elsewhere. A relative one is taken as one of the root."""
    if not path.startswith("/"):
        return "" if path.startswith("../") or path == ".." or "\\" in path else path.removeprefix("./")
    above = f"{root.rstrip('/')}/"
    return path[len(above) :] if root and path.startswith(above) else ""


def _about(text: str, seq: int, touched: Touches) -> tuple[str, ...]:
    """The files that the words name, else those changed near them; the nearest first."""
    named = [path for path, _, _, _ in touched if path.rpartition("/")[2] in text]
    near = [(min(abs(first - seq), abs(last - seq)), path) for path, changed, first, last in touched if changed]
    return tuple(dict.fromkeys(named or [path for distance, path in sorted(near) if distance <= NEAR]))[:FILES]


def _worked(conversation: UUID, at: float, touched: Touches) -> EarlierSession:
    edited = tuple(dict.fromkeys(path for path, changed, _, _ in touched if changed))[:EDITED]
    read = tuple(dict.fromkeys(path for path, changed, _, _ in touched if not changed))[:READ]
    return EarlierSession(_short(conversation), at, edited, read)


def _short(conversation: UUID) -> str:
    """By which a reference names a session."""
    return conversation.hex[:8]
