"""Conversations as a day has them, in injected time, with what production does each hour to what is over; and what is left of them."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from uuid import UUID, uuid4

from django.apps import apps
from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils import timezone

from continuity.client.recording.spool import Spool
from continuity.models import Event, Team, User
from continuity.services.agent_state import states
from continuity.services.erasure import cleanups
from continuity.services.jobs import jobs
from continuity.services.recording import conversations, expiry, imports
from diagnostics.bench import material
from diagnostics.models import Attempt
from diagnostics.services import attempts
from handoffs.models import FidelityCheck
from handoffs.services.chains import resumption
from handoffs.services.erasure import erasing
from handoffs.services.packages import checks, cleanup, preparation

# Conversations are kept for so many hours; then they are erased.
KEPT_HOURS = 2
BYTES = 20_000
# What tells for good of what was done: one row for each.
TOLD_FOR_GOOD = frozenset({"continuity.AuditEntry", "continuity.Erasure", "continuity.Job", "handoffs.HandoffTombstone"})
# As many as there are locks of the states' folder, however many states there are.
LOCKS = 16


class ConversationsOfADay:
    """Every hour some are imported, added to, handed off, resumed and ended, the same ones each hour; one upload is given up, and a
    client spools what it can't send at once. `folder` has all files."""

    def __init__(self, team: Team, owner: User, folder: Path, *, each_hour: int) -> None:
        self._team, self._folder, self._each = team, folder, each_hour
        self._by = erasing.By(owner.email, owner)
        self._open: list[list[UUID]] = []
        self._number = 0
        self._spool = Spool(folder / "spool")

    def pass_an_hour(self, now: datetime) -> None:
        self._open.append([each for number in range(self._each) for each in self._one(number, now)])
        self._spool_and_send()
        given_up = imports.path_of(f"given-up-{now.timestamp():.0f}")
        given_up.write_bytes(b"{}\n")
        os.utime(given_up, (now.timestamp(), now.timestamp()))
        if len(self._open) > KEPT_HOURS:
            for conversation in self._open.pop(0):
                erasure = erasing.erase_conversation(team=self._team, conversation_id=conversation, by=self._by)
                jobs.run(job_id=erasure.job_id)
        # What services noted by their own clock happened in this hour.
        for noted, at in ((Event, "created_at"), (FidelityCheck, "created_at"), (Attempt, "at")):
            noted._default_manager.filter(**{f"{at}__gt": now}).update(**{at: now})
        cleanups.sweep(now=timezone.now())
        expiry.expire_lapsed(now=now)
        expiry.mark_idle(now=now)
        cleanup.delete_expired(now=now)
        checks.forget(now=now)
        attempts.forget(now=now)

    def _spool_and_send(self) -> None:
        session = f"session-{self._number}"
        self._spool.add(session, {"messages": []})
        with self._spool.sending(session) as mine:
            assert mine
            for path in self._spool.pending(session):
                self._spool.done(path)

    def _one(self, number: int, now: datetime) -> Iterator[UUID]:
        """A conversation from its file to its end, and the one that goes on from it; of its packages the last one is resumed by nobody."""
        self._number += 1
        source = self._folder / "session.jsonl"
        material.write_claude_code(source, seed=number, size=BYTES)
        text = source.read_text(encoding="utf-8")
        source.unlink()
        written = text.replace(json.loads(text[: text.index("\n")])["sessionId"], str(uuid4())).encode()
        job = imports.begin(team=self._team, upload=SimpleUploadedFile(source.name, written))
        jobs.run(job_id=job.id)
        job.refresh_from_db()
        first = UUID(job.result["conversation_id"])
        state = {"context": {"doing": "something " * 20}}
        states.save(team=self._team, agent=f"agent-{self._number}", epoch=1, state=state, now=now, conversation_id=first)
        second = self._handed_off(first)
        conversations.append(team=self._team, conversation_id=second, messages=material.plain(number, 2))
        waiting = preparation.prepare(team=self._team, conversation_id=second, options=preparation.options_of())
        cleanup.expire(team=self._team, handoff_ids=[waiting.id], now=timezone.now())
        conversations.invalidate(team=self._team, conversation_id=first)
        yield from (first, second)

    def _handed_off(self, conversation: UUID) -> UUID:
        handoff = preparation.prepare(team=self._team, conversation_id=conversation, options=preparation.options_of())
        return resumption.resume(team=self._team, handoff_id=handoff.id).conversation.id


def rows() -> Counter[str]:
    """How many there are of each table that does not tell for good."""
    models = [model for model in apps.get_models() if model._meta.label not in TOLD_FOR_GOOD]
    return Counter({model._meta.label: model._default_manager.count() for model in models})


def files(folder: Path) -> Counter[str]:
    """How many there are in each folder beneath."""
    return Counter(str(path.parent.relative_to(folder)) for path in folder.rglob("*") if path.is_file())


def open_files() -> int:
    return sum(1 for _ in Path("/proc/self/fd").iterdir())
