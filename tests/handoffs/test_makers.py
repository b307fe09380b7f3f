"""Who prepared a handoff is told wherever it came from: a person, also by a key of theirs, or the key of an installation."""

import pytest

from continuity.models import Job
from continuity.services.accounts import apikeys
from continuity.services.jobs import jobs
from handoffs.models import Handoff
from tests.api.caller import Caller
from tests.handoffs.story import story
from tests.web.world import browser


def key_of(team, user, name="vm"):
    return Caller(apikeys.issue(team=team, name=name, created_by=user)[1])


def prepared(caller, conversation, **query):
    wait = "?wait=false" if query else ""
    return caller.post(f"/conversations/{conversation.id}/handoffs{wait}", {}).json()


def recent(user):
    return browser(user).get("/").content.decode().split("Recent activity")[1].split(">Handoff 1<")[1].split("</li>")[0]


def test_it_works(team, owner, teammate):
    """With a key that a person made, they did."""
    caller, conversation = key_of(team, teammate), story(team, owner=owner)
    made = prepared(caller, conversation)
    assert f"</time> · {teammate}" in recent(owner)
    assert "</time> · you" in recent(teammate)
    resumed = key_of(team, owner).post(f"/handoffs/{made['id']}/resume", {}).json()
    assert resumed["prepared_by"] == str(teammate)


def test_a_key_that_nobody_made_is_told_by_its_name(team, owner):
    """As the audit log tells it."""
    caller, conversation = key_of(team, None, name="Owner's key vm"), story(team, owner=owner)
    made = prepared(caller, conversation)
    assert "key Owner&#x27;s key vm" in recent(owner)
    assert caller.post(f"/handoffs/{made['id']}/resume", {}).json()["prepared_by"] == "key Owner's key vm"


@pytest.mark.parametrize("whose", ["a person's", "nobody's"])
def test_a_job_remembers_it(team, owner, teammate, whose):
    caller = key_of(team, teammate if whose == "a person's" else None)
    job = Job.objects.get(id=prepared(caller, story(team, owner=owner), wait=False)["id"])
    jobs.run(job_id=job.id)
    job.refresh_from_db()
    made = Handoff.objects.get(id=job.result["handoff_id"])
    assert str(made.maker) == (str(teammate) if whose == "a person's" else "key vm")


def test_what_continuity_prepares_by_itself_is_nobodys(team, owner):
    assert Handoff().maker == ""
