"""The page of what changed since an earlier handoff, where another person went on in another folder."""

import re
from typing import Any

import pytest

from continuity.knowledge.model import Anchor, AnchorType, Ref, Truth
from continuity.services.recording import conversations
from handoffs.contract.model import PackageItem, PackageSection, SectionKind
from handoffs.contract.plan_records import section_record
from handoffs.contract.records import anchor_record
from handoffs.models import Handoff
from handoffs.services.chains import resumption
from handoffs.services.packages import preparation
from tests.factories import AnchorFactory, ConversationFactory, TaskFactory
from tests.handoffs.story import TODOS, story
from tests.web import rows
from tests.web.reading import read
from tests.web.world import browser
from tests.words import answered, called, resulted, said

REASON = "the lease must survive a restart"


@pytest.fixture
def page(team, owner, teammate):
    """What stands on it: the owner's session in /srv/app, a teammate's in /home/jonas/app."""
    first = preparation.prepare(team=team, conversation_id=story(team).id, options=preparation.options_of())
    went_on = resumption.resume(team=team, handoff_id=first.id, resumed_by=teammate).conversation
    place: dict[str, Any] = {"cwd": "/home/jonas/app", "branch": "feature/queue"}
    todos = [{**todo, "status": "completed"} if todo["content"] == "Write the worker" else todo for todo in TODOS]
    messages = [
        said("Go on with the worker.", **place),
        called("Write", {"file_path": "/home/jonas/app/queue/schema.py", "content": "x = 2"}, call_id="u1", **place),
        resulted("File created successfully at: /home/jonas/app/queue/schema.py", call_id="u1", **place),
        called("TodoWrite", {"todos": todos}, call_id="u2", **place),
        resulted("Todos have been modified successfully.", call_id="u2", **place),
        called("Bash", {"command": "pytest tests/queue"}, call_id="u3", **place),
        resulted("12 passed in 0.50s", call_id="u3", exit_code=0, **place),
        answered("All of the worker's tests pass.", **place),
    ]
    conversations.append(team=team, conversation_id=went_on.id, messages=messages)
    second = preparation.prepare(team=team, conversation_id=went_on.id, options=preparation.options_of())
    return browser(owner).get(f"/handoffs/{second.id}/changes").content.decode()


def section(page, title):
    return page.split(f'id="{title}-title"')[1].split("</section>")[0]


def test_it_works(page):
    """In short first: how much, what was done, how the check ended."""
    told = next(each for each in read(page.encode()).all("div") if each.attributes.get("aria-label") == "In short").text
    short = " ".join(told.split())
    assert re.search(r"\d+ new, \d+ changed\. \d+ left out now, still true\.", short)
    assert "Done since: Write the worker" in short
    assert "Last check: pytest tests/queue: passed (before: pytest tests/queue: failed)" in short


def test_another_persons_folder_is_no_change(page):
    assert not [name for name in ("new", "gone") if ">queue/schema.py<" in section(page, name)]
    assert "/srv/app/queue" not in section(page, "gone") + section(page, "new")
    assert "/home/jonas/app" not in section(page, "changed")


def test_a_new_decision_is_shown_with_its_reason(team, owner):
    of = ConversationFactory.create(team=team, owner=owner)
    rows.handoff(of, number=1, status="ready")
    later = rows.handoff(of, number=2, status="ready")
    decided = Anchor("k2", AnchorType.DECISION, "Use SQLite for the lease.", Ref(3), 0.9, Truth.STATED, "sample", rationale=REASON)
    line = PackageItem("a2", "k2", decided.text, 3, 5, 0.9)
    later.anchors = [anchor_record(decided)]
    later.rest["sections"].append(section_record(PackageSection(SectionKind.DECISIONS, (line,))))
    later.save()
    new = section(browser(owner).get(f"/handoffs/{later.id}/changes").content.decode(), "new")
    assert decided.text in new and f"<strong>Because</strong> {REASON}" in new


def test_what_stands_between_backticks_is_code(team, owner):
    of = ConversationFactory.create(team=team, owner=owner)
    for number, text in enumerate(("Run `pytest -q <all>` before each commit.", "Run `pytest -n 2` before each commit, `twice`."), start=1):
        made = rows.handoff(of, number=number, status="ready")
        lines = [
            PackageItem("a1", "k1", text, 3, 5, 0.9),
            PackageItem("a2", f"only{number}", f"`{number}` is new, <b>not</b> `", 3, 5, 0.9),
        ]
        made.rest["sections"].append(section_record(PackageSection(SectionKind.DECISIONS, tuple(lines))))
        made.save()
    page = browser(owner).get(f"/handoffs/{made.id}/changes").content.decode()
    assert "<code>2</code> is new, &lt;b&gt;not&lt;/b&gt; `" in section(page, "new")
    changed = "Run <del><code>pytest -q &lt;all&gt;</code> </del> <ins><code>pytest -n 2</code> </ins>before each "
    assert changed in section(page, "changed") and "<ins>commit, <code>twice</code>.</ins>" in section(page, "changed")


def test_what_is_gone_leads_to_the_session_that_said_it(page, team):
    first = Handoff.objects.filter(team=team).earliest("created_at")
    links = re.findall(r'href="/conversations/([0-9a-f-]{36})/messages', section(page, "gone"))
    assert links and set(links) == {str(first.conversation_id)}
    assert str(first.conversation_id) not in section(page, "new")


