"""Packing an agent's state: what is left out and in which order, and what is refused."""

import gzip
import json
import random
import zlib

import pytest

from continuity.storage import packing
from continuity.storage.packing import StateTooLarge
from continuity.storage.sessions import Encoding
from continuity.storage.state_digest import digest_of
from continuity.storage.state_json import BadState
from continuity.storage.trimming import turns_of

MB = 1024 * 1024


def pack(state, history=10, limit=10 * MB, **how):
    return packing.pack(state, history=history, limit=limit, **how)


def unpacked(packed):
    return packing.unpack(packed.body, packed.encoding)


def turn(number, text="x"):
    return [{"role": "user", "content": f"{number} {text}"}, {"role": "assistant", "content": f"answer {number}"}]


def random_text(size, seed=1):
    return random.Random(seed).randbytes(size // 2).hex()


def test_it_works():
    state = {"config": {"model": "x"}, "context": {"step": 3}, "messages": turn(1)}
    packed = pack(state)
    assert unpacked(packed) == state
    assert packed.digest == digest_of(state) == digest_of(dict(reversed(state.items())))
    assert (packed.encoding, packed.messages, packed.dropped_turns) == (Encoding.PLAIN, 2, 0)


def test_state_trimming_when_exceeding_10mb_limit():
    """The specification's test: 12 MB (5 MB of config and 7 MB of messages) keep their 8 most recent messages, below 10 MB."""
    messages = [{"role": "user" if number % 2 == 0 else "assistant", "content": random_text(7 * MB // 12)} for number in range(12)]
    state = {"config": {"prompt": random_text(5 * MB)}, "messages": messages}
    assert len(json.dumps(state)) > 11.9 * MB
    packed = pack(state)
    assert packed.size < 10 * MB
    assert unpacked(packed) == {**state, "messages": messages[-8:]}
    assert packed.dropped_turns == 2


def test_keeps_the_latest_turns_only():
    messages = [message for number in range(15) for message in turn(number)]
    assert unpacked(pack({"messages": messages}))["messages"] == messages[10:]
    assert unpacked(pack({"messages": messages}, history=0))["messages"] == []


@pytest.mark.parametrize(
    ("roles", "turns"),
    [
        ("", []),
        ("uaua", [2, 2]),
        ("aua", [1, 2]),
        ("uuaa", [4]),
        ("uatau", [4, 1]),
        ("aaa", [1, 1, 1]),
    ],
)
def test_a_turn_is_a_user_message_and_its_answers(roles, turns):
    names = {"u": "user", "a": "assistant", "t": "tool"}
    assert [len(each) for each in turns_of([{"role": names[role]} for role in roles])] == turns


def test_turns_go_before_fields_and_the_largest_field_first():
    context = {
        "small": {"trimmable": True, "value": random_text(MB, 2)},
        "kept": {"value": "needed", "trimmable": False},
        "deep": {"cache": {"trimmable": True, "value": random_text(4 * MB, 3)}},
        "own": random_text(7 * MB, 4),
    }
    packed = pack({"context": context, "messages": turn(1)})
    assert packed.dropped_turns == 1
    assert packed.dropped_fields == ("context.deep.cache",)
    assert unpacked(packed) == {"context": {**context, "deep": {}}, "messages": []}


def test_what_is_not_marked_is_never_dropped():
    # Compressed it is half as large: above the limit as JSON, below it as stored.
    state = {"context": {"own": random_text(16 * MB)}}
    packed = pack(state)
    assert unpacked(packed) == state
    assert packed.encoding == Encoding.GZIP
    assert len(packed.body) <= 10 * MB


def test_compresses_above_100_kb():
    assert pack({"context": {"x": random_text(90 * 1024)}}).encoding == Encoding.PLAIN
    larger = pack({"context": {"x": random_text(110 * 1024)}})
    assert larger.encoding == Encoding.GZIP
    assert len(larger.body) < larger.size


@pytest.mark.parametrize("error", [zlib.error("x"), OSError("x"), MemoryError()])
def test_what_gzip_fails_at_is_stored_plain(error):
    def fail(text):
        raise error

    state = {"context": {"x": random_text(200 * 1024)}}
    packed = pack(state, compress=fail)
    assert (packed.encoding, packed.uncompressed_for) == (Encoding.PLAIN, type(error).__name__)
    assert unpacked(packed) == state
    with pytest.raises(StateTooLarge):
        pack({"context": {"x": random_text(16 * MB)}}, compress=fail)


@pytest.mark.parametrize("text", ["a" * 50 * MB, random_text(50 * MB)], ids=["even", "random"])
def test_50_mb_are_refused(text):
    with pytest.raises(StateTooLarge) as refused:
        pack({"context": {"x": text}})
    assert refused.value.limit == 10 * MB


def test_what_shrinks_like_a_bomb_is_stored_plain_and_read_back():
    state = {"context": {"x": "a" * MB}}
    packed = pack(state)
    assert packed.encoding == Encoding.PLAIN
    assert unpacked(packed) == state


@pytest.mark.parametrize(
    "body",
    [
        gzip.compress(b'{"context":{"x":"' + b"a" * (20 * MB) + b'"}}'),
        gzip.compress(b'{"context":{}}')[:-1],
        gzip.compress(b'{"context":{}}') + b"more",
        gzip.compress(b"{}") + gzip.compress(b"{}"),
        gzip.compress(b"[]"),
        b"no gzip",
        b"",
    ],
    ids=["bomb", "cut short", "followed", "two", "no object", "no gzip", "empty"],
)
def test_hostile_bodies_are_refused(body):
    with pytest.raises(BadState):
        packing.unpack(body, Encoding.GZIP)


def test_a_bomb_is_never_swollen():
    bomb = gzip.compress(b"0" * (100 * MB))
    with pytest.raises(BadState, match="swells"):
        packing.unpack(bomb, Encoding.GZIP)


@pytest.mark.parametrize(
    "state",
    [
        None,
        [],
        "text",
        {"other": {}},
        {"config": []},
        {"context": "x"},
        {"messages": {}},
        {"messages": ["x"]},
        {"messages": [None]},
        {"context": {"x": float("nan")}},
        {"context": {"x": b"bytes"}},
    ],
)
def test_wrong_types_are_refused(state):
    with pytest.raises(BadState):
        pack(state)


def test_costs_grow_with_the_state_only():
    """A hundred thousand turns and as many fields: each is measured once."""
    state = {
        "context": {f"field{number}": {"trimmable": True} for number in range(100_000)},
        "messages": [message for number in range(100_000) for message in turn(number)],
    }
    packed = pack(state, history=100_000, limit=1000)
    assert packed.size <= 1000
    assert packed.dropped_turns == 100_000
