"""What is chosen among equals does not depend on the order in which the rows were written."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from continuity.knowledge.model import AnchorType, Truth
from continuity.models import Anchor, Conversation, FileTouch
from continuity.services.knowledge import inheritance, queries
from tests.factories import ConversationFactory

pytestmark = pytest.mark.django_db
NAMES = [f"{letter}{n}" for n in (3, 1, 2) for letter in "gbdafce"]


def written(names: list[str]) -> Conversation:
    conversation = ConversationFactory.create()
    of = {"team": conversation.team, "conversation": conversation}
    for name in names:
        said = {
            "key": name,
            "type": AnchorType.FACT.value,
            "text": name,
            "found_seq": 5,
            "source_seq": 5,
            "importance": 0.7,
            "truth": Truth.CLAIMED.value,
        }
        Anchor.objects.create(**of, **said, method="test")
        Anchor.objects.create(**of, **{**said, "key": f"old {name}"}, method="test", state="superseded", settled_seq=6)
        Anchor.objects.create(**of, **{**said, "key": f"must {name}"}, method="test", critical=True)
        FileTouch.objects.create(**of, path=f"{name}.py", action="modified", first_seq=5, last_seq=5)
        FileTouch.objects.create(**of, path=f"{name}.py", action="read", first_seq=5, last_seq=5)
    return conversation


def anchors(conversation: Conversation) -> list[str]:
    return [anchor.key for anchor in queries.anchors(conversation.id, critical=4, important=4, latest=4, superseded=4)]


def touches(conversation: Conversation) -> list[tuple[str, str]]:
    return [(touch.path, touch.action) for touch in queries.touches(conversation.id, changed=4, read=4)]


def inherited(conversation: Conversation) -> list[str]:
    heir = ConversationFactory.create(team=conversation.team, resumed_from=conversation)
    inheritance.inherit(heir=heir, predecessor=conversation)
    return [*sorted(heir.anchors.values_list("key", flat=True)), *sorted(heir.files.values_list("path", flat=True))]


def test_it_works() -> None:
    assert anchors(written(["a"])) == ["must a", "a", "old a"]


@pytest.mark.parametrize("chosen", [anchors, touches, inherited])
def test_equals_are_chosen_by_name(chosen: Callable[[Conversation], list[object]], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(inheritance, "LIMIT", 5)
    found = chosen(written(NAMES))
    assert found == chosen(written(NAMES[::-1])) == chosen(written(sorted(NAMES)))
    assert 4 <= len(found) < len(NAMES)
