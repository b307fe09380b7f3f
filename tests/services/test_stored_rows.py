"""Rows that a written-out statement finds are those that Django reads."""

from __future__ import annotations

from typing import Any

import pytest

from continuity.models import Conversation, Message, Team, User
from continuity.models.base import StoredModel
from continuity.services.recording import stored_rows
from tests.factories import ConversationFactory, MessageFactory

pytestmark = pytest.mark.django_db


def test_it_works() -> None:
    kept = ConversationFactory.create()
    (found,) = stored_rows.rows(Conversation, "WHERE id = %s", [kept.id])
    assert found == kept


@pytest.mark.parametrize("model", [Conversation, Message, Team, User])
def test_every_field_is_as_django_reads_it(model: type[StoredModel]) -> None:
    """JSON too, which the database gives as text."""
    message = MessageFactory.create(conversation=ConversationFactory.create(owner=_person(), metadata={"a": [1, "ü"]}))
    assert message.conversation.owner is not None
    kept = {Conversation: message.conversation, Message: message, Team: message.team, User: message.conversation.owner}[model]
    (found,) = stored_rows.rows(model, "WHERE id = %s", [kept.pk])
    assert _values(found) == _values(model._default_manager.get(pk=kept.pk))


def test_a_row_that_was_found_can_be_changed() -> None:
    kept = ConversationFactory.create(title="Before")
    (found,) = stored_rows.rows(Conversation, "WHERE id = %s", [kept.id])
    found.title = "After"
    found.save()
    kept.refresh_from_db()
    assert kept.title == "After"


def test_fields_beside_the_chosen_ones_are_read_when_asked_for(django_assert_num_queries: Any) -> None:
    kept = _person()
    columns = stored_rows.Columns(User, "name", name="person")
    (values,) = stored_rows.found(f"SELECT {columns.sql} FROM continuity_user AS person WHERE id = %s", [kept.id])
    found = columns.row(values)
    assert len(values) == columns.width == 2
    with django_assert_num_queries(0):
        assert (found.id, found.name) == (kept.id, "Ada")
    with django_assert_num_queries(1):
        assert found.email == kept.email


def test_related_rows_come_with_it_where_there_are_any(django_assert_num_queries: Any) -> None:
    owned, nobodys = ConversationFactory.create(owner=_person()), ConversationFactory.create(owner=None)
    joined = stored_rows.JoinedColumns(
        stored_rows.Columns(Conversation, name="one"),
        team=stored_rows.Columns(Team, "name", name="team"),
        owner=stored_rows.Columns(User, name="person"),
    )
    statement = (
        f"SELECT {joined.sql} FROM continuity_conversation AS one JOIN continuity_team AS team ON team.id = one.team_id "
        "LEFT JOIN continuity_user AS person ON person.id = one.owner_id WHERE one.id = %s"
    )
    for kept in (owned, nobodys):
        (values,) = stored_rows.found(statement, [kept.id])
        with django_assert_num_queries(0):
            found = joined.row(values)
            assert (found, found.team.name, found.owner) == (kept, kept.team.name, kept.owner)


def _person() -> User:
    return User.objects.create_user("ada@example.org", name="Ada")


def _values(row: StoredModel) -> dict[str, Any]:
    return {field.attname: getattr(row, field.attname) for field in row._meta.concrete_fields}
