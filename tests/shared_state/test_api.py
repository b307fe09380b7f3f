"""Shared states over HTTP: versions in headers, refusals in words, hostile input."""

import json

import pytest

from continuity.services.agents import registry
from tests.api.caller import Caller

PLAN = "/states/team/own/plan"


@pytest.fixture
def api(team):
    return Caller.of(team)


def put(api, value, path=PLAN, headers=None, **body):
    return api.call("PUT", path, {"value": value, **body}, **(headers or {}))


def test_it_works(api):
    made = put(api, {"steps": ["a"]})
    assert (made.status_code, made["ETag"], made.json()["number"], made.json()["conflict"]) == (200, '"1"', 1, "none")
    changed = api.call("PATCH", PLAN, {"patch": {"done": 1}, "base": 1})
    assert changed.json()["state"]["value"] == {"steps": ["a"], "done": 1}
    read = api.get(PLAN)
    assert (read["ETag"], read.json()["version"], read.json()["author"]) == ('"2"', 2, "key test")
    assert [row["number"] for row in api.get(f"{PLAN}/versions").json()["items"]] == [2, 1]
    first = api.get(f"{PLAN}/value", version=1).json()
    assert (first["value"], first["version"]["number"]) == ({"steps": ["a"]}, 1)
    assert api.get(f"{PLAN}/value", at=read.json()["updated_at"]).json()["version"]["number"] == 2
    (place,) = api.get(f"{PLAN}/diff", first=1, second=2).json()["places"]
    assert (place["place"], place["old"], place["new"]["changed"]) == ("/done", None, "1")
    assert api.post(f"{PLAN}/restore", {"version": 1, "base": 2}).json()["number"] == 3
    assert api.call("DELETE", f"{PLAN}?base=3").json()["state"]["removed"]
    assert [row["key"] for row in api.get("/states").json()["items"]] == []
    assert [row["key"] for row in api.get("/states", removed=True, scope="team", owner="own", prefix="pl").json()["items"]] == ["plan"]
    changes = api.get("/states/changes", since=0).json()
    assert ([row["removed"] for row in changes["items"]], changes["sync_interval_ms"]) == ([True], 1000)


def test_if_match_refuses_with_the_current_version(api):
    put(api, 1)
    put(api, 2)
    refused = put(api, 3, headers={"If_Match": '"1"'})
    assert (refused.status_code, refused.json()["code"], refused.json()["current"]) == (412, "version_mismatch", 2)
    assert put(api, 3, headers={"If_Match": '"2"'}).status_code == 200
    assert put(api, 3, base=1, strict=True).status_code == 412


def test_a_conflict_is_seen_and_ended(api):
    put(api, "base", strategy="manual")
    put(api, "first", base=1)
    assert put(api, "second").status_code == 428
    assert put(api, "second", base=1).json()["conflict"] == "unresolved"
    (waiting,) = api.get("/states", unresolved=True).json()["items"]
    assert (waiting["value"], waiting["version"], waiting["latest"]) == ("base", 1, 3)
    assert api.post(f"{PLAN}/resolve", {}).status_code == 422
    assert api.post(f"{PLAN}/resolve", {"take": 2, "base": 2}).status_code == 412
    assert api.post(f"{PLAN}/resolve", {"value": None, "base": 3}).json()["state"]["value"] is None


def test_an_agent_s_writes_bear_its_name_and_end_with_its_instance(api, team):
    from django.utils import timezone

    registered = registry.register(team=team, name="billing", now=timezone.now(), given={}, runner="")
    path = "/states/agent/billing/plan"
    written = put(api, 1, path, headers={"Continuity_Agent": f"billing/{registered.agent.epoch}"})
    assert written.json()["state"]["author"] == "agent billing"
    registry.register(team=team, name="billing", now=timezone.now(), given={}, runner="")
    assert put(api, 2, path, headers={"Continuity_Agent": f"billing/{registered.agent.epoch}"}).json()["code"] == "fenced"


def nested(depth, opening="[", closing="]"):
    return (opening * depth + closing * depth).encode()


