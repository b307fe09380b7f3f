"""Segments follow the fold: written with it, told in the background, made again when they expired, right after a rewind."""

from datetime import timedelta

import pytest
from django.utils import timezone

from continuity.core.errors import GateClosed, Invalid, NotFound
from continuity.models import Anchor, CompressedSegment, FoldState, Segment, Tier
from continuity.segments import Level
from continuity.services.erasure import retention
from continuity.services.knowledge import fold_runner
from continuity.services.recording import conversations
from continuity.services.segments import segments
from continuity.transcripts.base.model import Message
from tests.segments.sessions import IMPORTER, MAPS, turn
from tests.words import answered, said

KEY = "sk-ant-" + "api03-" + "q8Zr5Tn2Wm7Kc4Vb" * 4


@pytest.fixture
def conversation(team):
    return recorded(team, [*IMPORTER, *MAPS])


def recorded(team, messages, **more):
    return add(conversations.create(team=team), messages, **more)


def add(conversation, messages, **more):
    for start in range(0, len(messages) or 1, 500):
        conversations.append(team=conversation.team, conversation_id=conversation.id, messages=messages[start : start + 500], **more)
    fold_runner.catch_up(conversation_id=conversation.id)
    conversation.refresh_from_db()
    return conversation


def work(count: int, first: int = 0) -> list[Message]:
    """`count` turns of six messages about different things."""
    return [
        message
        for n in range(first, first + count)
        for message in turn(1000 + n, f"Please build widget_{n} for screen_{n}.", f"src/w{n}.py", f"widget_{n} is built; its test fails.")
    ]


def rows(conversation):
    return list(conversation.segments.order_by("first_seq").values_list("first_seq", "last_seq", "topic", "tokens", "closed"))


def first_of(conversation):
    return conversation.segments.select_related("team", "conversation").get(first_seq=1)


def expand(segment, level, **more):
    return segments.expand(team=segment.team, conversation_id=segment.conversation_id, segment_id=segment.id, level=level, **more)


def test_it_works(conversation):
    assert [row[:2] + row[4:] for row in rows(conversation)] == [(1, 12, True), (13, 18, False)]
    assert segments.summarise_pending(conversation_id=conversation.id) == 1
    told = CompressedSegment.objects.filter(segment__conversation=conversation).order_by("level")
    assert [each.level for each in told] == [1, 2, 3]
    assert "User: Now the invoice importer reads the footer as a row." in told[0].content
    assert told[2].markers[0]["level"] == 2


def test_many_small_steps_find_what_one_finds(team):
    whole, steps = recorded(team, work(12)), conversations.create(team=team)
    messages = work(12)
    for start in range(0, len(messages), 7):
        add(steps, messages[start : start + 7])
    assert rows(steps) == rows(whole)
    assert len(rows(whole)) > 5


def test_telling_twice_changes_nothing(conversation):
    segments.summarise_pending()
    before = list(CompressedSegment.objects.order_by("level").values_list("id", "content"))
    assert segments.summarise_pending() == 0
    Segment.objects.update(told_at=None)  # as if the worker had been killed before it said so
    assert segments.summarise_pending() == 1
    assert list(CompressedSegment.objects.order_by("level").values_list("id", "content")) == before


def test_expanding_leads_down_to_the_original(conversation):
    segment = first_of(conversation)
    lengths = [expand(segment, level).content_tokens for level in (3, 2, 1, 0)]
    assert lengths == sorted(lengths)
    original = expand(segment, 0).content
    assert all(part.text in original for message in IMPORTER for part in message.parts)
    assert MAPS[0].parts[0].text not in original


def test_a_marker_expands_only_its_messages(conversation):
    found = expand(first_of(conversation), 1, first_seq=7, last_seq=12)
    assert (found.first_seq, found.last_seq) == (7, 12)
    assert "skip" in found.content
    assert "drops the last row" not in found.content


def test_what_expired_is_purged_and_made_again(conversation):
    segments.summarise_pending()
    segment = first_of(conversation)
    before = expand(segment, 2).told
    in_a_month = timezone.now() + timedelta(days=30, minutes=1)
    assert retention.purge(now=in_a_month) >= 3
    assert not CompressedSegment.objects.exists()
    assert segments.summarise_pending() == 0
    assert expand(segment, 2).told == before
    assert CompressedSegment.objects.get().level == 2


@pytest.mark.parametrize(("tier", "days"), [(Tier.WRITER_PRO, 7), (Tier.TEAMS, 30), (Tier.ENTERPRISE, 30)])
def test_levels_are_kept_as_long_as_the_tier_says(team, tier, days):
    team.tier = tier
    team.save()
    recorded(team, [*IMPORTER, *MAPS])
    segments.summarise_pending()
    expires = CompressedSegment.objects.get(level=2).expires_at
    assert expires is not None
    left = expires - timezone.now()
    assert timedelta(days=days, minutes=-1) < left <= timedelta(days=days)


