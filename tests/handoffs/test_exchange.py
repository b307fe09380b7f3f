"""Packages between installations: signed, checked, stored as a handoff that can be resumed."""

import copy
import json
import logging

import pytest
from django.utils import timezone

from continuity.core.errors import BadSignature, Conflict, Invalid, TooLarge, UntrustedKey
from continuity.models import Anchor, Conversation, FileTouch, Task
from continuity.services.recording import conversations
from handoffs.contract import signature
from handoffs.models import Handoff
from handoffs.services.chains import chains, resumption
from handoffs.services.exchange import package_export, package_import, signing
from handoffs.services.packages import expansion, handoffs, policies, preparation
from handoffs.services.packages.authors import Author
from tests.handoffs.story import DECISION, RULE, overloaded, story
from tests.words import called, resulted, said

IDS = ("handoffId", "conversationId", "throughSeq", "fidelity")


@pytest.fixture(autouse=True)
def key_file(settings, tmp_path):
    settings.CONTINUITY_SIGNING_KEY_FILE = tmp_path / "signing_key"


@pytest.fixture
def exported(team):
    handoff = preparation.prepare(team=team, conversation_id=story(team).id, options=preparation.options_of(budget=2000))
    return package_export.export(handoff=handoff, now=timezone.now())


def arrived(document):
    """As it comes in: through JSON."""
    return json.loads(json.dumps(document))


def test_it_works(exported, other_team, outsider):
    taken = package_import.take_in(team=other_team, document=arrived(exported), owner=outsider)
    assert (taken.status, taken.position, taken.team, taken.owner) == ("ready", 1, other_team, outsider)
    assert taken.origin["keyId"] == signature.key_id(signing.public())
    assert taken.origin["handoffId"] == exported["package"]["handoffId"]
    assert chains.get(team=other_team, any_id=taken.conversation_id).total_handoffs == 1
    assert handoffs.directive_text(taken) == handoffs.directive_text(Handoff.objects.get(id=exported["package"]["handoffId"]))

    resumed = resumption.resume(team=other_team, handoff_id=taken.id)
    assert resumed.resumption.report["isSeamless"], resumed.resumption.report
    texts = set(Anchor.objects.filter(conversation=resumed.conversation).values_list("text", flat=True))
    assert {DECISION, RULE} <= texts
    assert Task.objects.filter(conversation=resumed.conversation, steps_left__contains=["Test the worker"]).exists()


def test_cont01_a_package_comes_through_an_export_whole(exported, other_team):
    taken = package_import.take_in(team=other_team, document=arrived(exported))
    again = package_export.export(handoff=taken, now=timezone.now())
    before, after = exported["package"], again["package"]
    assert {name for name in before if before[name] != after[name]} <= set(IDS)
    assert again["source"]["title"] == exported["source"]["title"]


def test_files_keep_their_order_through_an_export(team, other_team):
    conversation = story(team)
    for name in ("zulu", "alpha", "mike"):
        edit = called("Write", {"file_path": f"/srv/app/queue/{name}.py", "content": "x"}, call_id=name)
        conversations.append(team=team, conversation_id=conversation.id, messages=[edit, resulted("done", call_id=name)])
    handoff = preparation.prepare(team=team, conversation_id=conversation.id, options=preparation.options_of())
    taken = package_import.take_in(team=other_team, document=arrived(package_export.export(handoff=handoff, now=timezone.now())))
    heir = resumption.resume(team=other_team, handoff_id=taken.id).conversation
    touched = [
        list(FileTouch.objects.filter(conversation=each).order_by("-last_seq").values_list("path", flat=True))
        for each in (conversation, heir)
    ]
    assert touched[0] == [f"queue/{name}.py" for name in ("mike", "alpha", "zulu", "schema")]
    assert touched[1] == touched[0]


def test_what_is_said_afterwards_settles_what_the_package_carried(exported, other_team):
    taken = package_import.take_in(team=other_team, document=arrived(exported))
    heir = resumption.resume(team=other_team, handoff_id=taken.id).conversation
    words = "Let's use Redis for the job queue instead of Postgres."
    conversations.append(team=other_team, conversation_id=heir.id, messages=[said(words)])
    preparation.prepare(team=other_team, conversation_id=heir.id, options=preparation.options_of())
    old = Anchor.objects.get(conversation=heir, text=DECISION)
    assert (old.state, Anchor.objects.get(conversation=heir, key=old.superseded_by).text) == ("superseded", words)


@pytest.mark.parametrize("where", ["text", "number", "added", "taken", "exported", "title"])
def test_whatever_is_changed_is_refused(exported, other_team, where):
    document = arrived(exported)
    match where:
        case "text":
            document["package"]["preservedAnchors"][0]["originalContent"] += "."
        case "number":
            document["package"]["metadata"]["originalTokenCount"] += 1
        case "added":
            document["package"]["note"] = "more"
        case "taken":
            del document["package"]["files"]
        case "exported":
            document["exportedAt"] = timezone.now().isoformat()
        case "title":
            document["source"]["title"] = "Another"
    with pytest.raises(BadSignature):
        package_import.take_in(team=other_team, document=document)
    assert not Conversation.objects.filter(team=other_team).exists()


