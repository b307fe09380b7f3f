"""What a person answered is shown with what it answers, and a correction with what it replaced."""

import html

import pytest

from continuity.knowledge.model import Task, TaskStatus
from continuity.models import Anchor
from continuity.services.knowledge import fold_runner
from continuity.services.recording import conversations
from continuity.services.search import indexing
from handoffs.contract.records import task_record
from handoffs.services.packages import preparation
from tests.factories import AnchorFactory, ConversationFactory
from tests.web.world import browser
from tests.words import answered, called, resulted, said

REQUEST = "Please write a backup for the readings, one file a night."
QUESTION = "Who is told when the `check` fails?"
ANSWER = "Mail to ops@, not sms."
OFFER = "I'd let `check` refuse half a file."
YES = "Yes please, and put the reason into the error message."


@pytest.fixture
def conversation(team, owner):
    made = ConversationFactory.create(team=team, owner=owner, title="Backup")
    wrote = [
        said(REQUEST),
        called("Write", {"file_path": "/srv/app/backup.py", "content": "x = 1"}, call_id="t1"),
        resulted("File created successfully at: /srv/app/backup.py", call_id="t1"),
        answered(f"The backup is written. {QUESTION}"),
    ]
    conversations.append(team=team, conversation_id=made.id, messages=wrote)
    preparation.prepare(team=team, conversation_id=made.id, options=preparation.options_of())
    told = [
        said(ANSWER),
        called("Write", {"file_path": "/srv/app/mailing.py", "content": "x = 1"}, call_id="t2"),
        resulted("File created successfully at: /srv/app/mailing.py", call_id="t2"),
        answered(f"The mail to ops@ is in mailing.py. {OFFER}"),
        said(YES),
        called("Write", {"file_path": "/srv/app/refusing.py", "content": "x = 1"}, call_id="t3"),
        resulted("File created successfully at: /srv/app/refusing.py", call_id="t3"),
        answered("Half a file is refused now, with the reason in the error message."),
        said("Thank you. Now write the weekly report, please."),
    ]
    conversations.append(team=team, conversation_id=made.id, messages=told)
    fold_runner.catch_up(conversation_id=made.id)
    indexing.catch_up()
    return made


def shown(user, address):
    return html.unescape(browser(user).get(address).content.decode())


def test_it_works(conversation, owner):
    """A task made of an answer says what it answers, and which work it belongs to."""
    page = shown(owner, f"/conversations/{conversation.id}")
    card = page.split('<h2 id="tasks-title"')[1].split(YES)[1].split("</article>")[0]
    assert "<strong>Answer to:</strong> I'd let <code>check</code> refuse half a file." in card
    assert f"<strong>Part of:</strong> {REQUEST}" in card
    assert all(f'href="/conversations/{conversation.id}/messages?at={seq}#m{seq}"' in card for seq in (1, 8))


def test_what_changed_tells_it_too(conversation, owner):
    later = preparation.prepare(team=conversation.team, conversation_id=conversation.id, options=preparation.options_of())
    done = Task("t9", YES, TaskStatus.COMPLETED, 9, 12, "request")
    later.pending_tasks = [task_record(done)]
    later.save()
    page = shown(owner, f"/handoffs/{later.id}/changes")
    of = f"(answer to “I'd let <code>check</code> refuse half a file.”, part of “{REQUEST}”)"
    assert f'{YES} <span class="soft">{of}</span>' in page.split('aria-label="In short"')[1].split("</div>")[0]


def test_a_decision_leads_to_the_question_that_it_answers(conversation, owner):
    decided = Anchor.objects.get(conversation=conversation, method="decision.answered")
    link = f'<a href="/conversations/{conversation.id}/messages?at=4#m4">message 4</a>'
    question = f"<strong>Answer to:</strong> Who is told when the <code>check</code> fails? {link}"
    for address in (f"anchors/{decided.key}", "anchors"):
        page = shown(owner, f"/conversations/{conversation.id}/{address}")
        assert page.count(question) == page.count("Who is told when the <code>check</code> fails? ") == 1, address


def test_one_that_no_question_is_its_reason_leads_to_what_the_agent_said_before(conversation, owner):
    other = AnchorFactory.create(conversation=conversation, key="k9", type="Correction", text=ANSWER, source_seq=5, method="correction.no")
    page = shown(owner, f"/conversations/{conversation.id}/anchors/{other.key}")
    assert "<strong>Answer to:</strong>" in page and "?at=4#m4" in page


def test_a_search_says_of_a_proposal_that_it_was_agreed_to(conversation, owner):
    AnchorFactory.create(conversation=conversation, key="k5", text="Refuse half a file.", source_seq=8, method="decision.accepted")
    indexing.catch_up()
    page = shown(owner, "/search/?q=refuse+half&kind=anchor")
    assert "proposed by the agent, and agreed" in page.split("k5")[0].rsplit("<li>", 1)[1]


