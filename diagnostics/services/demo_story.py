"""Telling the demo's schedule through the services, session after session, each step at the time it is said to have happened."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from django.utils import timezone

from continuity.models import Conversation, Team, User
from continuity.services.accounts.bootstrap import DEMO_SESSION
from continuity.services.jobs import jobs
from continuity.services.knowledge import fold_runner
from continuity.services.recording import conversations
from continuity.transcripts import open_transcript
from continuity.transcripts.base.model import Abandoned, Message
from diagnostics.demo import agents, sessions
from diagnostics.demo.schedule import MODELS, SAMPLE_BY, SAMPLE_END, DemoSession, Outcome, Person, working_time
from diagnostics.demo.stretches import handed_over, seed_of, stretch_of
from diagnostics.services import auditing
from diagnostics.services.backdating import History
from diagnostics.services.demo_work.demo_agents import check_months
from diagnostics.services.demo_work.demo_group import find_cause
from diagnostics.services.demo_work.demo_packs import PackedSession
from handoffs.fidelity.staleness import Workspace
from handoffs.models import EditAction, Handoff
from handoffs.services.chains import offers, receipts, resumption
from handoffs.services.edits import package_edits
from handoffs.services.packages import automatic, preparation, probe_bank
from handoffs.services.packages.authors import Author

__all__ = ["BEGAN", "DemoStory", "Person", "silent"]

BEGAN = timedelta(days=15)
KEPT = timedelta(days=30)
TOO_SMALL = 150  # tokens: what is open does not fit, so the check fails


@contextmanager
def silent() -> Iterator[None]:
    """Our log says nothing meanwhile: that a made-up package failed its check must wake nobody."""
    ours = logging.getLogger("continuity")
    before = ours.level
    ours.setLevel(logging.CRITICAL)
    try:
        yield
    finally:
        ours.setLevel(before)


@dataclass(slots=True)
class DemoStory:
    """Needs a transaction; leaves the times of what it made to `history`."""

    team: Team
    people: Mapping[str, User]
    owner: User
    now: datetime
    history: History

    def session(self, key: str, planned: Sequence[DemoSession], number: int) -> None:
        """One session of a piece of work: it begins with the package of the one before it, if there is one."""
        session, stretch = planned[number], stretch_of(key, planned, number, self.now)
        before = handed_over(planned, number)
        handoff = None if before is None else self._handoff_of(seed_of(key, before))
        with self.history.at(stretch.begin):
            conversation = self._opened(stretch, session) if handoff is None else self._resumed(handoff, session, stretch)
        found = stretch.tree.head
        ended = (
            self._record_with_packs(conversation, session, stretch)
            if session.packs
            else self._record(conversation, sessions.write(stretch))
        )
        if handoff and session.receipt:
            self._receive(handoff, conversation, found, stretch.begin + timedelta(minutes=2))
        if session.outcome is not Outcome.NONE:
            self._hand_off(conversation, session, ended + timedelta(minutes=1))

    def _handoff_of(self, seed: str) -> Handoff:
        return Handoff.objects.filter(team=self.team, conversation__external_id=seed).latest("created_at")

    def _opened(self, stretch: sessions.Stretch, session: DemoSession) -> Conversation:
        model = MODELS[stretch.model]
        return conversations.create(
            team=self.team,
            owner=self.people[session.by or stretch.theme.by],
            title=stretch.theme.title,
            source_tool=stretch.tool,
            external_id=stretch.seed,
            model=model.name,
            max_context_tokens=model.window if model.told_by else None,
            window_source=model.told_by,
            cwd=stretch.cwd,
            branch=stretch.theme.branch,
            expires_at=None if session.expires else self._kept(),
        )

    def _resumed(self, handoff: Handoff, session: DemoSession, stretch: sessions.Stretch) -> Conversation:
        model = MODELS[stretch.model]
        new = resumption.resume(
            team=self.team,
            handoff_id=handoff.id,
            resumed_by=self.people[session.by or stretch.theme.by],
            fork=session.fork,
            source_tool=stretch.tool,
            external_id=stretch.seed,
            model=model.name,
            max_context_tokens=model.window if model.told_by else None,
            window_source=model.told_by,
        ).conversation
        return conversations.change(team=self.team, conversation_id=new.id, changes={"expires_at": self._kept()})

    def _kept(self) -> datetime:
        """A life of a month from when the row is made, so that the oldest are still there after the fortnight."""
        return timezone.now() + KEPT

    def _record_with_packs(self, conversation: Conversation, session: DemoSession, stretch: sessions.Stretch) -> datetime:
        """Records up to each thing that the person says, when the hooks ask for packs. When the last of it was."""
        person = self.people[session.by or stretch.theme.by]
        packed = PackedSession(self.team, conversation, f"{person.name.split()[0].lower()}s-laptop", stretch.cwd, stretch.tree)
        said: list[Message] = []
        ended = stretch.begin
        for step, messages in sessions.told(stretch):
            said += messages
            if step.kind == "person":
                ended, said = self._record(conversation, said), []
                with self.history.at(ended):
                    packed.turn(step.body)
        if said:
            ended = self._record(conversation, said)
        with self.history.at(ended):
            packed.captured(person, accepted=session.accepted)
        return ended

    def _record(self, conversation: Conversation, messages: Sequence[Message]) -> datetime:
        """When the last of them was. Segments are told by the sweep, as always: a first start need not wait for it."""
        with self.history.at(_ended(messages)):
            conversations.append(team=self.team, conversation_id=conversation.id, messages=messages)
            fold_runner.catch_up(conversation_id=conversation.id)
            probe_bank.catch_up(conversation_id=conversation.id)
        return _ended(messages)

    def _hand_off(self, conversation: Conversation, session: DemoSession, at: datetime) -> Handoff:
        conversation.refresh_from_db()
        with self.history.at(at):
            handoff = self._prepared(conversation, session)
            author = Author(user=conversation.owner)
            if session.outcome is Outcome.OFFERED:
                offers.offer(team=self.team, handoff_id=handoff.id, to=self.owner.email, author=author, note=session.note)
            if session.outcome is Outcome.DRAFT:
                package_edits.add(
                    team=self.team, handoff_id=handoff.id, type="Constraint", text="Only between 01:00 and 04:00.", author=author
                )
            if session.audited:
                job = auditing.submit(team=self.team, conversation_id=conversation.id, handoff_id=handoff.id)
                jobs.run(job_id=job.id)
        return handoff

    def _prepared(self, conversation: Conversation, session: DemoSession) -> Handoff:
        """By itself where the window says so, else asked for by the conversation's owner."""
        made = automatic.follow_up(team=self.team, conversation=conversation).handoff
        if made is not None:
            return made
        options = preparation.options_of(budget=TOO_SMALL if session.outcome is Outcome.FAILED else session.budget)
        draft = session.outcome is Outcome.DRAFT
        owner = conversation.owner
        return preparation.prepare(team=self.team, conversation_id=conversation.id, options=options, owner=owner, draft=draft)

    def _receive(self, handoff: Handoff, conversation: Conversation, head: str, at: datetime) -> None:
        anchors = [reference for reference in handoff.references if reference.startswith("a")]
        author = Author(user=conversation.owner)
        with self.history.at(at):
            found = Workspace(head_commit=head)
            receipts.give(team=self.team, handoff_id=handoff.id, author=author, acknowledged=anchors[:8], workspace=found)

    def checked_months(self) -> None:
        """One agent dies and another one goes on."""
        check_months(team=self.team, by=self.people["jonas"], now=self.now, kept=self._kept(), history=self.history)

    def incident(self) -> None:
        """Three agents look for a cause together."""
        by = self.people[agents.incident().asked_by]
        find_cause(team=self.team, by=by, now=self.now, kept=self._kept(), history=self.history)

    def sample(self) -> None:
        """The session that the project ships, as of some days ago, with a pinned rule and a package that waits."""
        transcript = open_transcript(DEMO_SESSION)
        said = [item for item in transcript if not isinstance(item, Abandoned)]
        back = working_time(self.now, *SAMPLE_END) - max(message.at for message in said if message.at)
        said = [replace(message, at=message.at + back) if message.at else message for message in said]
        report, owner = transcript.report, self.people[SAMPLE_BY]
        with self.history.at(min(message.at for message in said if message.at)):
            conversation = conversations.create(
                team=self.team,
                owner=owner,
                title=report.title,
                source_tool=report.format,
                external_id=report.session_id,
                model=report.model,
                cwd=report.cwd,
                branch=report.branch,
                expires_at=self._kept(),
            )
        self._record(conversation, said)
        with self.history.at(_ended(said) + timedelta(minutes=3)):
            options = preparation.options_of(budget=2000)
            handoff = preparation.prepare(team=self.team, conversation_id=conversation.id, options=options, owner=owner)
            author = Author(user=owner)
            package_edits.edit(team=self.team, handoff_id=handoff.id, action=EditAction.PIN, author=author, ref="a2")


def _ended(messages: Sequence[Message]) -> datetime:
    return max(message.at for message in messages if message.at)
