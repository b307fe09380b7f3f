"""Lists: filters, pages that miss and repeat nothing, and as many queries for many rows as for few."""

import re
from datetime import timedelta
from urllib.parse import parse_qs, urlsplit
from uuid import UUID

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from continuity.models import Conversation, Job
from handoffs.models import Resumption
from tests.factories import AnchorFactory, ConversationFactory, FileTouchFactory, MessageFactory, TaskFactory
from tests.web import rows
from tests.web.reading import read
from tests.web.world import browser

HTMX = {"HX-Request": "true"}


def titles(answer):
    return [link.text.strip() for link in read(answer.content).all("a") if link.attributes.get("class") == "name"]


def links(answer):
    return [{"href": link.attributes.get("href", ""), "text": link.text.strip()} for link in read(answer.content).all("a")]


def shown(answer):
    found = [link for link in read(answer.content).all("a") if link.attributes.get("class") == "name"]
    return [UUID(link.attributes["href"].rsplit("/", 1)[1]) for link in found]


def test_it_works(team, owner):
    ConversationFactory.create(team=team, title="Older", source_tool="codex", context_tokens=100_000, max_context_tokens=200_000)
    ConversationFactory.create(team=team, title="Newer", status="idle")
    answer = browser(owner).get("/conversations")
    assert titles(answer) == ["Newer", "Older"]
    assert b"50%" in answer.content


@pytest.mark.parametrize(
    ("query", "found"),
    [("q=payment", ["Fix payments"]), ("q=CODEX", ["Docs"]), ("q=gpt", ["Docs"]), ("q=ext-1", ["Fix payments"]), ("status=idle", ["Docs"])],
)
def test_one_finds_by_words_and_status(query, found, team, owner):
    ConversationFactory.create(team=team, title="Fix payments", external_id="ext-12")
    ConversationFactory.create(team=team, title="Docs", source_tool="codex", model="gpt-5", status="idle")
    assert titles(browser(owner).get(f"/conversations?{query}")) == found


def test_those_with_the_same_title_are_told_apart(team, owner):
    for day, branch in ((3, "main"), (2, "fix/tides"), (1, "")):
        began = timezone.now() - timedelta(days=day)
        ConversationFactory.create(team=team, title="Fix payments", branch=branch, created_at=began)
    ConversationFactory.create(team=team, title="Docs", branch="docs")
    page = read(browser(owner).get("/conversations").content)
    told = [" ".join(row.text.split()) for row in page.all("tr")]
    found = {number: next(row for row in told if f"{number} of 3 with this title" in row) for number in (1, 2, 3)}
    assert f"began {timezone.localtime(timezone.now() - timedelta(days=2)):%d %b %Y}" in found[2] and "branch fix/tides" in found[2]
    assert "branch main" in found[1] and "branch" not in found[3]
    assert not [row for row in told if "Docs" in row and "with this title" in row]


def test_a_filter_that_finds_nothing_says_what_there_is_instead(team, owner):
    for title in ("Fix payments", "Docs"):
        ConversationFactory.create(team=team, title=title, status="idle")
    answer = browser(owner).get("/conversations?status=active&owner=nobody")
    assert b"None is active" in answer.content
    assert [(link["text"], link["href"]) for link in links(answer) if link["text"].startswith("Show")] == [
        ("Show 2 quiet", "?owner=nobody&status=idle"),
        ("Show all 2 conversations", "/conversations"),
    ]
    found = browser(owner).get("/conversations?owner=nobody&status=idle")
    assert titles(found) == ["Docs", "Fix payments"]
    assert b'<span class="chip ">quiet</span>' in found.content
    assert '<option value="idle" selected>Quiet</option>' in found.content.decode()
    assert "nothing was said for 30 minutes" in found.content.decode()


def test_other_lists_say_how_many_there_are_where_a_filter_finds_none(team, owner):
    conversation = ConversationFactory.create(team=team)
    rows.handoff(conversation)
    AnchorFactory.create(conversation=conversation, text="Leases last a minute.")
    for page, words in (("/handoffs", "Show all 1 handoffs"), (f"/conversations/{conversation.id}/anchors", "Show all 1 entries")):
        assert words in [link["text"] for link in links(browser(owner).get(f"{page}?q=nothing"))]


