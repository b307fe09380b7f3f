"""What is found, by whom, and what never is."""

from datetime import UTC, datetime

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from continuity.core.errors import Invalid
from continuity.knowledge.model import AnchorType
from continuity.models import Anchor
from continuity.services.jobs import jobs
from continuity.services.knowledge import fold_runner, unmasking
from continuity.services.recording import conversations
from continuity.services.search import indexing, searching
from continuity.services.search.searching import Filters
from handoffs.services.chains import resumption
from handoffs.services.erasure import erasing
from handoffs.services.packages import preparation
from tests.factories import AnchorFactory, ConversationFactory, MessageFactory
from tests.words import answered, called, resulted, said

pytestmark = pytest.mark.django_db

SECRET = "AKIAQ3EGRIVMZTFH2XKP"


def record(team, *messages, **about):
    conversation = conversations.create(team=team, **about)
    append(conversation, *messages)
    return conversation


def append(conversation, *messages, **about):
    conversations.append(team=conversation.team, conversation_id=conversation.id, messages=messages, **about)
    settle(conversation)


def settle(conversation):
    fold_runner.catch_up(conversation_id=conversation.id)
    indexing.catch_up()


def seqs(team, words, **filters):
    found = searching.find(team=team, words=words, filters=Filters(**{"kind": "message", **filters}))
    return sorted(hit.seq for hit in found.hits)


def anchors(team, words):
    return [hit.excerpt.text for hit in searching.find(team=team, words=words, filters=Filters(kind="anchor")).hits]


@pytest.fixture
def talk(team):
    return record(
        team,
        said("Never change the migrations of the billing importer.", at=datetime(2026, 3, 1, tzinfo=UTC)),
        called("Bash", {"command": "pytest tests/test_foo_bar.py"}, call_id="1", at=datetime(2026, 3, 2, tzinfo=UTC)),
        resulted("2 passed", call_id="1", at=datetime(2026, 3, 3, tzinfo=UTC)),
        answered("The ticket CONT-04 is about parseHTTPResponse in /srv/app/models.py.", at=datetime(2026, 3, 4, tzinfo=UTC)),
        title="Billing",
    )


def test_it_works(team, talk):
    found = searching.find(team=team, words="billing migrations")
    assert {hit.kind for hit in found.hits} == {"message", "anchor"}
    for hit in found.hits:
        assert (hit.conversation_id, hit.title, hit.seq) == (talk.id, "Billing", 1)
        assert [text.lower() for text, marked in hit.excerpt.runs if marked] == ["migrations", "billing"]
    assert found.next_cursor is None


@pytest.mark.parametrize(
    ("words", "seq"),
    [
        ("test_foo_bar.py", 2),
        ("foo", 2),
        ("bar.py", 2),
        ("CONT-04", 4),
        ("cont", 4),
        ("app/models.py", 4),
        ("models", 4),
        ("parsehttpresponse", 4),
        ("http", 4),
        ("ticke", 4),
        ('"passed"', 3),
        ("bash", 2),
    ],
)
def test_names_and_paths_are_found_whole_and_by_parts(team, talk, words, seq):
    assert seqs(team, words) == [seq]


@pytest.mark.parametrize("words", ["bar_foo", "CONT-05", "models/app", '"importer billing"', "billing -importer", "tick"[:3]])
def test_what_stands_otherwise_is_not_found(team, talk, words):
    assert seqs(team, words) == []


@pytest.mark.parametrize(
    ("filters", "found"),
    [
        ({"role": "assistant"}, [2, 4]),
        ({"tool": "Bash"}, [2]),
        ({"tool": "Read"}, []),
        ({"since": datetime(2026, 3, 2, tzinfo=UTC), "until": datetime(2026, 3, 4, tzinfo=UTC)}, [2]),
        ({"source_tool": "codex"}, []),
    ],
)
def test_filters_narrow(team, talk, filters, found):
    append(talk, said("the"), answered("the"))
    wanted = {"since": datetime(2026, 1, 1, tzinfo=UTC), "until": datetime(2026, 4, 1, tzinfo=UTC)}
    assert seqs(team, "py", **{**wanted, **filters}) == found


def test_another_conversation_and_another_team_are_left_out(team, other_team, talk):
    elsewhere = record(team, said("The billing importer again"))
    assert seqs(team, "billing", conversation=elsewhere.id) == [1]
    assert searching.find(team=other_team, words="billing").hits == []


def test_a_secret_is_neither_found_nor_shown_until_it_is_none(team):
    talk = record(team, said(f"Use the key AWS_KEY={SECRET} for the bucket, always use that key."))
    for words in (SECRET, SECRET[:8], SECRET.lower(), f'"{SECRET}"'):
        assert searching.find(team=team, words=words).hits == []
    shown = searching.find(team=team, words="bucket").hits
    assert shown and all(SECRET not in hit.excerpt.text for hit in shown)
    unmasking.unmask(team=team, conversation_id=talk.id, seq=1, number=0, by="owner")
    settle(talk)
    assert seqs(team, SECRET) == [1]


