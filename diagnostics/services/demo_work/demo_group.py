"""A group of the demo's agents that looked for the cause of an incident, turn by turn, and left one choice to a person."""

from __future__ import annotations

from datetime import datetime, timedelta
from functools import partial

from continuity.models import Group, GroupSelection, Team, User
from continuity.services.groups import groups, turns
from continuity.services.groups.groups import ParticipantInput
from continuity.services.groups.turns import Acting
from continuity.services.knowledge import fold_runner
from continuity.services.recording import conversations
from continuity.services.shared_state import states
from continuity.services.shared_state.states import StateWriter
from continuity.shared_state.names import StateScope, StateStrategy
from continuity.transcripts.base.model import Message, Part, PartKind, Role, Voice
from diagnostics.demo import agents
from diagnostics.demo.agents import ScriptedTurn, ScriptedValue
from diagnostics.services.backdating import History
from diagnostics.services.demo_work.demo_agents import MOMENT, RunningAgent

THANKED = timedelta(minutes=6)
WRITING = timedelta(seconds=19)  # for which a turn is held


def find_cause(*, team: Team, by: User, now: datetime, kept: datetime, history: History) -> None:
    """The incident, from the question to the end of the group and of its agents. Raises ValueError where another one is chosen to speak
    than the script has."""
    incident = agents.incident()
    begin = incident.begin(now)
    started = partial(RunningAgent.started, team=team, history=history, runner=incident.runner, by=by, kept=kept)
    running = {name: started(name=name, at=begin) for name in incident.agents}
    at = begin + timedelta(minutes=1)
    with history.at(at):
        given = [ParticipantInput(name) for name in incident.agents]
        group = groups.create(team=team, participants=given, now=at, title=incident.title, steps=incident.steps, created_by=by.email)
        changes = {"expires_at": kept}
        conversations.change(team=team, conversation_id=group.conversation_id, changes=changes)
        _ask(group, incident.told(incident.asked, now), at)
    for number, turn in enumerate(incident.turns):
        at += timedelta(seconds=turn.after)
        with history.at(at):
            _speak(group, running[turn.who], turn, incident.told(turn.text, now), at)
            for written in incident.states:
                if written.turn == number:
                    _write(group, written, at)
    at += THANKED
    with history.at(at):
        _ask(group, incident.told(incident.thanked, now), at)
        first = GroupSelection.objects.get(group=group, number=1)
        turns.rate(team=team, group_id=group.id, turn_id=first.id, thumb=1, by=by.email)
        groups.close(team=team, group_id=group.id, now=at + MOMENT)
        fold_runner.catch_up(conversation_id=group.conversation_id)
    for each in running.values():
        each.ends(at + agents.ENDED)


def _ask(group: Group, text: str, at: datetime) -> None:
    message = Message(external_id="", role=Role.USER, parts=(Part(PartKind.TEXT, Voice.PERSON, text),), at=at)
    turns.hear(team=group.team, group_id=group.id, messages=[message], now=at)


def _speak(group: Group, running: RunningAgent, turn: ScriptedTurn, text: str, at: datetime) -> None:
    agent = running.agent
    if agent.instance_id is None:
        raise ValueError(f"{agent.name} does not run")
    acting = Acting(agent.name, agent.epoch, agent.instance_id)
    given = turns.next_speaker(team=group.team, group_id=group.id, now=at - WRITING, acting=acting).turn
    if given is None:
        raise ValueError(f"nobody is chosen where {turn.who} is to speak")
    message = Message(external_id="", role=Role.ASSISTANT, parts=(Part(PartKind.TEXT, Voice.AGENT, text),), at=at)
    turns.say(
        team=group.team,
        group_id=group.id,
        acting=acting,
        turn_id=given.id,
        messages=[message],
        now=at,
        done=turn.done,
        to_step=turn.to_step,
    )


def _write(group: Group, written: ScriptedValue, at: datetime) -> None:
    strategy = StateStrategy(written.strategy) if written.strategy else None
    writer = StateWriter(f"agent {written.author}", at, written.base)
    states.put(
        team=group.team,
        scope=StateScope.GROUP,
        owner=str(group.id),
        key=written.key,
        value=written.value,
        writer=writer,
        strategy=strategy,
    )
