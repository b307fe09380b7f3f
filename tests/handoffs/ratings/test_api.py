"""Rating over the API: the form, its refusals, and who may."""

import pytest

from handoffs.models import HandoffRating
from handoffs.services.chains import resumption
from handoffs.services.packages import preparation
from tests.api.caller import Caller
from tests.handoffs.story import story

pytestmark = pytest.mark.django_db


@pytest.fixture
def address(team):
    made = preparation.prepare(team=team, conversation_id=story(team).id, options=preparation.options_of())
    resumption.resume(team=team, handoff_id=made.id)
    return f"/handoffs/{made.id}/ratings"


def test_it_works(team, address):
    api = Caller.of(team)
    told = {"useful": False, "wrong_lines": [{"line": "a1", "comment": "Taken back."}], "missing": ["The port."]}
    answer = api.post(address, told)
    assert answer.status_code == 201
    body = api.get(address).json()
    assert body == answer.json()
    assert body["counts"] == {"useful": 0, "not_useful": 1, "wrong_line": 1, "missing": 1}
    wrong = next(row for row in body["ratings"] if row["kind"] == "wrong_line")
    assert (wrong["reference"], wrong["text"], wrong["useful"]) == ("a1", "Taken back.", None)
    assert wrong["made_with_id"] and wrong["line"] > 0
    assert api.call("DELETE", f"{address}/{wrong['id']}").json()["counts"]["wrong_line"] == 0
    assert api.get(address).json()["counts"]["wrong_line"] == 0


@pytest.mark.parametrize(
    ("sent", "field"),
    [
        ({}, "useful"),
        ({"useful": "perhaps"}, "useful"),
        ({"wrong_lines": [{"line": "a1"}, {"line": "a999"}]}, "wrong_lines.1.line"),
        ({"wrong_lines": [{"line": "a1"}] * 41}, "wrong_lines"),
        ({"missing": ["x" * 501]}, "missing.0"),
        ({"missing": "The port."}, "missing"),
        ({"usefull": True}, "usefull"),
    ],
)
def test_a_refusal_names_the_field(team, address, sent, field):
    answer = Caller.of(team).post(address, sent)
    assert answer.status_code == 422
    assert field in answer.content.decode()
    assert not HandoffRating.objects.exists()


def test_before_anybody_resumed_it_is_a_conflict(team):
    made = preparation.prepare(team=team, conversation_id=story(team).id, options=preparation.options_of())
    assert Caller.of(team).post(f"/handoffs/{made.id}/ratings", {"useful": True}).status_code == 409


def test_outsider_gets_404(team, address, other_team):
    api = Caller.of(other_team)
    assert api.get(address).status_code == 404
    assert api.post(address, {"useful": True}).status_code == 404
    assert not HandoffRating.objects.exists()
