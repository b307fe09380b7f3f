"""Opening, listing, reading, changing and ending conversations over the API."""

from datetime import timedelta

import pytest
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries, Settings

from continuity.models import Conversation, ConversationStatus, Team
from tests.api.caller import Caller, person
from tests.factories import ConversationFactory


def test_it_works(api: Caller) -> None:
    opened = api.post("/conversations", {"title": "Quiet hours", "source_tool": "claude-code", "external_id": "s1", "metadata": {"pr": 12}})
    assert opened.status_code == 201
    told = opened.json()
    read = api.get(f"/conversations/{told['id']}")
    assert read.json() == told
    assert (told["title"], told["status"], told["version"], told["metadata"]) == ("Quiet hours", "active", 1, {"pr": 12})
    assert (told["max_context_tokens"], told["window_source"], told["utilization"]) == (None, "", None)
    assert read["ETag"] == '"1"'


def test_the_same_session_is_refused_twice(api: Caller) -> None:
    api.open(source_tool="codex", external_id="s1")
    again = api.post("/conversations", {"source_tool": "codex", "external_id": "s1"})
    assert (again.status_code, again.json()["code"], again.json()["field"]) == (409, "conflict", "external_id")


def test_a_change_with_the_current_version_succeeds_and_with_an_old_one_is_412(api: Caller) -> None:
    path = f"/conversations/{api.open()}"
    first = api.patch(path, {"title": "One"}, If_Match='"1"')
    assert (first.status_code, first.json()["title"], first["ETag"]) == (200, "One", '"2"')
    late = api.patch(path, {"title": "Two"}, If_Match='"1"')
    assert (late.status_code, late.json()["code"], late.json()["current"]) == (412, "version_mismatch", 2)
    assert api.get(path).json()["title"] == "One"
    assert api.patch(path, {"branch": "x"}).json()["title"] == "One"


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"title": "x" * 301}, "title"),
        ({"title": None}, "title"),
        ({"max_context_tokens": 0}, "max_context_tokens"),
        ({"status": "expired"}, "status"),
        ({"expires_at": "2026-01-01T00:00:00"}, "expires_at"),
        ({"expires_at": (timezone.now() + timedelta(days=40)).isoformat()}, "expires_at"),
        ({"metadata": {"x": "y" * 70_000}}, "metadata"),
    ],
)
def test_a_bad_change_names_its_field(api: Caller, body: dict[str, object], field: str) -> None:
    refused = api.patch(f"/conversations/{api.open()}", body)
    assert (refused.status_code, refused.json()["field"]) == (422, field)


def test_an_if_match_that_is_no_version_is_refused(api: Caller) -> None:
    refused = api.patch(f"/conversations/{api.open()}", {"title": "x"}, If_Match='"abc"')
    assert (refused.status_code, refused.json()["field"]) == (422, "If-Match")


def test_the_list_goes_page_by_page_without_loss_or_repetition(api: Caller, team: Team) -> None:
    same_moment = timezone.now()
    made = {str(made.id) for made in ConversationFactory.create_batch(25, team=team)}
    Conversation.objects.filter(team=team).update(updated_at=same_moment)
    pages = [api.get("/conversations", limit=10).json()]
    while pages[-1]["next_cursor"]:
        pages.append(api.get("/conversations", limit=10, cursor=pages[-1]["next_cursor"]).json())
    seen = [row["id"] for page in pages for row in page["items"]]
    assert (len(seen), set(seen), len(pages)) == (25, made, 3)


def test_the_list_filters_by_status_tool_and_title(api: Caller, team: Team) -> None:
    ConversationFactory.create(team=team, title="Tide alerts", source_tool="codex")
    ConversationFactory.create(team=team, title="tide gauges", status=ConversationStatus.IDLE)
    assert {row["title"] for row in api.get("/conversations", q="TIDE").json()["items"]} == {"Tide alerts", "tide gauges"}
    assert [row["title"] for row in api.get("/conversations", status="idle").json()["items"]] == ["tide gauges"]
    assert [row["title"] for row in api.get("/conversations", source_tool="codex").json()["items"]] == ["Tide alerts"]


@pytest.mark.parametrize("cursor", ["x", "WzFd", "bnVsbA", "W251bGwsbnVsbF0", "WyIyMDI2LTAxLTAxIiwieCJd", "é"])
def test_a_cursor_that_was_never_given_is_refused(api: Caller, cursor: str) -> None:
    refused = api.get("/conversations", cursor=cursor)
    assert (refused.status_code, refused.json()["field"]) == (422, "cursor")


def test_a_limit_out_of_range_is_refused(api: Caller) -> None:
    assert api.get("/conversations", limit=201).json()["field"] == "limit"


def test_an_invalidated_conversation_is_over(api: Caller) -> None:
    conversation = api.open()
    path = f"/conversations/{conversation}"
    assert api.post(f"{path}/invalidate").json()["status"] == "invalidated"
    assert api.post(f"{path}/invalidate").json()["version"] == 2
    for refused in (api.say(conversation, person("Hello")), api.patch(path, {"title": "x"}), api.post(f"{path}/handoffs")):
        assert (refused.status_code, refused.json()["code"]) == (410, "session_invalidated")
    assert api.get(path).status_code == 200


def test_an_expired_conversation_takes_nothing_more(api: Caller, team: Team) -> None:
    gone = ConversationFactory.create(team=team, status=ConversationStatus.EXPIRED)
    refused = api.say(str(gone.id), person("Hello"))
    assert (refused.status_code, refused.json()["detail"]) == (410, "Session expired")


def test_more_conversations_in_an_hour_than_the_limit_are_refused(api: Caller, settings: Settings) -> None:
    settings.CONTINUITY_MAX_CONVERSATIONS_PER_HOUR = 2
    api.open()
    api.open()
    refused = api.post("/conversations", {})
    assert (refused.status_code, refused["Retry-After"], refused.json()["limit"]) == (429, "3600", 2)


def test_the_list_takes_the_same_queries_however_many_rows(
    api: Caller, team: Team, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    ConversationFactory.create_batch(60, team=team)
    api.get("/conversations")
    with django_assert_max_num_queries(2):
        assert len(api.get("/conversations", limit=60).json()["items"]) == 60


def test_a_session_is_found_by_its_own_id_and_by_its_folder(api: Caller, stranger: Caller) -> None:
    known = api.open(source_tool="codex", external_id="s1", cwd="/srv/app")
    api.open(source_tool="codex", external_id="s2", cwd="/srv/other")
    again = api.post("/conversations", {"source_tool": "codex", "external_id": "s1"})
    assert again.json()["conversation_id"] == known
    for query in ({"source_tool": "codex", "external_id": "s1"}, {"cwd": "/srv/app"}):
        assert [row["id"] for row in api.get("/conversations", **query).json()["items"]] == [known]
        assert stranger.get("/conversations", **query).json()["items"] == []