def test_what_was_superseded_leads_to_what_replaced_it(team, owner):
    of = ConversationFactory.create(team=team, owner=owner)
    first = rows.handoff(of, number=1, status="ready")
    line = PackageItem("a3", "k3", "Use Redis for the lease.", 3, 5, 0.9)
    first.rest["sections"].append(section_record(PackageSection(SectionKind.DECISIONS, (line,))))
    first.save()
    later = rows.handoff(of, number=2, status="ready")
    AnchorFactory.create(conversation=of, key="k3", text=line.text, state="superseded", superseded_by="k4")
    gone = section(browser(owner).get(f"/handoffs/{later.id}/changes").content.decode(), "ended")
    assert f'<a href="/conversations/{of.id}/anchors/k4">What replaced it</a>' in gone


def test_what_was_said_before_the_earlier_handoff_is_not_new(team, owner):
    of = ConversationFactory.create(team=team, owner=owner, last_seq=20)
    rows.handoff(of, number=1, status="ready", through_seq=10)
    later = rows.handoff(of, number=2, status="ready", through_seq=20)
    lines = {
        "k7": ("Said at three.", 3),
        "k2": ("Said at twelve.", 12),
        "k3": ("Proposed at four, settled at twelve.", 4),
        "k9": ("Finished at eleven.", 11),
    }
    items = [PackageItem(f"a{key[1]}0", key, text, seq, 5, 0.9) for key, (text, seq) in lines.items()]
    later.rest["sections"].append(section_record(PackageSection(SectionKind.DECISIONS, tuple(items))))
    later.save()
    TaskFactory.create(conversation=of, key="k9", description="Finished at eleven.", last_seq=11, first_seq=2)
    for item in items[:3]:
        AnchorFactory.create(
            conversation=of, key=item.key, text=item.text, source_seq=item.seq, settled_seq=12 if item.key == "k3" else None
        )
    page = browser(owner).get(f"/handoffs/{later.id}/changes").content.decode()
    new, _, told_now = section(page, "new").partition('<details id="told-now">')
    assert "Known before, included only now: 2 lines<" in told_now and "Said at three." in told_now
    assert "Said at twelve." in new and "settled at twelve." in new and "Said at three." not in new
    assert "Finished at eleven." in told_now, "it was asked for before; that it is done is told as such"
    assert "2 new," in page
    assert "Said before handoff 1, which left them out." in told_now


def test_what_came_along_from_an_earlier_session_is_not_new(team, owner, teammate):
    first = ConversationFactory.create(team=team, owner=owner, last_seq=20)
    before = rows.handoff(first, number=1, status="resumed", through_seq=10)
    went_on = ConversationFactory.create(team=team, owner=teammate, last_seq=5)
    later = rows.handoff(went_on, number=2, status="ready", chain=before.chain, previous_handoff=before)
    said = {"k5": ("Said there at three.", 3, first), "k6": ("Said there at twelve.", 12, first), "k7": ("Said here at three.", 3, None)}
    items = [PackageItem(f"a{key[1]}0", key, text, 0 if place else seq, 5, 0.9) for key, (text, seq, place) in said.items()]
    later.rest["sections"].append(section_record(PackageSection(SectionKind.DECISIONS, tuple(items))))
    later.save()
    for key, (text, seq, place) in said.items():
        AnchorFactory.create(conversation=went_on, key=key, text=text, source_seq=seq, origin_conversation=place)
    new, _, told_now = section(browser(owner).get(f"/handoffs/{later.id}/changes").content.decode(), "new").partition('id="told-now"')
    assert "Said there at three." in told_now and "Said there at three." not in new
    assert "Said there at twelve." in new and "Said here at three." in new


def test_a_task_that_came_along_leads_to_the_words_that_named_it_and_is_not_new(team, owner, teammate):
    first = ConversationFactory.create(team=team, owner=owner, last_seq=46)
    before = rows.handoff(first, number=2, status="resumed", through_seq=46)
    went_on = ConversationFactory.create(team=team, owner=teammate, last_seq=5, resumed_from=first)
    later = rows.handoff(went_on, number=3, status="ready", chain=before.chain, previous_handoff=before)
    words = "Yes please, and put the reason into the error message."
    later.rest["sections"].append(section_record(PackageSection(SectionKind.TASKS, (PackageItem("t1", "k8", words, 1, 5, 0.9),))))
    later.save()
    TaskFactory.create(conversation=first, key="k8", description=words, first_seq=22, last_seq=22)
    TaskFactory.create(conversation=went_on, key="k8", description=words, first_seq=0, last_seq=1, origin_conversation=first)
    page = browser(owner).get(f"/handoffs/{later.id}/changes").content.decode()
    new, _, told_now = section(page, "new").partition('id="told-now"')
    assert words in told_now and words not in new
    link = f'<a href="/conversations/{first.id}/messages?at=22#m22">message 22 of an earlier conversation</a>'
    assert link in told_now and "?at=1#m1" not in told_now


def test_what_is_merely_left_out_is_not_shown_as_what_no_longer_holds(page):
    assert 'class="items lines left-out"' in section(page, "gone") and "still true, older" in section(page, "gone")
    assert "removed" not in section(page, "gone")
