"""Receipts: what a successor got, what it looks up again, what comes near a rule, and what moved meanwhile."""

import pytest

from continuity.core.errors import Conflict, Invalid, NotFound
from continuity.models import Event
from continuity.services.recording import conversations
from handoffs.fidelity.staleness import Workspace
from handoffs.services.chains import receipts, resumption
from handoffs.services.edits.targets import items
from handoffs.services.packages import preparation
from handoffs.services.packages.authors import Author
from tests.factories import ConversationFactory
from tests.handoffs.story import RULE, story
from tests.words import called, resulted, said


@pytest.fixture
def handoff(team):
    return preparation.prepare(team=team, conversation_id=story(team).id, options=preparation.options_of())


@pytest.fixture
def heir(team, handoff):
    return resumption.resume(team=team, handoff_id=handoff.id).conversation


def gave(handoff, **more):
    return receipts.give(team=handoff.team, handoff_id=handoff.id, author=Author(), **more)


def did(heir, *calls):
    messages = [called(name, arguments, call_id=f"c{n}") for n, (name, arguments) in enumerate(calls)]
    conversations.append(team=heir.team, conversation_id=heir.id, messages=messages)


def test_it_works(handoff, heir):
    critical = {item["reference"] for item in items(handoff) if item["critical"] and item["reference"]}
    told = gave(handoff, acknowledged=["#a1", "a1", "a999"])
    assert told.receipt.acknowledged == ["a1", "a999"]
    assert told.unknown == ["a999"]
    assert set(told.unacknowledged) == critical - {"a1"}
    assert told.receipt.loaded_at and told.receipt.resumption.conversation == heir
    assert Event.objects.filter(name="handoff.received", subject_id=handoff.id).count() == 1


def test_what_the_package_answered_and_is_looked_up_again_is_counted(handoff, heir):
    gave(handoff)
    did(
        heir, ("Read", {"file_path": "/srv/app/queue/schema.py"}), ("Bash", {"command": "pytest  tests/queue"}), ("Bash", {"command": "ls"})
    )
    first = receipts.get(team=handoff.team, handoff_id=handoff.id).first
    assert [act.what for act in first.files] == ["queue/schema.py"]
    assert [act.what.split() for act in first.commands] == [["pytest", "tests/queue"]]
    assert first.acts == 3


@pytest.mark.parametrize("changed_since", [False, True])
def test_a_check_that_passed_before_the_beginning_is_looked_up_again_unless_files_changed_since(team, changed_since):
    edit = {"file_path": "/srv/app/queue.py", "old_string": "1", "new_string": "2"}
    told = "The file /srv/app/queue.py has been updated."
    edited, again = [[called("Edit", edit, call_id=call), resulted(told, call_id=call)] for call in ("e1", "e2")]
    checked = [called("Bash", {"command": "pytest tests"}, call_id="t1"), resulted("12 passed in 0.50s", call_id="t1", exit_code=0)]
    messages = [*edited, *checked, said("Fine. Go on with the worker."), *(again if changed_since else [])]
    first = ConversationFactory.create(team=team, cwd="/srv/app")
    conversations.append(team=team, conversation_id=first.id, messages=messages)
    heir = first
    for _ in range(2):
        handoff = preparation.prepare(team=team, conversation_id=heir.id, options=preparation.options_of())
        heir = resumption.resume(team=team, handoff_id=handoff.id).conversation
        conversations.append(team=team, conversation_id=heir.id, messages=[said("Go on.")])
    did(heir, ("Bash", {"command": "pytest tests"}))
    assert [act.what for act in gave(handoff).first.commands] == ([] if changed_since else ["pytest tests"])


def test_looking_after_ones_own_change_is_no_rediscovery(handoff, heir):
    edit = {"file_path": "/srv/app/queue/schema.py", "old_string": "1", "new_string": "2"}
    did(heir, ("Edit", edit), ("Bash", {"command": "pytest tests/queue"}), ("Bash", {"command": "cat queue/schema.py"}))
    first = gave(handoff).first
    assert not first.files and not first.commands


def test_an_act_that_comes_near_a_rule_is_told_of(handoff, heir):
    did(
        heir,
        ("Edit", {"file_path": "/srv/app/client/public_api.py", "old_string": "a", "new_string": "b"}),
        ("Bash", {"command": "ls docs"}),
    )
    [touch] = gave(handoff).first.touches
    assert (touch.words, touch.act.what) == (RULE, "client/public_api.py")
    assert touch.reference == next(item["reference"] for item in items(handoff) if item["text"] == RULE)


@pytest.mark.parametrize(
    ("path", "told"),
    [("legacy.py", True), ("old/legacy.py", True), ("migrations/0001.py", True), ("new_legacy.py", False), ("a.py", False)],
)
def test_an_act_on_a_file_that_a_rule_names_is_told_of(team, path, told):
    conversation = ConversationFactory.create(team=team, cwd="/srv/app")
    conversations.append(
        team=team,
        conversation_id=conversation.id,
        messages=[said("Never touch legacy.py or anything in migrations/. Make the app faster.")],
    )
    handoff = preparation.prepare(team=team, conversation_id=conversation.id, options=preparation.options_of())
    heir = resumption.resume(team=team, handoff_id=handoff.id).conversation
    did(heir, ("Edit", {"file_path": f"/srv/app/{path}", "old_string": "a", "new_string": "b"}))
    assert bool(gave(handoff).first.touches) is told