def test_one_finds_what_nobody_recorded(team, owner):
    ConversationFactory.create(team=team, title="Without", owner=None)
    ConversationFactory.create(team=team, title="Mine", owner=owner)
    assert titles(browser(owner).get("/conversations?owner=nobody")) == ["Without"]
    assert titles(browser(owner).get("/conversations?owner=me")) == ["Mine"]


def test_one_finds_by_a_whole_id(team, owner):
    wanted = ConversationFactory.create(team=team, title="This one")
    ConversationFactory.create(team=team)
    assert titles(browser(owner).get(f"/conversations?q={wanted.id}")) == ["This one"]


@pytest.mark.parametrize("query", ["q=%00", "q=%25_%27", "status=nonsense", "q=" + "x" * 300])
def test_odd_searches_are_harmless(query, team, owner):
    ConversationFactory.create(team=team)
    assert browser(owner).get(f"/conversations?{query}").status_code == 200


def test_under_htmx_only_the_results_come(team, owner):
    ConversationFactory.create(team=team, title="Here")
    answer = browser(owner).get("/conversations?q=Here", headers=HTMX)
    assert b"<html" not in answer.content
    assert titles(answer) == ["Here"]


def test_pages_miss_nothing_and_repeat_nothing(team, owner):
    made = ConversationFactory.create_batch(120, team=team)
    moment = timezone.now()
    # Many at the same moment: the id has to break the tie.
    for number, conversation in enumerate(made):
        Conversation.objects.filter(id=conversation.id).update(updated_at=moment - timedelta(seconds=number // 40))
    client, address, seen = browser(owner), "/conversations", []
    while address:
        answer = client.get(address)
        seen += titles(answer)
        if address == "/conversations":
            ConversationFactory.create(team=team, title="Came in between")
        older = [link for link in read(answer.content).all("a") if "Next page" in link.text]
        address = f"/conversations{older[0].attributes['href']}" if older else ""
    assert sorted(seen) == sorted(conversation.title for conversation in made)


@pytest.mark.parametrize(("sort", "field"), [("use", "context_tokens"), ("messages", "message_count"), ("tokens", "total_tokens")])
def test_the_largest_come_first_and_pages_go_on_from_there(sort, field, team, owner):
    # Two of each size, and one page of fifty; another team's are larger.
    sizes = [number // 2 for number in range(60)]
    made = [ConversationFactory.create(team=team, title=f"{size:03}", max_context_tokens=200_000, **{field: size * 100}) for size in sizes]
    ConversationFactory.create(**{field: 1_000_000})
    client = browser(owner)
    first = client.get(f"/conversations?sort={sort}")
    older = next(link for link in read(first.content).all("a") if "Next page" in link.text)
    second = client.get(f"/conversations{older.attributes['href']}")
    assert titles(first) + titles(second) == sorted((conversation.title for conversation in made), reverse=True)


def test_the_next_page_keeps_the_filter(team, owner):
    ConversationFactory.create_batch(60, team=team, status="idle")
    answer = browser(owner).get("/conversations?status=idle")
    older = next(link for link in read(answer.content).all("a") if "Next page" in link.text)
    assert parse_qs(urlsplit(older.attributes["href"]).query)["status"] == ["idle"]


@pytest.mark.parametrize("cursor", ["x", "====", "MjAyNQ", "%00", "bm90IGEgdGltZXx4", "MjAyNS0wMS0wMVQwMDowMDowMHww", "é"])
@pytest.mark.parametrize("path", ["/conversations", "/handoffs"])
def test_a_damaged_cursor_is_said_to_be_one(path, cursor, team, owner):
    answer = browser(owner).get(f"{path}?after={cursor}")
    assert answer.status_code == 422
    assert b"damaged" in answer.content


def grow(conversation, count):
    """`count` more of everything that a page lists."""
    team = conversation.team
    ConversationFactory.create_batch(count, team=team, owner=conversation.owner)
    start = conversation.last_seq
    for seq in range(start + 1, start + count + 1):
        MessageFactory.create(conversation=conversation, seq=seq)
    conversation.last_seq = start + count
    conversation.save()
    AnchorFactory.create_batch(count, conversation=conversation)
    TaskFactory.create_batch(count, conversation=conversation)
    FileTouchFactory.create_batch(count, conversation=conversation)
    for number in range(count):
        handoff = rows.handoff(conversation, position=start + number + 1)
        new = ConversationFactory.create(team=team, owner=conversation.owner, resumed_from=conversation)
        Resumption.objects.create(team=team, handoff=handoff, conversation=new, resumed_by=conversation.owner, fork=True, report={})
    Job.objects.create(team=team, kind="import", status="queued")


def test_many_rows_take_no_more_queries_than_few(team, owner):
    conversation = ConversationFactory.create(team=team, owner=owner, title="Much")
    client = browser(owner)
    grow(conversation, 5)
    handoff = conversation.handoffs.earliest("position")
    addresses = ["/conversations", "/handoffs", f"/conversations/{conversation.id}", f"/chains/{handoff.chain_id}"]
    addresses += ["/", "/diagnostics", "/search/?q=Message", "/conversations?status=active&q=much", "/handoffs?status=ready"]
    addresses += [f"/handoffs/{handoff.id}/lines", f"/handoffs/{handoff.id}/history", f"/conversations/{conversation.id}/course"]
    addresses += [f"/handoffs/{handoff.id}", f"/conversations/{conversation.id}/anchors", f"/conversations/{conversation.id}/messages"]

    def count():
        counts = {}
        for address in addresses:
            with CaptureQueriesContext(connection) as queries:
                assert client.get(address).status_code == 200
            counts[re.sub(r"[0-9a-f-]{36}", "ID", address)] = len(queries)
        return counts

    count()  # The first look at diagnostics catches up with the events.
    few = count()
    grow(conversation, 45)
    assert count() == few
    assert max(few.values()) <= 30, few


def test_of_several_versions_the_newest_stands_in_the_list_and_leads_to_the_others(team, owner):
    conversation, other = ConversationFactory.create(team=team, title="Often"), ConversationFactory.create(team=team, title="Once")
    made = [rows.handoff(conversation, number=number, status="ready") for number in (1, 2, 3)]
    offered = rows.handoff(conversation, number=4, status="ready", offered_to=owner)
    resumed = rows.handoff(conversation, number=5, status="resumed", resumed_at=timezone.now())
    newest, single = rows.handoff(conversation, number=6, status="ready"), rows.handoff(other, status="ready")
    answer = browser(owner).get("/handoffs")
    assert shown(answer) == [single.id, newest.id, resumed.id, offered.id]
    assert b"3 earlier versions" in answer.content
    [link] = {link["href"] for link in links(answer) if link["text"] == "3 earlier versions"}
    assert shown(browser(owner).get(link))[-3:] == [each.id for each in reversed(made)]
    assert len(shown(browser(owner).get("/handoffs?versions=all"))) == 7


def test_handoffs_are_found_by_what_their_badge_says(team, owner):
    made = {name: rows.handoff(ConversationFactory.create(team=team), status=name) for name in ("draft", "ready", "resumed", "failed")}
    made["offered"] = rows.handoff(ConversationFactory.create(team=team), status="ready", offered_to=owner)
    made["offered draft"] = rows.handoff(ConversationFactory.create(team=team), status="draft", offered_to=owner)
    client = browser(owner)
    for name in ("draft", "ready", "resumed", "failed"):
        assert shown(client.get(f"/handoffs?status={name}")) == [made[name].id], name
    offered = client.get("/handoffs?status=offered")
    assert shown(offered) == [made["offered draft"].id, made["offered"].id]
    assert "Offered: a teammate has not answered yet" in offered.content.decode()


def test_a_conversation_that_somebody_ended_is_called_ended(team, owner):
    ConversationFactory.create(team=team, title="Over", status="invalidated")
    answer = browser(owner).get("/conversations?status=invalidated")
    assert titles(answer) == ["Over"]
    page = answer.content.decode()
    assert '<span class="chip bad">ended</span>' in page and '<option value="invalidated" selected>Ended</option>' in page
    assert not re.search("invalidated<", page, re.I)


def test_a_session_says_how_many_of_its_tasks_are_open(team, owner):
    unfinished, done = (ConversationFactory.create(team=team, title=title) for title in ("Unfinished", "Finished"))
    for key, conversation, status in (("t1", unfinished, 1), ("t2", unfinished, 5), ("t1", done, 5)):
        TaskFactory.create(conversation=conversation, key=key, status=status)
    page = browser(owner).get("/conversations").content.decode()
    assert page.count("1 task open") == 1
    assert page.index("Unfinished") < page.index("1 task open")
