"""Whoever changes what the fold gives raises its version: what is stored would differ from what folding it again gives."""

from __future__ import annotations

import json

import pytest

from continuity.knowledge.versions import RULES_VERSION, NewerState, OutdatedState, check, version_of
from tests.knowledge.digests import COMMAND, RECORDED, digests

RAISE = f"""raise RULES_VERSION in continuity/knowledge/versions.py, unless {RULES_VERSION} was not released yet; then run

    {COMMAND}
"""


def test_it_works() -> None:
    recorded, found = json.loads(RECORDED.read_text()), digests()
    assert recorded["rules_version"] == RULES_VERSION, f"RULES_VERSION was changed: record what the fold gives now:\n\n    {COMMAND}\n"
    of_sessions = recorded["sessions"]
    other = [name for name in found if found[name]["fold"] != of_sessions.get(name, {}).get("fold")]
    read_otherwise = [name for name in found if found[name]["messages"] != of_sessions.get(name, {}).get("messages")]
    changed = [name for name in other if name not in read_otherwise]
    assert not changed, f"The fold gives something else than before for the same messages ({', '.join(changed)}): {RAISE}"
    assert not read_otherwise, (
        f"These sessions have other messages now: {', '.join(read_otherwise)}. If only what they say was changed, run\n\n    {COMMAND}\n\n"
        f"If rules were changed too, {RAISE}"
    )
    assert set(found) == set(of_sessions), f"The list of sessions was changed: run\n\n    {COMMAND}\n"


def test_versions_are_ordered() -> None:
    check({"rules_version": RULES_VERSION})
    for older in (RULES_VERSION - 1, "13", "none", None, 0):
        with pytest.raises(OutdatedState):
            check({"rules_version": older})
    with pytest.raises(NewerState) as raised:
        check({"rules_version": RULES_VERSION + 1})
    assert raised.value.found == RULES_VERSION + 1
    with pytest.raises(OutdatedState):
        check({})


def test_records_of_older_releases_hold_their_version_as_a_text() -> None:
    assert version_of({"rules_version": "13"}) == 13
    assert [version_of(raw) for raw in ({}, {"rules_version": "none"}, {"rules_version": None}, {"rules_version": "²"})] == [0] * 4
