"""What was captured: drafted from sessions, decided about by people, and told to the next session."""

import json
from typing import Any

import pytest
from django.urls import reverse

from continuity.core.errors import Invalid, NotFound
from continuity.models import Role
from continuity.services.accounts import accounts
from handoffs.models import Artifact, Repository, StoredPack
from handoffs.services.erasure import erasing
from handoffs.services.packages.authors import Author
from handoffs.services.packs import capturing, pack_policies, reviewing
from tests.api.caller import Caller
from tests.cast import person
from tests.packs.server.world import ROOT, Asking, asks, give, recorded
from tests.web.world import browser
from tests.words import answered, said

pytestmark = pytest.mark.django_db

WRONG = "No, that is wrong: the header ends at the first empty line."


def drafted(team: Any, name: str = "taught", words: str = WRONG) -> Artifact:
    """A session that asked for packs, and taught something."""
    told = [said("Mend parse_header in src/parser.py"), answered("I cut the header at the first colon."), said(words), answered("Done.")]
    session = recorded(team, *told, name=name)
    Asking(team, session).make()
    assert capturing.capture(conversation_id=session.id) == 1
    return Artifact.objects.get(conversation=session)


def decide(team: Any, owner: Any, action: str, *rows: Artifact, **fields: Any) -> list[Artifact]:
    return reviewing.decide(
        team=team, repository=Repository.objects.get(team=team), ids=[row.id for row in rows], action=action, author=Author(owner), **fields
    )


def test_it_works(team, owner):
    give(team)
    draft = drafted(team)
    assert (draft.kind, draft.status, draft.sentences) == ("landmine", "draft", [{"text": WRONG, "seq": 3}])
    assert capturing.capture(conversation_id=draft.conversation_id) == 0
    decide(team, owner, "accept", draft, text="The header ends at the first empty line, not at a colon.")
    told = asks(team, name="next").make().pack.anchor
    assert "What went wrong in earlier sessions:\n- The header ends at the first empty line, not at a colon." in told
    assert f"[{draft.conversation_id.hex[:8]}#m3]" in told


def test_what_was_rejected_is_not_told_and_what_waits_is_told_as_it_was_said(team, owner):
    give(team)
    draft = drafted(team)
    assert WRONG in asks(team, name="before").make().pack.anchor
    decide(team, owner, "reject", draft)
    assert WRONG not in asks(team, name="after").make().pack.anchor
    decide(team, owner, "reopen", draft)
    assert Artifact.objects.get().decided_by is None


def test_erasing_a_session_takes_its_words_out_of_everything(team, owner):
    give(team)
    draft = drafted(team)
    decide(team, owner, "accept", draft)
    assert WRONG in asks(team, name="next").make().pack.anchor
    erasing.erase_conversation(team=team, conversation_id=draft.conversation_id, by=erasing.By("owner", owner))
    assert not Artifact.objects.exists() and not StoredPack.objects.exists()
    assert WRONG not in asks(team, name="after").make().pack.anchor


def test_erased_words_are_blacked_out_of_drafts(team, owner):
    give(team)
    draft = drafted(team)
    erasing.erase_words(team=team, conversation_id=draft.conversation_id, words="first empty line", by=erasing.By("owner", owner))
    draft.refresh_from_db()
    assert "first empty line" not in json.dumps(draft.sentences) + draft.title
    assert not StoredPack.objects.exists()


def test_nobody_decides_about_what_is_not_theirs(team, owner, other_team, outsider):
    give(team)
    draft = drafted(team)
    give(other_team)
    asks(other_team).make()
    with pytest.raises(NotFound):
        decide(other_team, outsider, "accept", draft)
    for wrong in ({"action": "like"}, {"action": "accept", "text": " "}, {"action": "accept", "text": "x" * 601}):
        with pytest.raises(Invalid):
            decide(team, owner, wrong.pop("action"), draft, **wrong)


def test_the_page_decides_by_form_and_by_fragment(team, owner):
    give(team)
    first, second = drafted(team), drafted(team, "other", "No, that is wrong: a folded line belongs to its header.")
    client = browser(owner)
    page = reverse("repository", args=[first.repository_id])
    text = client.get(page).content.decode()
    assert text.count('data-key="a"') == 2 and "Accept all 2" in text and WRONG in text
    address = reverse("artifacts", args=[first.repository_id])
    part = client.post(address, {"artifact": first.id, "action": "accept"}, headers={"HX-Request": "true"}).content.decode()
    assert part.lstrip().startswith("<li") and "accepted by" in part
    assert client.post(address, {"artifact": [second.id], "action": "reject"}).status_code == 302
    assert "Nothing waits." in client.get(page).content.decode()
    assert client.get(reverse("repositories")).status_code == 200


def test_the_policy_page_is_for_operators(team, owner):
    viewer = person("viewer")
    accounts.add_member(team=team, user=viewer, role=Role.VIEWER)
    address = reverse("pack-policy")
    assert 'name="mode"' not in browser(viewer).get(address).content.decode()
    assert browser(viewer).post(address, {"mode": "off"}).status_code == 403
    told = {"mode": "snapshot", "contents": "on", "boundaries": "src/api/*\n\nlib/*"}
    assert browser(owner).post(address, told).status_code == 302
    row = pack_policies.effective(team)
    assert (row.mode, row.contents, row.boundaries) == ("snapshot", True, ["src/api/*", "lib/*"])


def test_the_api_tells_figures_and_takes_decisions(team, owner):
    give(team)
    draft = drafted(team)
    caller = Caller.of(team)
    place = f"/repositories/{draft.repository_id}"
    assert caller.get(place).json()["measures"]["drafts"] == 1
    (listed,) = caller.get(f"{place}/artifacts?status=draft").json()["items"]
    assert listed["sentences"] == [{"text": WRONG, "seq": 3}]
    assert caller.patch(f"{place}/artifacts/{draft.id}", {"action": "accept"}).json()["status"] == "accepted"
    assert caller.get(f"/conversations/{draft.conversation_id}/packs").json()["paths"] == ["src/parser.py"]
    assert caller.get(f"/packs/anchor?root={ROOT}&machine=desk").json()["paths"] == ["src/parser.py"]


def test_the_api_reads_contents_only_where_the_policy_lets_them_leave(team):
    session = asks(team)
    question = {"place": {"machine": "desk", "root": ROOT, "key": "ab" * 16}, "head": "cd" * 20, "changed": "ef" * 20}
    material = {"changes": [{"path": "src/parser.py", "before": "a", "after": "b\0"}], "counted": [{"path": "src/parser.py", "added": 1}]}
    address = f"/conversations/{session.conversation.id}/packs"
    told = Caller.of(team).post(address, {"question": question, "material": material}).json()["pack"]["delta"]
    assert "src/parser.py (changed: +1 -0 lines)" in told and "@ line" not in told
    give(team, contents=True)
    assert "@ line 1" in Caller.of(team).post(address, {"question": question, "material": material}).json()["pack"]["delta"]