@pytest.mark.parametrize(("command", "told"), [("uv venv -p 3.11", False), ("cat .tool-versions/3.11", False), ("vi setup.cfg", True)])
def test_a_version_is_no_file_that_a_rule_names(team, command, told):
    conversation = ConversationFactory.create(team=team, cwd="/srv/app")
    rule = said("Use Python 3.11 everywhere and never touch setup.cfg. Make the app faster.")
    conversations.append(team=team, conversation_id=conversation.id, messages=[rule])
    handoff = preparation.prepare(team=team, conversation_id=conversation.id, options=preparation.options_of())
    heir = resumption.resume(team=team, handoff_id=handoff.id).conversation
    did(heir, ("Bash", {"command": command}))
    assert bool(gave(handoff).first.touches) is told


def test_items_whose_files_moved_are_marked(team, handoff):
    before = Workspace("ab12cd34", {"queue/schema.py": "1", "README.md": "5"})
    receipts.note_workspace(team=team, handoff_id=handoff.id, workspace=before)
    resumption.resume(team=team, handoff_id=handoff.id)
    now = Workspace("ff00ff00", {"/srv/app/queue/schema.py": "2", "README.md": "5", "new.py": "7"})
    told = gave(handoff, workspace=now)
    file = next(item["reference"] for item in items(handoff) if item["text"] == "queue/schema.py")
    naming = [item["reference"] for item in items(handoff) if "schema.py" in item["text"]]
    assert file in told.receipt.moved and set(told.receipt.moved) <= {*naming}
    assert told.head_moved is True
    assert receipts.moved_since(handoff=handoff, reference=file)
    assert not receipts.moved_since(handoff=handoff, reference="a1")


def test_without_a_known_work_place_nothing_is_claimed(handoff, heir):
    told = gave(handoff, workspace=Workspace("ff00ff00", {"queue/schema.py": "2"}))
    assert (told.receipt.moved, told.head_moved) == ([], None)


def test_a_receipt_sent_again_replaces_the_first(handoff, heir):
    first = gave(handoff, acknowledged=["a1"]).receipt
    second = gave(handoff, acknowledged=["a1", "t1"]).receipt
    assert (second.id, second.acknowledged) == (first.id, ["a1", "t1"])


def test_of_several_successors_the_receipt_names_its_own(team, handoff, heir):
    fork = resumption.resume(team=team, handoff_id=handoff.id, fork=True).conversation
    with pytest.raises(Invalid):
        gave(handoff)
    assert gave(handoff, conversation_id=fork.id).receipt.resumption.conversation == fork
    with pytest.raises(NotFound):
        receipts.get(team=team, handoff_id=handoff.id, conversation_id=heir.id)


def test_nobody_gives_a_receipt_for_what_nobody_resumed(handoff):
    with pytest.raises(Conflict):
        gave(handoff)


NAMING = "Never change the public API of the client without asking, and never touch legacy.py."


@pytest.mark.parametrize(
    ("command", "told"),
    [
        ("git commit -am 'Keep the public API of the client as it was, legacy.py too'", False),
        ("git commit -m \"$(cat <<'EOF'\nKeep the public API of the client\n\nlegacy.py stays.\nEOF\n)\"", False),
        ("gh pr create --title 'Public API of the client' --body 'legacy.py is not touched'", False),
        ("git commit --message='Public API of the client'", False),
        ("echo 'the public API of the client, see legacy.py'", False),
        ("grep -rn 'client public API' legacy.py", False),
        ("cat > notes.md <<'EOF'\nThe public API of the client is not to be changed; legacy.py neither.\nEOF", False),
        ("git log --oneline -- legacy.py", False),
        ("# the public API of the client\nls", False),
        ("git rm client/public/api.py", True),
        ("sed -i s/a/b/ legacy.py", True),
        ("echo 'x = 1' >> legacy.py", True),
        ("python tools/regenerate.py --client --public-api", True),
        ("git commit -m 'Fix it' legacy.py", True),
    ],
)
def test_words_that_are_only_written_down_or_looked_for_come_near_no_rule(team, command, told):
    conversation = ConversationFactory.create(team=team, cwd="/srv/app")
    conversations.append(team=team, conversation_id=conversation.id, messages=[said(f"{NAMING} Make the app faster.")])
    handoff = preparation.prepare(team=team, conversation_id=conversation.id, options=preparation.options_of())
    heir = resumption.resume(team=team, handoff_id=handoff.id).conversation
    did(heir, ("Bash", {"command": command}))
    assert bool(gave(handoff).first.touches) is told


def test_a_rule_about_reading_is_come_near_by_reading(team):
    conversation = ConversationFactory.create(team=team, cwd="/srv/app")
    conversations.append(team=team, conversation_id=conversation.id, messages=[said("Never print secrets.env. Make the app faster.")])
    handoff = preparation.prepare(team=team, conversation_id=conversation.id, options=preparation.options_of())
    heir = resumption.resume(team=team, handoff_id=handoff.id).conversation
    did(heir, ("Bash", {"command": "cat secrets.env"}))
    assert gave(handoff).first.touches
