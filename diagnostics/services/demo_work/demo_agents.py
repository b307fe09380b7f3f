"""The demo's agents at work. One of them is killed and replaced with a briefing; all of them have ended in the end."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from typing import TypedDict
from uuid import UUID

from continuity.agents.names import OrderKind
from continuity.agents.strategies import FailureCause
from continuity.models import Agent, AgentOrder, Conversation, Team, User
from continuity.services.agents import admission, orders, recovery, registry
from continuity.services.knowledge import fold_runner
from continuity.services.recording import conversations
from continuity.transcripts.base.model import Message
from diagnostics.demo import agents, sessions
from diagnostics.demo.repository import FIRST, Tree
from diagnostics.demo.scripts import program, theme
from diagnostics.services.backdating import History
from handoffs.services.chains import backup_handoff
from handoffs.services.packages import probe_bank

SIGNAL = 9
FOLDER = "/srv/agents/tidewatch"
# From one step to the next, as a runner and a worker take them.
MOMENT = timedelta(seconds=2)


class ActingInstance(TypedDict):
    """As services name whoever acts."""

    team: Team
    name: str
    epoch: int
    instance: UUID


@dataclass(slots=True)
class RunningAgent:
    """An instance of one of the demo's agents. Needs a transaction; `kept` is until when its conversations stay."""

    team: Team
    history: History
    agent: Agent
    kept: datetime

    @classmethod
    def started(cls, *, team: Team, history: History, name: str, runner: str, by: User, at: datetime, kept: datetime) -> RunningAgent:
        """Registered, and ready a moment later."""
        given = agents.agents()[name].given
        with history.at(at):
            agent = registry.register(team=team, name=name, now=at, given=given, runner=runner, created_by=by.email).agent
            made = cls(team, history, agent, kept)
            registry.ready(**made._who, now=at + MOMENT)
        return made

    @property
    def _who(self) -> ActingInstance:
        """Raises ValueError where it is over."""
        if self.agent.instance_id is None:
            raise ValueError(f"{self.agent.name} does not run")
        return {"team": self.team, "name": self.agent.name, "epoch": self.agent.epoch, "instance": self.agent.instance_id}

    def opened(self, stretch: sessions.Stretch, title: str) -> Conversation:
        with self.history.at(stretch.begin):
            made = admission.open_conversation(**self._who, title=title, model=stretch.model, cwd=stretch.cwd, source_tool=stretch.tool)
        return self._keep(made, stretch.begin)

    def _keep(self, conversation: Conversation, at: datetime) -> Conversation:
        with self.history.at(at):
            return conversations.change(team=self.team, conversation_id=conversation.id, changes={"expires_at": self.kept})

    def writes(self, conversation: Conversation, messages: list[Message]) -> datetime:
        """Records what it said and did; when the last of it was."""
        ended = max(message.at for message in messages if message.at)
        with self.history.at(ended):
            conversations.append(team=self.team, conversation_id=conversation.id, messages=messages)
            fold_runner.catch_up(conversation_id=conversation.id)
            probe_bank.catch_up(conversation_id=conversation.id)
        return ended

    def dies(self, at: datetime) -> None:
        """Its runner sees it killed, and its backup is prepared a briefing."""
        with self.history.at(at):
            told = recovery.ended(**self._who, cause=FailureCause.KILLED, signal=SIGNAL, now=at)
            if told.attempt is None:
                raise ValueError(f"{self.agent.name} is not recovered")
            backup_handoff.relieve(attempt_id=told.attempt.id)

    def goes_on(self, at: datetime) -> Conversation:
        """The conversation that it goes on in for another one, as it was told."""
        order = AgentOrder.objects.get(agent=self.agent, kind=OrderKind.RESUME)
        with self.history.at(at):
            orders.acknowledge(**self._who, order_id=order.id, done=True, now=at)
        self.agent.refresh_from_db()
        if self.agent.working_on is None:
            raise ValueError(f"{self.agent.name} has nothing to go on with")
        return self._keep(self.agent.working_on, at)

    def ends(self, at: datetime) -> None:
        with self.history.at(at):
            registry.stop(**self._who, now=at)


def check_months(*, team: Team, by: User, now: datetime, kept: datetime, history: History) -> None:
    """One agent compares moved months, is killed in the middle, and its backup goes on from a briefing."""
    check, script = agents.check(), theme(agents.CHECK)
    begin = check.begin(now)
    started = partial(RunningAgent.started, team=team, history=history, runner=check.runner, by=by, kept=kept)
    second = started(name=check.second, at=begin)
    first = started(name=check.first, at=begin + MOMENT)
    tree = Tree.of(script.branch, program(), FIRST)

    def stretch(number: int, at: datetime) -> sessions.Stretch:
        seed = f"{agents.CHECK}-{number}"
        return sessions.Stretch(script, script.sessions[number], at, script.tool, script.model, FOLDER, seed, tree)

    planned = stretch(0, begin + 3 * MOMENT)
    ended = first.writes(first.opened(planned, check.title), sessions.write(planned))
    died = ended + timedelta(seconds=check.died_after)
    first.dies(died)
    conversation = second.goes_on(died + 2 * MOMENT)
    ended = second.writes(conversation, sessions.write(stretch(1, died + 4 * MOMENT)))
    second.ends(ended + agents.ENDED)
