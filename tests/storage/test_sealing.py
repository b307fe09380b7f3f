"""States that are sealed: readable with their key alone, whichever adapter keeps them, and sealed anew beside everything that runs."""

import base64
import io
from dataclasses import replace

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from continuity.core.errors import Unavailable
from continuity.services import agent_state
from continuity.storage import registry, sealing
from continuity.storage.adapter import ResealedBodies
from continuity.storage.registry import ADAPTERS
from continuity.storage.sealing import Keyring, id_of_key
from continuity.storage.sessions import DamagedRecord, Encoding, StoredSession, UnknownStateKey
from tests.storage.test_adapters import config_for

OLD, NEW = b"o" * 32, b"n" * 32
SECRET = b'{"context":{"customer":"Wilhelmina"}}'


@pytest.fixture(params=sorted(ADAPTERS))
def adapter(request, tmp_path, db):
    """Each adapter with the old key."""
    made = ADAPTERS[request.param]()
    made.initialize(replace(config_for(request.param, tmp_path), keys=(OLD,)))
    yield made
    for name in made.list_sessions():
        made.delete_session(name)
    made.clear()
    made.close()


def with_keys(adapter, *keys):
    adapter.keyring = Keyring(keys)
    return adapter


def save(adapter, name="a.billing", body=SECRET, **more):
    adapter.save_session(StoredSession(id=name, body=body, saved_at=timezone.now(), **more))


def test_it_works(adapter):
    save(adapter)
    stored = adapter.sealed_session("a.billing").body
    assert (b"Wilhelmina" in stored, sealing.id_in(stored)) == (False, id_of_key(OLD))
    assert adapter.get_session("a.billing").body == SECRET
    adapter.set("key", "Wilhelmina")
    assert b"Wilhelmina" not in adapter._read_value("key").body
    assert adapter.get("key") == "Wilhelmina"


def test_another_key_is_one_clear_error(adapter):
    save(adapter)
    adapter.set("key", 1)
    for read in (
        lambda: adapter.get_session("a.billing"),
        lambda: adapter.get("key"),
        lambda: adapter.fence_session(StoredSession("a.billing", epoch=1)),
    ):
        with pytest.raises(UnknownStateKey, match=f"sealed by the key {id_of_key(OLD)}, which is not among those of CONTINUITY_STATE_KEYS"):
            with_keys(adapter, NEW)
            read()


def test_what_was_stored_before_there_were_keys_is_read(adapter):
    save(with_keys(adapter))
    assert adapter.sealed_session("a.billing").body == SECRET
    assert with_keys(adapter, NEW).get_session("a.billing").body == SECRET


def test_keys_are_rotated(adapter):
    save(with_keys(adapter), "a.plain")
    save(with_keys(adapter, OLD), "a.old", encoding=Encoding.GZIP)
    adapter.fence_session(StoredSession("a.empty", epoch=2))
    adapter.set("key", "Wilhelmina")
    with_keys(adapter, NEW, OLD)
    assert dict(adapter.keys_in_use()) == {"": 1, id_of_key(OLD): 2}
    assert adapter.reseal() == ResealedBodies(3, 0, ())
    assert dict(with_keys(adapter, NEW).keys_in_use()) == {id_of_key(NEW): 3}
    assert [adapter.get_session(name).body for name in ("a.plain", "a.old", "a.empty")] == [SECRET, SECRET, b""]
    assert adapter.get("key") == "Wilhelmina"


def test_a_rotation_never_takes_back_what_was_saved_meanwhile(adapter, monkeypatch):
    save(adapter)
    read = adapter._body_of

    def then_saved(kind, name):
        before = read(kind, name)
        save(adapter, body=b"newer")
        return before

    monkeypatch.setattr(adapter, "_body_of", then_saved)
    assert with_keys(adapter, NEW, OLD).reseal().changed == 0
    assert adapter.get_session("a.billing").body == b"newer"


@pytest.mark.parametrize("change", ["bit", "cut", "version", "moved"])
def test_what_was_changed_or_moved_is_damaged(change):
    ring = Keyring((OLD,))
    body = ring.seal("a.billing", SECRET)
    changed = {
        "bit": body[:-1] + bytes([body[-1] ^ 1]),
        "cut": body[:20],
        "version": body[:3] + b"\2" + body[4:],
        "moved": body,
    }[change]
    with pytest.raises(DamagedRecord):
        ring.open("a.other" if change == "moved" else "a.billing", changed)


def test_no_two_seals_are_alike():
    ring = Keyring((OLD,))
    assert ring.seal("a", SECRET) != ring.seal("a", SECRET)


@pytest.fixture
def given(settings, team):
    """States in rows, as the services keep them; gives a function that sets the keys."""
    settings.STORAGE_TYPE = "postgres"

    def give(*keys):
        settings.CONTINUITY_STATE_KEYS = list(keys)
        registry._made.cache_clear()

    yield give
    registry._made.cache_clear()


def test_the_service_says_which_key_is_missing(given, team):
    given(OLD)
    saved = agent_state.save(team=team, agent="billing", epoch=1, state={"context": {"step": 1}}, now=timezone.now())
    loaded = agent_state.load(team=team, agent="billing")
    assert loaded is not None and loaded.digest == saved.digest
    given(NEW)
    with pytest.raises(Unavailable, match=id_of_key(OLD)):
        agent_state.load(team=team, agent="billing")


def test_the_command_lists_and_rotates(given, team):
    def run(*arguments):
        out = io.StringIO()
        call_command("state_keys", *arguments, stdout=out)
        return out.getvalue()

    assert len(base64.b64decode(run("--new"))) == 32
    with pytest.raises(CommandError, match="no key to seal by"):
        given()
        run("--rotate")
    given(OLD)
    agent_state.save(team=team, agent="billing", epoch=1, state={}, now=timezone.now())
    given(NEW)
    assert "is not given: these states cannot be read" in run()
    with pytest.raises(CommandError, match=f"keys that are not given: {id_of_key(OLD)}"):
        run("--rotate")
    given(NEW, OLD)
    assert "1 sealed anew." in run("--rotate")
    assert f"{id_of_key(OLD)}       0  opens, and is needed no more" in run()
