"""Beats of agents, kept in Valkey: who beat since the last look, when, and what became of probes. Nothing of it is needed after a loss.

Each call of a runner gets the next number, which stands beside its agents in a sorted set: who looks asks for those above the number that
it saw last. Times are kept for people to read, and decide nothing.
"""

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple
from uuid import UUID

from continuity.agents.liveness import ProbeState
from continuity.services.agents import usage
from continuity.services.jobs import broker

BEATS, NUMBER, PROBES, PRESENCE = (f"continuity:agents:{each}" for each in ("beats", "number", "probes", "presence"))
STRIP = "continuity:agents:strip:"
SHOWN = 30
# Beats are shown for so long after the last.
KEPT_MS = 600_000
KEPT_CALLS = 10_000
RUNNER = "runner "

# KEYS: beats, number, probes, usage. ARGV: time, length of a strip, how long it is kept, the runner's member, then as one JSON list for
# each agent its id, whether it answers probes, what it says of one, and what it uses (clients take longer to write many arguments than Lua
# to read one). Gives the ids of those that have a probe to answer, each with its state. A strip is cut at twice its length.
_TAKE = """
local number = redis.call('INCR', KEYS[2])
local given = cjson.decode(ARGV[5])
local scores, asked, answers, told = {}, {}, {}, {}
if ARGV[4] ~= '' then scores = {number, ARGV[4]} end
for at = 1, #given, 4 do
  local id = given[at]
  scores[#scores + 1] = number
  scores[#scores + 1] = id
  local strip = 'STRIP' .. id
  local length = redis.call('LPUSH', strip, ARGV[1])
  if length == 1 or length > 2 * ARGV[2] then
    redis.call('LTRIM', strip, 0, ARGV[2] - 1)
    redis.call('PEXPIRE', strip, ARGV[3])
  end
  if given[at + 1] then
    asked[#asked + 1] = id
    answers[#answers + 1] = given[at + 2]
  end
  if given[at + 3] ~= '' then redis.call('HSET', KEYS[4], id, given[at + 3]) end
end
if #scores > 0 then redis.call('ZADD', KEYS[1], unpack(scores)) end
if #asked == 0 then return told end
local states = redis.call('HMGET', KEYS[3], unpack(asked))
for each, id in ipairs(asked) do
  local state, said = states[each] or '', answers[each]
  local open = string.match(state, '^(%S+) asked$') or string.match(state, '^(%S+) handed$')
  if open then
    local now = open .. ' handed'
    if said == open .. ' answered' or said == open .. ' failed' then now = said end
    if now ~= state then redis.call('HSET', KEYS[3], id, now) end
    told[#told + 1] = id
    told[#told + 1] = now
  end
end
return told
""".replace("STRIP", STRIP)
# KEYS: beats, number, probes, presence. ARGV: after which number, how many calls are kept, then those whose probes are looked at. The
# members come as one JSON list: clients take longer to read many answers than one.
_HEARD = """
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', ARGV[1] - ARGV[2])
local members = redis.call('ZRANGEBYSCORE', KEYS[1], '(' .. ARGV[1], '+inf')
local states = {}
for at = 3, #ARGV do states[at - 2] = redis.call('HGET', KEYS[3], ARGV[at]) end
return {cjson.encode(members), redis.call('GET', KEYS[2]), redis.call('GET', KEYS[4]), states}
"""


class Beat(NamedTuple):
    """One agent's beat; `answer` is what it says of a probe, as `answer_of` writes it, `used` what it uses, as `usage.kept` does."""

    agent: UUID
    probes: bool = False
    answer: str = ""
    used: str = ""


@dataclass(frozen=True, slots=True)
class NewBeats:
    """The beats since a number: members of the set, the present number, whether a web process tells of itself, states of probes."""

    members: frozenset[str]
    number: int
    presence: int
    probes: Mapping[str, ProbeState]


def answer_of(probe: str, *, ok: bool) -> str:
    return f"{probe} {ProbeState.ANSWERED if ok else ProbeState.FAILED}"


def runner_member(team: UUID, runner: str) -> str:
    return f"{RUNNER}{team.hex} {runner}" if runner else ""


def take(beats: Sequence[Beat], *, runner: str, now_ms: int) -> Mapping[UUID, str] | None:
    """Notes beats of a runner (its member). Gives the id of the probe that an agent is to answer, where there is one; None where Valkey is
    away. One command."""
    given: list[str | bool] = []
    for beat in beats:
        given += (beat.agent.hex, beat.probes, beat.answer, beat.used)
    found: dict[UUID, str] = {}

    def work(client: broker.Client) -> None:
        arguments = [now_ms, SHOWN, KEPT_MS, runner, json.dumps(given)]
        told: Any = _script(client, _TAKE)(keys=[BEATS, NUMBER, PROBES, usage.KEY], args=arguments)
        for who, state in zip(told[::2], told[1::2], strict=True):
            probe, _, known = state.decode().partition(" ")
            if known == ProbeState.HANDED:
                found[UUID(who.decode())] = probe

    return found if broker.try_call(work) else None


def beats_since(number: int, probed: Collection[str] = ()) -> NewBeats | None:
    """The members that beat after this number, and the probes' states of those `probed`; None where Valkey is away, or where it forgot (its
    numbers began anew). One round trip.

    Who beat last so many calls ago goes from the set, such as runners of which nobody will hear again.
    """
    found: list[NewBeats] = []
    asked = list(probed)

    def work(client: broker.Client) -> None:
        told: Any = _script(client, _HEARD)(keys=[BEATS, NUMBER, PROBES, PRESENCE], args=[number, KEPT_CALLS, *asked])
        members, newest, presence, known = told
        states = {who: ProbeState(state.decode().partition(" ")[2]) for who, state in zip(asked, known, strict=True) if state is not None}
        found.append(NewBeats(frozenset(json.loads(members)), int(newest or 0), int(presence or 0), states))

    if not broker.try_call(work) or found[0].number < number:
        return None
    return found[0]


def ask(probes: Mapping[UUID, str]) -> None:
    """Probes that are to be handed out with the next beats, by agent; their ids."""
    if probes:
        broker.try_call(
            lambda client: client.hset(PROBES, mapping={who.hex: f"{probe} {ProbeState.ASKED}" for who, probe in probes.items()})
        )


def forget(agents: Iterable[UUID]) -> None:
    """Nobody waits for beats of these any more."""
    gone = [agent.hex for agent in agents]

    def work(client: broker.Client) -> None:
        pipe = client.pipeline(transaction=False)
        pipe.zrem(BEATS, *gone)
        pipe.hdel(PROBES, *gone)
        usage.forget(pipe, gone)
        pipe.execute()

    if gone:
        broker.try_call(work)


def be_present() -> None:
    """Says that a web process is there to be called: without one nobody can be heard."""
    broker.try_call(lambda client: client.incr(PRESENCE))


def strips(agents: Sequence[UUID]) -> Mapping[UUID, list[int]]:
    """The times of the last beats of each, in milliseconds, the latest first; empty where Valkey is away. One round trip."""
    found: dict[UUID, list[int]] = {}

    def work(client: broker.Client) -> None:
        pipe = client.pipeline(transaction=False)
        for agent in agents:
            pipe.lrange(STRIP + agent.hex, 0, SHOWN - 1)
        found.update({agent: [int(each) for each in times] for agent, times in zip(agents, pipe.execute(), strict=True)})

    if agents:
        broker.try_call(work)
    return found


# One for each thread that keeps a connection of its own.
@lru_cache(maxsize=32)
def _script(client: broker.Client, text: str) -> Any:
    return client.register_script(text)
