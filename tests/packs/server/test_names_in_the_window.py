"""A request that names only what the session's window holds goes on with the packs of the one before."""

import pytest

from handoffs.services.packs.pack_answers import PackArrival
from tests.packs.server.world import asks, give
from tests.words import answered, said

pytestmark = pytest.mark.django_db


def test_it_works(team):
    give(team)
    session = asks(team)
    made = session.make()
    session.ask(arrivals=[PackArrival(made.pack.id, made.parts, 900)])
    goes_on = answered("It calls split_words, which load_all needs too."), said("Why does load_all need split_words?")
    session.say(*goes_on)
    session.changed = "a" * 40
    assert session.ask().wanted, "another task has a key of its own, and a delta of its own"
    assert session.make().parts == ("delta",)
    session.say(said("And what of write_all?"))
    session.ask()
    assert session.make().parts == ("context", "delta"), "that only the person named"


@pytest.mark.parametrize("between", [[], [said("Mend load_all.")]], ids=["nobody", "the person alone"])
def test_what_nobody_told_of_needs_files(team, between):
    give(team)
    session = asks(team)
    made = session.make()
    session.ask(arrivals=[PackArrival(made.pack.id, made.parts, 900)])
    session.say(*between, said("Why does load_all fail?"))
    assert session.ask().wanted
    assert session.make().parts == ("context", "delta")


@pytest.mark.parametrize("lost", ["emptied", "head", "not arrived"])
def test_what_was_told_counts_only_in_the_window_and_at_the_same_head(team, lost):
    give(team)
    session = asks(team)
    made = session.make()
    arrivals = [] if lost == "not arrived" else [PackArrival(made.pack.id, made.parts, 900)]
    session.ask(arrivals=arrivals)
    session.say(answered("It calls load_all."))
    if lost == "emptied":
        session.ask(emptied=True)
        made = session.make()
        session.ask(arrivals=[PackArrival(made.pack.id, made.parts, 900)])
    session.say(said("Why does load_all fail?"))
    session.head = "d" * 40 if lost == "head" else session.head
    session.ask()
    assert "context" in session.make().parts
