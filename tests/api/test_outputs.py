"""The directive in its forms, expanding its references, and the successor's receipt, over the API."""

import re
from typing import Any

import pytest

from continuity.models import Team
from handoffs.models import Handoff
from tests.api.caller import Caller, agent, person
from tests.cast import ours
from tests.cast import person as somebody
from tests.lasting import Lasting

TOKEN = "ghp_16C7e42F292c6912E7710c838347Ae178B4a"
CALL = {"function": {"name": "Bash", "arguments": '{"command": "cat /srv/app/main.py"}'}, "id": "c1", "type": "function"}


@pytest.fixture(scope="module")
def world(lasting: Lasting[tuple[str, dict[str, Any]]]) -> tuple[str, dict[str, Any]]:
    return lasting(make_world)


@pytest.fixture
def team(world: object, db: None) -> Team:
    return Team.objects.get(slug="ours")


@pytest.fixture
def api(world: tuple[str, object], db: None) -> Caller:
    return Caller(world[0])


@pytest.fixture
def made(world: tuple[str, dict[str, Any]]) -> dict[str, Any]:
    return world[1]


def make_world() -> tuple[str, dict[str, Any]]:
    """A key, and a package that it made."""
    api = Caller.of(ours(somebody("owner")))
    conversation = api.open(title="Invoices", cwd="/srv/app")
    facts = [
        agent(f"The port of service {n} is 8{n} and its log is /var/log/service{n}.log; we decided to keep it.") for n in range(100, 420)
    ]
    rule = (person(f"Never log the token {TOKEN}."), agent("Understood."))
    api.say(conversation, *rule, person("Move the invoices to Postgres."), *facts, person("Go on."), agent("I will."))
    answer = api.post(f"/conversations/{conversation}/handoffs", {"budget": 12_000})
    assert answer.status_code == 201, answer.content
    return api.key, dict(answer.json())


def test_it_works(api: Caller, made: dict[str, Any]) -> None:
    path = f"/handoffs/{made['id']}/directive"
    whole = api.get(path).content.decode()
    system = api.get(path, format="system").content.decode()
    hook = api.get(path, format="hook").content.decode()
    document = api.get(path, format="json", max_reminder_count=2).json()
    assert len(whole) > 10_000 >= len(hook)
    assert system.endswith(whole) and "never instructions" in system
    assert hook.startswith("--- SESSION CONTINUATION ---") and hook.rstrip().endswith("--- END CONTINUATION ---")
    assert f"GET /api/v1/handoffs/{made['id']}/expand?ref=" in hook and "lines did not fit here" in hook
    assert document["handoffId"] == made["id"] and document["immediateActions"] and len(document["contextReminders"]) == 2
    assert all(TOKEN not in text for text in (whole, system, hook, str(document)))


def test_a_hook_that_something_else_shares_takes_less(api: Caller, made: dict[str, Any]) -> None:
    path = f"/handoffs/{made['id']}"
    less = api.get(f"{path}/directive", format="hook", characters=6_500).content.decode()
    assert 4_000 < len(less) <= 6_500 and less.rstrip().endswith("--- END CONTINUATION ---")
    assert api.get(f"{path}/directive", format="hook", characters=9_901).status_code == 422
    resumed = api.post(f"{path}/resume", {"format": "hook", "characters": 6_500, "fork": True})
    assert resumed.status_code == 201 and resumed.json()["directive"] == less


def test_what_the_hook_leaves_out_it_names_and_each_name_resolves(api: Caller, made: dict[str, Any]) -> None:
    hook = api.get(f"/handoffs/{made['id']}/directive", format="hook").content.decode()
    note = next(line for line in hook.splitlines() if "lines did not fit here" in line)
    named = set(re.findall(r"\b[atfm]\d+\b", note.partition(" What a sign")[0]))
    assert len(named) > 5
    assert {api.get(f"/handoffs/{made['id']}/expand", ref=reference).status_code for reference in named} == {200}


def test_a_directive_that_fits_is_whole_in_a_hook(api: Caller) -> None:
    conversation = api.open()
    api.say(conversation, person("Never drop the table."), agent("Understood."))
    path = f"/handoffs/{api.post(f'/conversations/{conversation}/handoffs').json()['id']}/directive"
    assert api.get(path, format="hook").content == api.get(path).content


def test_expanding_masks_secrets(api: Caller, made: dict[str, Any]) -> None:
    found = api.get(f"/handoffs/{made['id']}/directive", format="json").json()["items"]
    rule = next(item for item in found if "Never log" in item["text"])
    for level in ("brief", "detailed", "verbatim"):
        answer = api.get(f"/handoffs/{made['id']}/expand", ref=f"#{rule['reference']}", level=level)
        assert answer.status_code == 200 and TOKEN not in answer.content.decode()
        assert "[secret:" in answer.content.decode()
    assert answer.json()["messages"][0]["seq"] == 1


def test_the_successor_gives_a_receipt(api: Caller, made: dict[str, Any]) -> None:
    path = f"/handoffs/{made['id']}"
    assert api.post(f"{path}/receipt").status_code == 409
    noted = api.call("PUT", f"{path}/workspace", {"head_commit": "AB12CD34", "files": {"main.py": "1"}}, If_Match='"1"')
    assert (noted.status_code, noted["ETag"]) == (200, '"2"')
    heir = api.post(f"{path}/resume").json()["conversation"]["id"]
    api.say(heir, {"role": "assistant", "content": None, "tool_calls": [CALL]})
    sent = {"acknowledged": ["a1"], "workspace": {"head_commit": "ab12cd34", "files": {"main.py": None}}}
    given = api.post(f"{path}/receipt", sent)
    assert given.status_code == 201, given.content
    told = given.json()
    assert (told["conversation_id"], told["acknowledged"], told["head_moved"]) == (heir, ["a1"], False)
    assert told["acts"] == 2
    assert api.get(f"{path}/receipt").json() == told


@pytest.mark.parametrize("body", [{"acknowledged": ["nonsense"]}, {"workspace": {"head_commit": "not hex"}}, {"colour": 1}])
def test_a_receipt_that_makes_no_sense_is_refused(api: Caller, made: dict[str, Any], body: dict[str, Any]) -> None:
    api.post(f"/handoffs/{made['id']}/resume")
    assert api.post(f"/handoffs/{made['id']}/receipt", body).status_code == 422


def test_another_team_gets_nothing(stranger: Caller, made: dict[str, Any], team: Team) -> None:
    path = f"/handoffs/{made['id']}"
    answers = [stranger.get(f"{path}/expand", ref="a1"), stranger.get(f"{path}/receipt"), stranger.post(f"{path}/receipt")]
    answers.append(stranger.call("PUT", f"{path}/workspace", {}))
    assert {answer.status_code for answer in answers} == {404}
    assert Handoff.objects.get(id=made["id"]).team == team
