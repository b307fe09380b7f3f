"""Of words that very many hold the latest are found, without naming all; of others all, however old."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from continuity.services.search import indexing, searching
from continuity.services.search.searching import Filters
from tests.factories import ConversationFactory, MessageFactory
from tests.search.test_searching import record, seqs
from tests.words import said

pytestmark = pytest.mark.django_db


def small(monkeypatch, **numbers):
    for name, number in numbers.items():
        monkeypatch.setattr(searching, name, number)


def statements(seen, words):
    return [query["sql"] for query in seen.captured_queries if words in query["sql"] and "EXPLAIN" not in query["sql"]]


def test_it_works(team, monkeypatch):
    small(monkeypatch, CANDIDATES=4, SKIPPED=2, GLANCED=4, WALKED=8)
    record(team, *[said(f"The harbour report number {number}") for number in range(10)])
    with CaptureQueriesContext(connection) as seen:
        found = searching.find(team=team, words="harbour", filters=Filters(kind="message"))
    assert sorted(hit.seq for hit in found.hits) == [7, 8, 9, 10]
    assert found.only_latest and not statements(seen, "MATERIALIZED")


def test_what_stands_often_lately_is_found_however_old(team, monkeypatch):
    small(monkeypatch, CANDIDATES=12, SKIPPED=0, GLANCED=3, WALKED=8)
    record(team, *[said(f"The harbour report number {number}") for number in range(10)])
    found = searching.find(team=team, words="harbour", filters=Filters(kind="message"))
    assert sorted(hit.seq for hit in found.hits) == list(range(1, 11))
    assert not found.only_latest


def test_where_fewer_than_expected_are_met_the_index_names_the_rest(team, monkeypatch):
    small(monkeypatch, CANDIDATES=4, SKIPPED=0, GLANCED=3, WALKED=6)
    old = [said(f"The harbour report number {number}") for number in range(4)]
    record(team, *old, *[said(f"Nothing in {number}") for number in range(5)], *[said(f"A harbour at {number}") for number in range(3)])
    assert seqs(team, "harbour") == [4, 10, 11, 12]


def test_hundreds_of_hits_are_all_paged_through(team):
    talk = ConversationFactory.create(team=team)
    MessageFactory.create_batch(150, conversation=talk)
    while indexing.catch_up():
        pass
    seen: list[int] = []
    cursor: str | None = ""
    while cursor is not None:
        page = searching.find(team=team, words="message", filters=Filters(kind="message"), cursor=cursor, limit=50)
        seen += [hit.seq for hit in page.hits]
        cursor = page.next_cursor
    assert len(seen) == len(set(seen)) == 150 and not page.only_latest


def test_as_many_hits_as_are_ranked_are_all_of_them(team, monkeypatch):
    small(monkeypatch, CANDIDATES=4)
    record(team, *[said(f"The harbour report number {number}") for number in range(4)])
    assert not searching.find(team=team, words="harbour", filters=Filters(kind="message")).only_latest


@pytest.mark.parametrize(("walked", "found"), [(3, {9, 10}), (6, {7, 8, 9, 10})])
def test_of_very_many_that_the_index_names_the_latest_are_found(team, walked, found, monkeypatch):
    small(monkeypatch, MANY=5, CANDIDATES=4, WALKED=walked)
    talk = record(team, *[said(f"The harbour report number {number}") for number in range(10)])
    for row in talk.messages.order_by("seq"):
        talk.messages.filter(seq=row.seq).update(created_at=row.created_at - timedelta(hours=10 - row.seq))
    hits = seqs(team, "harbour")
    assert len(hits) == 4 and found <= set(hits)


@pytest.mark.parametrize("word", ["harbour", "lighthouse"])
def test_what_is_rare_among_the_latest_is_found_by_the_index(team, word, monkeypatch):
    small(monkeypatch, SKIPPED=0, GLANCED=3, WALKED=3)
    report = [said(f"Report number {number}") for number in range(5)]
    record(team, said("The lighthouse stands by the harbour"), *report, said("The harbour"))
    assert seqs(team, word) == ([1, 7] if word == "harbour" else [1])


def told_at(talk, hours):
    """The messages were recorded at these hours, the first before the others; the database counts them."""
    for row, hour in zip(talk.messages.order_by("seq"), hours, strict=True):
        talk.messages.filter(seq=row.seq).update(created_at=row.created_at - timedelta(hours=max(hours) - hour))
    with connection.cursor() as database:
        database.execute("ANALYZE continuity_message")


@pytest.mark.parametrize(("hours", "all_named"), [([*range(10)], False), ([*range(9), 100], True)])
def test_of_thousands_the_latest_part_of_the_time_is_looked_at_first(team, hours, all_named, monkeypatch):
    small(monkeypatch, CANDIDATES=2, WALKED=2, OFTEN=1, SKIPPED=0, GLANCED=10)
    told_at(record(team, *[said(f"The harbour report number {number}") for number in range(10)]), hours)
    with CaptureQueriesContext(connection) as seen:
        found = searching.find(team=team, words="harbour", filters=Filters(kind="message"))
    assert sorted(hit.seq for hit in found.hits) == [9, 10] and found.only_latest
    assert bool(statements(seen, "MATERIALIZED")) == all_named


def test_pages_of_what_is_looked_for_in_a_part_of_the_time_meet_without_gap(team, monkeypatch):
    small(monkeypatch, CANDIDATES=5, WALKED=2, OFTEN=1, SKIPPED=0, GLANCED=10)
    told_at(record(team, *[said(f"The harbour report number {number}") for number in range(10)]), [*range(10)])
    first = searching.find(team=team, words="harbour", filters=Filters(kind="message"), limit=3)
    second = searching.find(team=team, words="harbour", filters=Filters(kind="message"), limit=3, cursor=first.next_cursor or "")
    assert sorted(hit.seq for hit in (*first.hits, *second.hits)) == [6, 7, 8, 9, 10] and second.next_cursor is None
