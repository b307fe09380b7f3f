"""Several handoffs of one conversation are versions of one: wherever they stand together, the newest stands for them."""

from datetime import timedelta

import pytest
from django.utils import timezone

from handoffs import queries
from handoffs.models import Handoff
from tests.handoffs.story import story
from tests.web import rows
from tests.web.world import browser


@pytest.fixture
def versions(team, owner):
    conversation = story(team, owner=owner)
    found = [rows.handoff(conversation, status="ready", number=number, created_at=_ago(9 - number)) for number in (1, 2, 3)]
    found[0].chain.numbered = 3
    found[0].chain.save()
    return found


def _ago(minutes):
    return timezone.now() - timedelta(minutes=minutes)


def resumed(handoff):
    handoff.status, handoff.resumed_at = "resumed", timezone.now()
    handoff.save()


def page(owner, address):
    return " ".join(browser(owner).get(address).content.decode().split())


def chain_card(shown):
    return shown.split('id="chain-title"')[1].split("</section>")[0]


def test_it_works(versions, owner):
    shown = page(owner, f"/chains/{versions[0].chain_id}")
    assert '<dt>Handoffs</dt><dd class="number">1</dd>' in shown
    assert "and 1 handoff (circles)" in shown
    assert shown.split('class="tree"')[1].split("</ol>")[0].count(">ready<") == 1
    assert shown.count("2 earlier versions</a>") == 2, "in the picture and in the table"
    assert shown.index("</details>") < shown.index('id="chain-id"'), "the id stands last"


def test_the_card_of_the_newest_has_it_alone(versions, owner):
    card = chain_card(page(owner, f"/handoffs/{versions[2].id}"))
    assert "Handoff 3, this one" in card
    assert "2 earlier versions</a>" in card
    assert card.count(">ready<") == 1
    assert ">Handoff 1<" not in card


def test_an_earlier_one_says_so_on_its_own_page(versions, owner):
    card = chain_card(page(owner, f"/handoffs/{versions[0].id}"))
    assert 'Handoff 1, this one</strong><span class="chip">earlier version</span>' in card
    assert ">Handoff 3</a>" in card
    assert ">Handoff 2<" not in card
    assert card.count(">ready<") == 1


def test_after_the_newest_was_resumed_none_is_ready(versions, owner):
    resumed(versions[2])
    assert ">ready<" not in page(owner, f"/chains/{versions[0].chain_id}")
    assert ">ready<" not in chain_card(page(owner, f"/handoffs/{versions[2].id}"))
    card = page(owner, f"/conversations/{versions[0].conversation_id}").split('id="handoffs-title"')[1].split("</section>")[0]
    assert ">ready<" not in card
    assert card.count(">earlier version<") == 2


def test_what_was_resumed_twice_in_a_row_counts_as_the_picture_does(versions, owner):
    """The first version was resumed as well: there are two handoffs, then, and one follows no other."""
    resumed(versions[0])
    shown = page(owner, f"/chains/{versions[0].chain_id}")
    assert '<dt>Handoffs</dt><dd class="number">2</dd>' in shown
    assert "and 2 handoffs (circles)" in shown


def test_the_chain_beside_a_handoff_has_the_newest_of_each_session_and_this_one(versions, team, owner):
    other = rows.handoff(story(team, owner=owner), status="ready", chain=versions[0].chain, position=2, number=4, created_at=_ago(1))
    resumed(versions[0])
    for handoff in (*versions, other):
        near = Handoff.objects.filter(chain=handoff.chain).newest_versions()
        kept = {row.id: getattr(row, "earlier", None) or 0 for row in near}
        shown = queries.neighbours_of(handoff)
        assert {row.id for row in shown} == kept.keys() | {handoff.id}
        assert {row.id: getattr(row, "earlier", None) for row in shown if row.id in kept} == kept
        assert [row.number for row in shown] == sorted(row.number for row in shown)
