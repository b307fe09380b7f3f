"""A state that comes other than it is stored: nobody begins with it."""

import json
from copy import deepcopy

import pytest
from hypothesis import given
from hypothesis import strategies as some

from continuity.client.agents import StateDiffers
from continuity.client.agents.state import AgentState
from continuity.storage.state_digest import digest_of
from tests.client.agents.test_agent import STORED

JSON = some.recursive(
    some.none() | some.booleans() | some.integers() | some.floats(allow_nan=False, allow_infinity=False) | some.text(),
    lambda inner: some.lists(inner, max_size=4) | some.dictionaries(some.text(), inner, max_size=4),
    max_leaves=12,
)
OBJECTS = some.dictionaries(some.text(), JSON, max_size=4)
STATES = some.fixed_dictionaries({}, optional={"config": OBJECTS, "context": OBJECTS, "messages": some.lists(OBJECTS, max_size=3)})


def changed(state):
    other = deepcopy(state)
    other["context"]["seen"]["count"] += 1
    return other


@pytest.mark.parametrize("lie", [changed, lambda state: None], ids=["changed", "left out"])
def test_it_works(server, made, lie):
    """It is not ready, handles nothing, and says both digests."""
    agent = made()
    handled: list[object] = []
    agent.on("task:*")(handled.append)
    with agent:
        pass
    found = server.agent("billing")
    found.state, server.on_its_way = deepcopy(STORED), lie
    server.publish("task:missed", replay=True)
    again = made()
    again.on("task:*")(handled.append)
    with pytest.raises(StateDiffers) as refused, again:
        pass
    assert digest_of(STORED) in str(refused.value)
    assert (digest_of(changed(STORED)) in str(refused.value)) == (lie is changed)
    assert (len(found.readied), handled, found.state) == (1, [], STORED)


@given(STATES, OBJECTS, OBJECTS)
def test_the_digest_is_of_what_the_agent_holds(stored, config, held):
    """It is the stored state's, however that was written on its way, and whatever the agent's code had there before."""
    state = AgentState(config)
    for key in held:
        state.of(key)["mine"] = 1
    on_its_way = json.loads(json.dumps(stored, sort_keys=True))
    assert state.restore(on_its_way) == digest_of(stored)


@given(STATES, STATES)
def test_other_states_have_other_digests(one, other):
    assert (digest_of(one) == digest_of(other)) == (json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True))