ODD = ["", "\x00", "..", "../../etc/passwd", "%2e%2e%2f", "a/b", "a\\b", "a b", "a\nb", "é", "💥", "'; DROP TABLE x; --",
       "<script>", "{{7*7}}", "$ne",
       "__proto__", "-", ".", "k" * 121, "k" * 5000, "\u202e", "\x1b[31m", "NaN", "null"]  # fmt: skip
FAR = [-1, 0, 2**31, 2**63, 2**64, 10**30, 1.5, "one", "", None, [], {}, "1e3", "0x1", "٣"]
VALUES = {
    "deep": b'{"value": ' + nested(40) + b"}", "very deep": b'{"value": ' + nested(50_000) + b"}",
    "deep objects": b'{"value": ' + b'{"a":' * 60 + b"1" + b"}" * 60 + b"}",
    "proto": b'{"value": {"__proto__": {"admin": true}}}', "no JSON": b"{", "no object": b"[]", "empty": b"", "null": b"null",
    "no value": b"{}", "large": json.dumps({"value": "x" * 70_000}).encode(), "many": json.dumps({"value": list(range(30_000))}).encode(),
    "long key": json.dumps({"value": {"k" * 300: 1}}).encode(), "not UTF-8": b'{"value": "\xff\xfe"}',
    "bad strategy": b'{"value": 1, "strategy": "always"}',
    "bad rule": b'{"value": 1, "merges": {"/a": "average"}}', "bad place": b'{"value": 1, "merges": {"a": "set"}}',
    "many rules": json.dumps({"value": 1, "merges": {f"/{n}": "set" for n in range(60)}}).encode(), "bad id": b'{"value": 1, "id": "x"}',
    "bomb": b'{"value": ' + b"[" + b'"' + b"a" * 50_000 + b'",' * 1 + b'"' + b"b" * 50_000 + b'"]}',
    "bad base": b'{"value": 1, "base": "x"}', "secret key": json.dumps({"value": {"ghp_" + "a1B2" * 9: 1}}).encode(),
}  # fmt: skip


def hostile():
    from urllib.parse import quote

    for number, odd in enumerate(ODD):
        yield f"key {number}", "PUT", f"/states/team/own/{quote(odd, safe='')}", b'{"value": 1}'
        yield f"owner {number}", "PUT", f"/states/conversation/{quote(odd, safe='')}/plan", b'{"value": 1}'
        yield f"scope {number}", "PUT", f"/states/{quote(odd, safe='')}/own/plan", b'{"value": 1}'
        yield f"agent {number}", "GET", f"/states/agent/{quote(odd, safe='')}/plan", b""
    for number, far in enumerate(FAR):
        told = json.dumps(far).encode()
        yield f"base {number}", "PUT", "/states/team/own/strict", b'{"value": 2, "base": %s}' % told
        yield f"restore {number}", "POST", "/states/team/own/strict/restore", b'{"version": %s, "base": 1}' % told
        yield f"take {number}", "POST", "/states/team/own/strict/resolve", b'{"take": %s}' % told
        asked = quote(str(far), safe="")
        yield f"version {number}", "GET", f"/states/team/own/strict/value?version={asked}&at=x", b""
        yield f"diff {number}", "GET", f"/states/team/own/strict/diff?first=0&second=9{asked}", b""
        yield f"since {number}", "GET", f"/states/changes?limit=999&since={asked}", b""
    for name, body in VALUES.items():
        yield f"value {name}", "PUT", "/states/team/own/new", body


HOSTILE = list(hostile())
# What is odd only to look at: a key may be so, and what is not UTF-8 is replaced and marked as everywhere.
FINE = {"key 22", "key 23", "value not UTF-8"}


def test_two_hundred_hostile_inputs_are_refused_in_words(api):
    assert put(api, 1, "/states/team/own/strict", strategy="reject").status_code == 200
    assert len(HOSTILE) > 200
    for name, method, path, body in HOSTILE:
        answer = api.call(method, path, body)
        if name in FINE:
            continue
        assert 400 <= answer.status_code < 500, (name, answer.status_code)
        if answer["Content-Type"] == "application/problem+json":
            assert 10 < len(answer.json()["detail"]) < 2000, name
    assert api.get("/states/team/own/strict").json()["value"] == 1
