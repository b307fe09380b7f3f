"""Beats of agents, kept in Valkey: who beat since the last look, when, and what became of probes. Nothing of it is needed after a loss.

Each call of a runner gets the next number, which stands beside its agents in a sorted set: who looks asks for those above the number that
it saw last. Times are kept for people to read, and decide nothing.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any
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

# KEYS: beats, number, probes, usage. ARGV: time, length of a strip, how long it is kept, the runner's member, then for each agent its id,
# whether it answers probes, what it says of one, and what it uses. Gives the state of each probe. A strip is cut at twice its length.
_TAKE = """
local number = redis.call('INCR', KEYS[2])
local scores, asked, told = {}, {}, {}
if ARGV[4] ~= '' then scores = {number, ARGV[4]} end
for at = 5, #ARGV, 4 do
  local id = ARGV[at]
  scores[#scores + 1] = number
  scores[#scores + 1] = id
  local strip = 'STRIP' .. id
  local length = redis.call('LPUSH', strip, ARGV[1])
  if length == 1 or length > 2 * ARGV[2] then
    redis.call('LTRIM', strip, 0, ARGV[2] - 1)
    redis.call('PEXPIRE', strip, ARGV[3])
  end
  told[#told + 1] = ''
  if ARGV[at + 1] == '1' then asked[#asked + 1] = at end
  if ARGV[at + 3] ~= '' then redis.call('HSET', KEYS[4], id, ARGV[at + 3]) end
end
if #scores > 0 then redis.call('ZADD', KEYS[1], unpack(scores)) end
if #asked == 0 then return told end
local ids = {}
for each, at in ipairs(asked) do ids[each] = ARGV[at] end
local states = redis.call('HMGET', KEYS[3], unpack(ids))
for each, at in ipairs(asked) do
  local state, said = states[each] or '', ARGV[at + 2]
  local open = string.match(state, '^(%S+) asked$') or string.match(state, '^(%S+) handed$')
  if open then
    local now = open .. ' handed'
    if said == open .. ' answered' or said == open .. ' failed' then now = said end
    if now ~= state then redis.call('HSET', KEYS[3], ids[each], now) end
    state = now
  end
  told[(at - 5) / 4 + 1] = state
end
return told
""".replace("STRIP", STRIP)


@dataclass(frozen=True, slots=True)
class Beat:
    """One agent's beat; `answer` is what it says of a probe, as `answer_of` writes it, `used` what it uses, as `usage.kept` does."""

    agent: UUID
    probes: bool = False
    answer: str = ""
    used: str = ""


@dataclass(frozen=True, slots=True)
class NewBeats:
    """What was heard since a number: members of the set, the present number, whether a web process tells of itself, states of probes."""

    members: frozenset[str]
    number: int
    presence: int
    probes: Mapping[str, ProbeState]


def answer_of(probe: str, *, ok: bool) -> str:
    return f"{probe} {ProbeState.ANSWERED if ok else ProbeState.FAILED}"


def runner_member(team: UUID, runner: str) -> str:
    return f"{RUNNER}{team.hex} {runner}" if runner else ""


def take(beats: Sequence[Beat], *, runner: str, now_ms: int) -> Mapping[UUID, str] | None:
    """Notes beats of a runner (its member). Gives the id of the probe that each is to answer, "" where there is none; None where Valkey
    is away. One command."""
    found: dict[UUID, str] = {}

    def work(client: broker.Client) -> None:
        arguments: list[str | int] = [now_ms, SHOWN, KEPT_MS, runner]
        for beat in beats:
            arguments += (beat.agent.hex, int(beat.probes), beat.answer, beat.used)
        states: Any = _script(client)(keys=[BEATS, NUMBER, PROBES, usage.KEY], args=arguments)
        for beat, state in zip(beats, states, strict=True):
            probe, _, known = state.decode().partition(" ")
            found[beat.agent] = probe if known == ProbeState.HANDED else ""

    return found if broker.try_call(work) else None


def heard_since(number: int, probed: Collection[str] = ()) -> NewBeats | None:
    """Who beat after this number, and what became of the probes of `probed` (members); None where Valkey is away, or where it forgot (its
    numbers began anew). One round trip.

    Who beat last so many calls ago goes from the set, such as runners of which nobody will hear again.
    """
    found: list[NewBeats] = []
    asked = list(probed)

    def work(client: broker.Client) -> None:
        pipe = client.pipeline(transaction=True)
        pipe.zremrangebyscore(BEATS, "-inf", number - KEPT_CALLS)
        pipe.zrangebyscore(BEATS, f"({number}", "+inf")
        pipe.mget(NUMBER, PRESENCE)
        if asked:
            pipe.hmget(PROBES, asked)
        _, members, (newest, presence), *told = pipe.execute()
        probes = zip(asked, told[0], strict=True) if told else ()
        states = {who: ProbeState(state.decode().partition(" ")[2]) for who, state in probes if state is not None}
        found.append(NewBeats(frozenset(each.decode() for each in members), int(newest or 0), int(presence or 0), states))

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


@cache
def _script(client: broker.Client) -> Any:
    return client.register_script(_TAKE)