def test_what_was_rewound_is_not_found_even_before_it_is_folded_again(team):
    talk = record(team, said("Never touch the zeppelin module.", external_id="z"), answered("I keep away."))
    assert seqs(team, "zeppelin") == [1] and anchors(team, "zeppelin")
    conversations.append(team=team, conversation_id=talk.id, messages=[], abandoned=["z"])
    assert searching.find(team=team, words="zeppelin").hits == []
    settle(talk)
    assert searching.find(team=team, words="zeppelin").hits == []


def test_erased_words_are_not_found_from_that_moment_and_the_others_again_soon(team, owner):
    talk = record(team, said("Never tell Marzipanov about the zeppelin."))
    erasure = erasing.erase_words(team=team, conversation_id=talk.id, words="Marzipanov", by=erasing.By(owner.email, owner))
    assert searching.find(team=team, words="marzipanov").hits == []
    jobs.run(job_id=erasure.job_id)
    settle(talk)
    assert seqs(team, "zeppelin") == [1]
    assert searching.find(team=team, words="marzipanov").hits == []


def test_an_erased_conversation_is_not_found(team, owner, talk):
    erasing.erase_conversation(team=team, conversation_id=talk.id, by=erasing.By(owner.email, owner))
    assert searching.find(team=team, words="billing").hits == []


def test_a_changed_anchor_is_found_by_its_new_words(team, talk):
    row = Anchor.objects.get(conversation=talk, text__contains="migrations")
    Anchor.objects.filter(id=row.id).update(text="Never change the ledger.")
    assert anchors(team, "migrations") == [] == anchors(team, "ledger")
    indexing.catch_up()
    assert anchors(team, "ledger") == ["Never change the ledger."]


@pytest.mark.parametrize("kind", [AnchorType.DECISION, AnchorType.CONSTRAINT, AnchorType.CORRECTION, AnchorType.PREFERENCE])
def test_what_was_decided_is_found_before_what_was_found_out(team, kind):
    conversation = record(team, said("Hello."), title="Sluice")
    of = {"team": team, "conversation": conversation, "text": "The sluice opens at noon."}
    for type_ in (kind, AnchorType.FACT, AnchorType.ERROR):
        AnchorFactory.create(type=type_.value, **of)
    indexing.catch_up()
    found = searching.find(team=team, words="sluice noon", filters=Filters(kind="anchor")).hits
    assert found[0].anchor_type == kind, [hit.anchor_type for hit in found]


def test_a_dismissed_anchor_is_not_found(team, owner, talk):
    Anchor.objects.filter(conversation=talk).update(state="dismissed")
    assert anchors(team, "migrations") == []


def test_what_each_session_of_a_chain_knows_is_shown_once(team, talk):
    handoff = preparation.prepare(team=team, conversation_id=talk.id, options=preparation.options_of())
    resumption.resume(team=team, handoff_id=handoff.id)
    indexing.catch_up()
    assert Anchor.objects.filter(text__contains="migrations").count() == 2
    assert len(anchors(team, "migrations")) == 1


def test_pages_follow_one_another_while_more_is_recorded(team):
    talk = record(team, *[said(f"The harbour report number {number}") for number in range(7)])
    seen: list[int] = []
    cursor: str | None = ""
    while cursor is not None:
        page = searching.find(team=team, words="harbour", filters=Filters(kind="message"), cursor=cursor, limit=3)
        seen += [hit.seq for hit in page.hits]
        cursor = page.next_cursor
        append(talk, said("harbour harbour harbour"))
    assert sorted(seen) == list(range(1, 8))


def test_as_many_queries_whatever_is_found(team, talk):
    def queries(words):
        with CaptureQueriesContext(connection) as seen:
            searching.find(team=team, words=words)
        return len(seen)

    many = ConversationFactory.create(team=team)
    MessageFactory.create_batch(30, conversation=many)
    indexing.catch_up()
    assert queries("message") == queries("http") <= 16


@pytest.mark.parametrize("words", ["", "  ", "-not", "&|!", "…"])
def test_no_words_are_refused(team, words):
    with pytest.raises(Invalid):
        searching.find(team=team, words=words)


@pytest.mark.parametrize("cursor", ["x", "bm9uZQ", "W10"])
def test_a_foreign_cursor_is_refused(team, cursor):
    with pytest.raises(Invalid):
        searching.find(team=team, words="word", cursor=cursor)


def test_where_nothing_holds_all_words_what_holds_some_is_found_if_one_wants_it(team, talk):
    assert searching.find(team=team, words="why billings").hits == []
    some = searching.find(team=team, words="why billings", else_any=True)
    assert some.query.any_of
    assert {hit.seq for hit in some.hits} == {1}
    assert [text.lower() for text, marked in some.hits[0].excerpt.runs if marked] == ["billing"]
    assert not searching.find(team=team, words="billing", else_any=True).query.any_of
    assert searching.find(team=team, words="neverwritten", else_any=True).hits == []