def test_a_correction_that_is_found_says_what_it_replaced(conversation, owner):
    AnchorFactory.create(conversation=conversation, key="k1", type="Correction", text="Four months a night, not ten.", source_seq=1)
    AnchorFactory.create(conversation=conversation, key="k2", text="Ten `months` a night.", state="superseded", superseded_by="k1")
    AnchorFactory.create(conversation=conversation, key="k3", type="Correction", text="Tell ops@ at night.", source_seq=5)
    indexing.catch_up()
    page = shown(owner, "/search/?q=night&kind=anchor")
    replaced = f'<strong>Replaces:</strong> <a href="/conversations/{conversation.id}/anchors/k2">Ten <code>months</code> a night.</a>'
    assert replaced in page.split("Four months a")[-1].split("</li>")[0]
    assert "<strong>Answer to:</strong> Who is told" in page.split("Tell ops@")[-1].split("</li>")[0]
    assert f'href="/conversations/{conversation.id}/anchors/k1"' in page


def test_what_is_opened_tells_the_words_it_came_from_before_it_can_be_changed(conversation, owner):
    about = {"text": "Refuse half a file.", "source_seq": 8, "method": "decision.accepted", "rationale": YES}
    made = AnchorFactory.create(conversation=conversation, key="k7", **about)
    page = shown(owner, f"/conversations/{conversation.id}/anchors/{made.key}")
    agent, person = page.index("<strong>The agent:</strong> The mail to ops@"), page.index(f":</strong> {YES} <a ")
    assert agent < person < page.index("New wording")
    for once in ("?at=8#m8", "?at=9#m9", f"{YES} <a "):
        assert page.count(once) == 1, "told once"
    assert "Agreed:" not in page and "and the person agreed" not in page and "<h1>Decision</h1>" in page
    opened = browser(owner).get(f"/conversations/{conversation.id}/anchors/{made.key}", headers={"HX-Request": "true"}).content.decode()
    assert "<strong>Decision</strong>" in opened


FORM = {
    "questions": [
        {
            "question": "Do red alerts wait until the morning too?",
            "options": [
                {"label": "Yes, red alerts always go out", "description": "Only amber alerts wait until 07:00"},
                {"label": "No, everything waits", "description": "Nobody is woken at all"},
            ],
        }
    ]
}


def test_a_choice_made_in_a_form_tells_who_chose_what_each_option_meant_and_that_no_reason_was_given(team, owner):
    made = ConversationFactory.create(team=team, owner=owner, title="Quiet hours")
    told = 'User has answered your questions: "Do red alerts wait until the morning too?"="Yes, red alerts always go out". Go on.'
    wrote = [said("Add quiet hours, please."), called("AskUserQuestion", FORM, call_id="q1"), resulted(told, call_id="q1")]
    conversations.append(team=team, conversation_id=made.id, messages=wrote)
    fold_runner.catch_up(conversation_id=made.id)
    decided = Anchor.objects.get(conversation=made, method="decision.asked")
    page = shown(owner, f"/conversations/{made.id}/anchors/{decided.key}")
    link = f'<a href="/conversations/{made.id}/messages?at=2#m2">message 2</a>'
    assert f"<strong>The agent asked:</strong> Do red alerts wait until the morning too? {link}" in page
    assert f"<strong>{owner} chose</strong> in the agent’s form" in page and "Nothing was said about why." in page
    for option in (
        '<span class="chip ok">chosen</span> Yes, red alerts always go out <span class="soft">Only amber alerts wait until 07:00</span>',
        '<span class="chip">not chosen</span> No, everything waits <span class="soft">Nobody is woken at all</span>',
    ):
        assert page.index(option) < page.index("New wording")
    assert f"chosen by {owner}" in shown(owner, f"/conversations/{made.id}/anchors")
    transcript = shown(owner, f"/conversations/{made.id}/messages")
    assert '<li>No, everything waits <span class="soft">Nobody is woken at all</span></li>' in transcript


def test_what_is_opened_keeps_what_was_marked_as_a_secret(conversation, owner):
    said_it = conversation.messages.get(seq=8)
    said_it.secrets = [{"part": 0, "path": ["text"], "start": 4, "end": 8, "kind": "password"}]
    said_it.save()
    AnchorFactory.create(conversation=conversation, key="k8", text="Refuse half a file.", source_seq=8, method="decision.accepted")
    page = shown(owner, f"/conversations/{conversation.id}/anchors/k8")
    assert "to ops@ is in mailing.py" in page and "The mail to ops@" not in page
