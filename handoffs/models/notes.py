"""Handoff notes: what an outgoing agent tells its successor, and what the check said of each statement."""

from django.conf import settings
from django.db import models

from continuity.core.note_parts import PARTS
from continuity.knowledge.handoff_note import CheckedNote, CheckedStatement, NoteVerdict
from continuity.models import ApiKey, Conversation, Team
from continuity.models.base import StoredModel


class NoteAuthor(models.TextChoices):
    """Who wrote a note: the outgoing agent itself, a person, the tool (its summary at a compaction), or the model that is set up here."""

    AGENT = "agent"
    PERSON = "person"
    SUMMARY = "summary"
    MODEL = "model"


VERDICTS = [verdict.value for verdict in NoteVerdict]
# Of notes written at the same place the first of these kinds is used.
RANK = {kind: place for place, kind in enumerate((NoteAuthor.PERSON, NoteAuthor.AGENT, NoteAuthor.SUMMARY, NoteAuthor.MODEL))}


class StoredNoteQuerySet(models.QuerySet["StoredNote"]):
    def visible_to(self, team: Team) -> "StoredNoteQuerySet":
        return self.filter(team=team)

    def newest_first(self) -> "StoredNoteQuerySet":
        return self.order_by("-number")


class StoredNote(StoredModel):
    """A note of a conversation, which `number` counts; it was written when message `through_seq` was the last one, and
    `total_tokens` had been said in all.

    Written by a person or with a key; `model` names the model where that wrote it. Its secrets were masked before it was stored.
    """

    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="+", db_index=False)
    conversation = models.ForeignKey(Conversation, on_delete=models.CASCADE, related_name="notes", db_index=False)
    number = models.PositiveIntegerField()
    kind = models.CharField(max_length=8, choices=NoteAuthor.choices)
    through_seq = models.PositiveIntegerField()
    total_tokens = models.PositiveBigIntegerField(default=0)
    model = models.CharField(max_length=120, blank=True)
    made_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    made_with = models.ForeignKey(ApiKey, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")

    objects = StoredNoteQuerySet.as_manager()

    class Meta:
        constraints = [
            # Also finds the newest of a conversation, which a page and a package are about.
            models.UniqueConstraint(fields=["conversation", "number"], name="note_numbered_once"),
            # A summary is taken up once, however many look for it at the same time.
            models.UniqueConstraint(
                fields=["conversation", "through_seq"], condition=models.Q(kind="summary"), name="note_of_summary_once"
            ),
            models.UniqueConstraint(fields=["id", "team"], name="note_id_team"),
            models.CheckConstraint(condition=models.Q(kind__in=NoteAuthor.values), name="note_kind_known"),
        ]

    def __str__(self) -> str:
        return f"note {self.number}"

    def as_checked(self) -> CheckedNote:
        """The statements that nobody dismissed. One query, unless they were fetched."""
        return CheckedNote(tuple(row.as_checked() for row in self.statements.all() if not row.dismissed), self.through_seq)


class NoteStatementQuerySet(models.QuerySet["NoteStatement"]):
    def visible_to(self, team: Team) -> "NoteStatementQuerySet":
        return self.filter(team=team)

    def changed(self) -> "NoteStatementQuerySet":
        """Those that were edited or dismissed."""
        return self.exclude(changed_at=None)


class NoteStatement(StoredModel):
    """One statement of a part, as it was checked last; `key` is stable, and what stands behind its place is the same for the same words.

    `text` is what counts, `original` what stood there before it was first edited (empty where it was not). A person's edit is the
    person's word (`person`).
    """

    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="+", db_index=False)
    note = models.ForeignKey(StoredNote, on_delete=models.CASCADE, related_name="statements", db_index=False)
    place = models.PositiveSmallIntegerField()
    key = models.CharField(max_length=24)
    part = models.CharField(max_length=20, choices=[(name, name.replace("_", " ")) for name in PARTS])
    text = models.TextField()
    original = models.TextField(blank=True)
    verdict = models.CharField(max_length=16, choices=[(verdict, verdict) for verdict in VERDICTS])
    reason = models.TextField(blank=True)
    unsaid = models.BooleanField(default=False)
    person = models.BooleanField(default=False)
    dismissed = models.BooleanField(default=False)
    changed_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    changed_with = models.ForeignKey(ApiKey, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    changed_at = models.DateTimeField(null=True, blank=True)

    objects = NoteStatementQuerySet.as_manager()

    class Meta:
        # In the order of the note.
        ordering = ["place"]
        constraints = [
            models.UniqueConstraint(fields=["note", "place"], name="note_statement_placed_once"),
            models.UniqueConstraint(fields=["note", "key"], name="note_statement_once"),
            models.CheckConstraint(condition=models.Q(part__in=list(PARTS)), name="note_statement_part_known"),
            models.CheckConstraint(condition=models.Q(verdict__in=VERDICTS), name="note_statement_verdict_known"),
        ]

    def __str__(self) -> str:
        return f"{self.part} {self.place}"

    def as_checked(self) -> CheckedStatement:
        return CheckedStatement(
            part=self.part,
            text=self.text,
            verdict=NoteVerdict(self.verdict),
            reason=self.reason,
            unsaid=self.unsaid,
            person=self.person,
            key=self.key,
        )