def test_tags_need_the_tier_that_opens_them(team):
    team.tier = Tier.WRITER_PRO
    team.save()
    conversation = recorded(team, [*IMPORTER, *MAPS])
    segments.summarise_pending()
    assert set(CompressedSegment.objects.values_list("level", flat=True)) == {1, 2}
    with pytest.raises(GateClosed):
        expand(first_of(conversation), 3)
    assert expand(first_of(conversation), 2).content


def test_a_replaced_anchor_no_longer_stands_as_if_current(team):
    old = "Let's use Redis for the job queue."
    conversation = recorded(team, [said(old), *work(4)])
    segments.summarise_pending()
    assert old in expand(first_of(conversation), 2).content
    add(conversation, [said("Let's use Postgres for the job queue instead of Redis."), answered("Will do.")])
    assert Anchor.objects.get(text=old).state == "superseded"
    assert segments.summarise_pending(conversation_id=conversation.id) >= 1
    content = expand(first_of(conversation), 1).content
    assert content.count(old) == content.count(f"(replaced later) {old}")


def test_a_rewound_stretch_leaves_no_segment(team):
    """Across a checkpoint: the same messages without the stretch give the same segments."""
    kept, stretch = work(180), [said("Let's draw maps of rivers and lakes in dark blue colours."), *work(9, first=500)]
    conversation = recorded(team, [*kept, *stretch])
    segments.summarise_pending()
    gone = [message.external_id for message in stretch]
    add(conversation, work(3, first=700), abandoned=gone)
    twin = recorded(team, kept)
    theirs = [row for row in rows(twin) if row[4]]
    assert rows(conversation)[: len(theirs)] == theirs
    last = len(kept) + len(stretch)
    assert not any("rivers" in row[2] or "widget_500" in row[2] for row in rows(conversation))
    assert rows(conversation)[-1][1] == last + 18
    segments.summarise_pending()
    assert not CompressedSegment.objects.filter(segment__conversation=conversation, content__contains="rivers and lakes").exists()


def test_a_refold_gives_the_same_segments(team):
    conversation = recorded(team, work(10))
    before = rows(conversation)
    fold_runner.rewind(conversation=conversation, to=1)
    assert rows(conversation) == []
    fold_runner.catch_up(conversation_id=conversation.id)
    assert rows(conversation) == before


def test_secrets_stand_in_no_level(team):
    conversation = recorded(team, [said(f"Always use the key {KEY} for staging calls, never another one."), *work(4)])
    segments.summarise_pending()
    segment = first_of(conversation)
    for level in (0, 1, 2, 3):
        content = expand(segment, level).content
        assert KEY not in content
    assert "[secret: anthropic-key]" in expand(segment, 1).content
    assert KEY not in segment.topic


def test_an_open_segment_is_told_and_not_kept(conversation):
    last = Segment.objects.get(conversation=conversation, closed=False)
    assert "legend" in expand(last, 2).content
    assert not CompressedSegment.objects.filter(segment=last).exists()


def test_what_is_not_there_or_not_theirs_is_not_found(conversation, other_team):
    segment = first_of(conversation)
    with pytest.raises(NotFound):
        segments.get(team=other_team, conversation_id=conversation.id, segment_id=segment.id)


@pytest.mark.parametrize(("level", "more", "field"), [(4, {}, "level"), (1, {"first_seq": 5, "last_seq": 40}, "first_seq")])
def test_what_cannot_be_expanded_is_refused_by_name(conversation, level, more, field):
    with pytest.raises(Invalid) as refused:
        expand(first_of(conversation), level, **more)
    assert refused.value.data["field"] == field


def test_the_open_state_is_what_the_fold_keeps(conversation):
    assert FoldState.objects.get(conversation=conversation).segment["first_seq"] == 13


def test_what_expired_of_many_is_made_again_at_once(team, django_assert_max_num_queries):
    conversation = recorded(team, work(12))
    segments.summarise_pending()
    listed = list(Segment.objects.filter(conversation=conversation).order_by("first_seq"))
    before = [each.told for each in segments.levels_of(conversation=conversation, rows=listed, level=Level.BRIEF)]
    CompressedSegment.objects.all().delete()
    with django_assert_max_num_queries(11):  # with a transaction around the five, and two for the open segment
        again = [each.told for each in segments.levels_of(conversation=conversation, rows=listed, level=Level.BRIEF)]
    assert again == before
    assert CompressedSegment.objects.count() == len(listed) - 1 > 4
