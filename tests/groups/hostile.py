"""What hostile callers send to groups: a method, an address and a body each. `{group}` and `{turn}` are those of the group that is asked,
`{theirs}` and `{their_turn}` those of another team's, `{other_turn}` the turn of another group of one's own."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any
from urllib.parse import quote
from uuid import UUID, uuid4

HostileCall = tuple[str, str, str, bytes]

NAMES = ["", "\x00", "..", "../../etc/passwd", "%2e%2e%2f", "a/b", "a\\b", "a b", "a\nb", "é", "💥", "'; DROP TABLE x; --", "<script>",
         "{{7*7}}", "-", ".", "_a", "n" * 81, "n" * 5000, "\u202e", "\x1b[31m", "nobody"]  # fmt: skip
NO_NAMES: list[Any] = [None, 7, True, ["dba"], {"$ne": ""}]
NUMBERS = [-1, 2**31, 2**63, 10**30, 1.5, "one", "", None, [], {}, "1e3", "0x1", float("nan"), float("inf")]
IDS = ["0", "own", "..", "1" * 36, str(UUID(int=0)), str(uuid4()), "{theirs}", "'; DROP TABLE x; --"]
ROLES: list[Any] = ["", "emperor", "u" * 21, None, 7, [], {"role": "user"}]
STEPS: list[Any] = [
    None, 7, "a", {}, [7], ["a"], [{}], [{"key": None}], [{"key": ""}], [{"key": "end"}], [{"key": "a b"}], [{"key": "a"}, {"key": "a"}],
    [{"key": "a", "next": ["b"]}], [{"key": "a", "next": ["a"]}], [{"key": "a", "next": "end"}], [{"key": "a", "next": [7]}],
    [{"key": "a", "owner": "../x"}], [{"key": "a", "owner": 7}], [{"key": "a", "title": 7}], [{"key": "a", "title": "t" * 201}],
    [{"key": "a", "expertise": "sql"}], [{"key": "a", "expertise": ["e" * 81]}], [{"key": "a", "expertise": ["e"] * 21}],
    [{"key": "a", "rule": 1}], [{"key": "a", "__proto__": {}}], [{"key": f"s{number}"} for number in range(31)],
    [{"key": f"s{number}"} for number in range(101)], [{"key": "k" * 81}], [{"key": "a", "next": ["end"] * 21}],
]  # fmt: skip
FACTORS: list[Any] = [0, 1, -1, 11, "2", None, [], True]
STRATEGIES: list[Any] = ["", "loudest", "ROUND_ROBIN", "__class__", 7, [], {"$ne": ""}]
RULES: list[Any] = [
    None, 7, "skip", [7], [{}], [{"pattern": "a", "action": "raise"}], [{"pattern": "", "action": "skip", "agent": "dba"}],
    [{"pattern": "a:**", "action": "skip", "agent": "dba"}], [{"pattern": "a:" * 300, "action": "skip", "agent": "dba"}],
    [{"pattern": {"$ne": ""}, "action": "skip", "agent": "dba"}], [{"pattern": "a", "action": "shout", "agent": "dba"}],
    [{"pattern": "a", "action": ["skip"], "agent": "dba"}], [{"pattern": "a", "action": "skip", "agent": "<script>"}],
    [{"pattern": "a", "action": "skip", "agent": 7}], [{"pattern": "a", "action": "skip", "agent": "dba", "code": "x"}],
    [{"pattern": "a", "action": "advance", "step": "nowhere"}], [{"pattern": "a", "action": "advance", "step": 7}],
    [{"pattern": "a", "action": "skip", "agent": "dba"}] * 21, [{"pattern": "a", "action": "skip", "agent": "dba"}] * 101,
    *([{"pattern": "a", "action": "raise", "agent": "dba", "factor": factor}] for factor in FACTORS),
]  # fmt: skip
LIMITS: list[Any] = [None, 7, [], {"speed": 1}, {"turns": {"$gt": 0}}, {"turns": True}, {"gap_ms": 1}, {"lease_seconds": 1}, {"": 1},
                     {"in_a_row": 11}, {"l" * 5000: 1}]  # fmt: skip
PARTICIPANT: list[dict[str, Any]] = [
    {"role": "r" * 201}, {"role": 7}, {"expertise": "dns"}, {"expertise": ["e" * 81]}, {"expertise": ["e"] * 51}, {"expertise": [7]},
    {"priority": 1001}, {"priority": -1001}, {"priority": "high"}, {"excluded": "perhaps"}, {"excluded": 7}, {"epoch": 1}, {"id": "x"},
]  # fmt: skip
ABOUT: list[dict[str, Any]] = [
    {"title": "t" * 301}, {"title": 7}, {"model": "m" * 121}, {"message": "x" * 100_001}, {"message": 7}, {"owner": "me"},
    {"participants": [{"agent": "dba"}] * 2}, {"participants": [{"agent": "dba"}] * 101}, {"participants": "dba"},
]  # fmt: skip
MESSAGES: list[Any] = [
    None, [], 7, "Hello", {}, [7], ["Hello"], [{}], [{"content": "Hello"}], [{"role": "user", "parts": []}],
    [{"role": "user", "parts": [{"kind": "shout", "text": "x"}]}], [{"role": "user", "parts": [{"text": 7}]}],
    [{"role": "user", "parts": [{"text": "x", "exit_code": 2**40}]}], [{"role": "user", "content": 7}],
    [{"role": "user", "content": "x", "external_id": "i" * 201}], [{"role": "user", "content": "x", "at": "yesterday"}],
    [{"role": "user", "content": "x"}] * 1001, *([{"role": role, "content": "x"}] for role in ROLES),
]  # fmt: skip
BODIES = {
    "no JSON": b"{", "no object": b"[]", "empty": b"", "null": b"null", "text": b'"x"', "not UTF-8": b'{"\xff": 1}',
    "deep": b'{"x": ' + b"[" * 50_000 + b"]" * 50_000 + b"}", "deep objects": b'{"x": ' + b'{"a":' * 9000 + b"1" + b"}" * 9000 + b"}",
}  # fmt: skip


def calls() -> Iterator[HostileCall]:
    for call in (*_of_making(), *_of_people(), *_of_turns(), *_of_ids(), *_of_bodies()):
        name, method, path, body = call
        yield name, method, path, body if isinstance(body, bytes) else json.dumps(body).encode()


def _of_making() -> Iterator[tuple[str, str, str, Any]]:
    for name in (*NAMES, *NO_NAMES):
        yield f"make with {name!r:.30}", "POST", "/groups", {"participants": [{"agent": name}]}
    for number, steps in enumerate(STEPS):
        yield f"steps {number}", "POST", "/groups", {"workflow": steps}
    for number, rules in enumerate(RULES):
        yield f"rules {number}", "POST", "/groups", {"rules": rules}
        if rules is not None:  # Nothing is left as it is.
            yield f"changed rules {number}", "PATCH", "/groups/{group}", {"rules": rules}
    for number, limits in enumerate((*LIMITS, *({"turns": each} for each in NUMBERS))):
        yield f"limits {number}", "POST", "/groups", {"limits": limits}
        if limits is not None:
            yield f"changed limits {number}", "PATCH", "/groups/{group}", {"limits": limits}
    for strategy in STRATEGIES:
        yield f"strategy {strategy!r}", "POST", "/groups", {"strategy": strategy}
        yield f"changed strategy {strategy!r}", "PATCH", "/groups/{group}", {"strategy": strategy}
    for about in ABOUT:
        yield f"make {about!s:.30}", "POST", "/groups", about
    yield "status", "GET", "/groups?status=loud", b""
    for limit in ("0", "-1", "x", "1e9", "99999999999999999999"):
        yield f"list {limit}", "GET", f"/groups?limit={limit}", b""
    yield "cursor", "GET", "/groups?cursor=%00%ff", b""


def _of_people() -> Iterator[tuple[str, str, str, Any]]:
    for name in (*NAMES, *NO_NAMES):
        yield f"join {name!r:.30}", "POST", "/groups/{group}/participants", {"agent": name}
    for name in NAMES:
        yield f"leave {name!r:.30}", "DELETE", f"/groups/{{group}}/participants/{quote(name, safe='')}", b""
    for about in PARTICIPANT:
        yield f"join with {about!s:.30}", "POST", "/groups/{group}/participants", {"agent": "writer", **about}
    for number, messages in enumerate(MESSAGES):
        yield f"say {number}", "POST", "/groups/{group}/messages", {"messages": messages}
    for number, far in enumerate(NUMBERS):
        yield f"version {number}", "POST", "/groups/{group}/workflow", {"to": "fix", "version": far}
        yield f"budget {number}", "GET", f"/groups/{{group}}/context?budget={quote(str(far), safe='')}", b""
        yield f"briefing {number}", "POST", "/groups/{group}/handoff", {"budget": far}
    for to in ("nowhere", "", "e" * 81, None, 7, "../x"):
        yield f"to {to!r:.20}", "POST", "/groups/{group}/workflow", {"to": to, "version": 1}


def _of_turns() -> Iterator[tuple[str, str, str, Any]]:
    held = {"agent": "dba", "epoch": 1, "instance": str(uuid4())}
    for name in (*NAMES, *NO_NAMES):
        acting = {**held, "agent": name}
        yield f"next as {name!r:.30}", "POST", "/groups/{group}/next", {"acting": acting}
        yield f"turn as {name!r:.30}", "POST", "/groups/{group}/turns/{turn}/messages", acting
    for number, far in enumerate(NUMBERS):
        yield f"epoch {number}", "POST", "/groups/{group}/next", {"acting": {**held, "epoch": far}}
        if far != -1:
            yield f"thumb {number}", "POST", "/groups/{group}/turns/{turn}/thumb", {"thumb": far}
    for instance in ("", "x", None, 7, str(UUID(int=0)), str(uuid4())):
        yield f"instance {instance!r}", "POST", "/groups/{group}/turns/{turn}/messages", {**held, "instance": instance}
    for turn in (*IDS, "{their_turn}", "{other_turn}"):
        yield f"thumb of {turn}", "POST", f"/groups/{{group}}/turns/{_quoted(turn)}/thumb", {"thumb": 1}
        yield f"in the turn {turn}", "POST", f"/groups/{{group}}/turns/{_quoted(turn)}/messages", "{acting}"
    for name, value in (("over", "perhaps"), ("done", 7), ("to_step", 7), ("to_step", "s" * 81), ("to_step", "nowhere"), ("messages", 7)):
        yield f"{name} {value!r:.20}", "POST", "/groups/{group}/turns/{turn}/messages", f'{{acting with "{name}": {json.dumps(value)}}}'


def _of_ids() -> Iterator[tuple[str, str, str, Any]]:
    for number, each in enumerate(IDS):
        group = _quoted(each)
        yield f"see {number}", "GET", f"/groups/{group}", b""
        yield f"close {number}", "POST", f"/groups/{group}/close", b""
        yield f"join {number}", "POST", f"/groups/{group}/participants", {"agent": "writer"}
        yield f"say to {number}", "POST", f"/groups/{group}/messages", {"messages": [{"role": "user", "content": "x"}]}


def _of_bodies() -> Iterator[tuple[str, str, str, Any]]:
    for what in ("participants", "workflow", "messages", "turns/{turn}/messages", "turns/{turn}/thumb"):
        for name, body in BODIES.items():
            yield f"{what} {name}", "POST", f"/groups/{{group}}/{what}", body
    for name, body in BODIES.items():
        yield f"make {name}", "POST", "/groups", body


def _quoted(each: str) -> str:
    return each if each.startswith("{") else quote(each, safe="")