@pytest.mark.parametrize("value", ["", "!", "AAAA", "A" * 86 + "=="])
def test_a_signature_that_is_none_is_refused(exported, other_team, value):
    document = arrived(exported)
    document["signature"]["value"] = value
    with pytest.raises(BadSignature):
        package_import.take_in(team=other_team, document=document)


def test_a_key_that_nobody_trusts_is_refused_and_named_and_a_trusted_one_is_not(exported, other_team, settings, tmp_path):
    theirs = signing.public()
    settings.CONTINUITY_SIGNING_KEY_FILE = tmp_path / "another"
    with pytest.raises(UntrustedKey) as caught:
        package_import.take_in(team=other_team, document=arrived(exported))
    assert signature.key_id(theirs) in str(caught.value)
    settings.CONTINUITY_TRUSTED_KEYS = [theirs]
    assert package_import.take_in(team=other_team, document=arrived(exported)).origin["keyId"] == signature.key_id(theirs)


def signed_anew(document, **changes):
    changed = copy.deepcopy(arrived(document)) | changes
    return signature.signed(changed, signing.private())


@pytest.mark.parametrize(
    ("changes", "field"), [({"version": 2}, "version"), ({"format": "other"}, "format"), ({"package": {"version": 9}}, "package")]
)
def test_what_is_not_known_here_is_refused_by_name(exported, other_team, changes, field):
    with pytest.raises(Invalid) as caught:
        package_import.take_in(team=other_team, document=signed_anew(exported, **changes))
    assert caught.value.data["field"] == field


def test_a_trusted_maker_is_held_to_our_bounds(exported, other_team):
    package = arrived(exported)["package"]
    package["preservedAnchors"][0]["key"] = "k" * 25
    with pytest.raises(Invalid, match="preservedAnchors"):
        package_import.take_in(team=other_team, document=signed_anew(exported, package=package))


def test_a_package_is_taken_in_once_and_is_not_larger_than_the_limit(exported, other_team, settings):
    taken = package_import.take_in(team=other_team, document=arrived(exported))
    with pytest.raises(Conflict) as caught:
        package_import.take_in(team=other_team, document=arrived(exported))
    assert caught.value.data["conversation_id"] == str(taken.conversation_id)
    with pytest.raises(TooLarge, match="CONTINUITY_MAX_PACKAGE_MB"):
        package_import.check_size(settings.CONTINUITY_MAX_PACKAGE_BYTES + 1)


def test_what_a_package_does_not_state_makes_it_failed(exported, other_team):
    package = arrived(exported)["package"]
    for section in package["sections"]:
        section["items"] = [item for item in section["items"] if RULE not in item["text"]]
    taken = package_import.take_in(team=other_team, document=signed_anew(exported, package=package))
    assert taken.status == "failed"
    assert RULE.rstrip(".") in taken.failure  # its sentences are joined


def test_a_failed_package_is_not_exported(team):
    made = preparation.prepare(team=team, conversation_id=overloaded(team).id, options=preparation.options_of(budget=150))
    assert made.status == "failed"
    with pytest.raises(Conflict):
        package_export.export(handoff=made, now=timezone.now())


def test_where_a_person_reviews_it_is_a_draft(exported, other_team, outsider):
    policies.change(team=other_team, conversation=None, changes={"review": True}, author=Author(outsider))
    assert package_import.take_in(team=other_team, document=arrived(exported)).status == "draft"


def test_secrets_leave_masked(team, other_team, caplog):
    conversation = story(team)
    secret = "sk-proj-4f9Qk2LmZ8xW1vT7rB3nY6cD5hJ0gP2sA9eR"
    conversations.append(team=team, conversation_id=conversation.id, messages=[said(f"Always use the key {secret} for staging.")])
    handoff = preparation.prepare(team=team, conversation_id=conversation.id, options=preparation.options_of())
    with caplog.at_level(logging.DEBUG):
        document = package_export.export(handoff=handoff, now=timezone.now())
        taken = package_import.take_in(team=other_team, document=arrived(document))
    assert secret not in json.dumps(document) + json.dumps(taken.package) + taken.text + caplog.text
    assert "for staging" in taken.text


def test_references_keep_their_meaning_and_lead_nowhere_else(exported, other_team):
    taken = package_import.take_in(team=other_team, document=arrived(exported))
    conversations.append(team=other_team, conversation_id=taken.conversation_id, messages=[said("Hello") for _ in range(5)])
    item = next(item for item in _items(exported) if item["text"] == RULE)
    found = expansion.expand(handoff=taken, ref=item["reference"], level=expansion.Depth.VERBATIM)
    assert (found.text, found.source, list(found.messages)) == (RULE, None, [])
    quoted = next(item for item in _items(exported) if item["reference"].startswith("m"))
    assert expansion.expand(handoff=taken, ref=quoted["reference"], level=expansion.Depth.VERBATIM).source is None


def _items(document):
    return [item for section in document["package"]["sections"] for item in section["items"]]


def test_the_key_is_made_once_and_is_its_owners_alone(settings):
    first = signing.private()
    assert signing.private() == first
    assert settings.CONTINUITY_SIGNING_KEY_FILE.stat().st_mode & 0o777 == 0o600
    settings.CONTINUITY_SIGNING_KEY = b"k" * 32
    assert signing.private() == b"k" * 32
