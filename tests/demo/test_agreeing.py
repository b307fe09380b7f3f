"""What the demo shows agrees with itself: windows, tokens, words, files, changes, commits and times."""

import itertools
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta

import pytest
from django.db.models import Sum
from django.db.models.expressions import RawSQL
from django.utils import timezone
from hypothesis import given
from hypothesis import strategies as st

from continuity.models import Conversation, Event, User
from continuity.transcripts.base.model import Message, PartKind
from diagnostics.demo import sessions
from diagnostics.demo.files import Tree
from diagnostics.demo.schedule import MODELS, SCHEDULE
from diagnostics.demo.stretches import stretch_of
from diagnostics.services import demo

# What a tool's own instructions, its tools' descriptions and a project's rules take of a window, from and to.
UNSAID = (9_000, 20_000)
NOW = datetime(2026, 11, 28, 10, tzinfo=UTC)
EACH = [pytest.param(key, number, id=f"{key}-{number}") for key, planned in SCHEDULE.items() for number in range(len(planned))]


def stretch(key: str, number: int, now: datetime = NOW) -> sessions.Stretch:
    return stretch_of(key, SCHEDULE[key], number, now)


def calls(messages: list[Message]) -> Iterator[tuple[str, Mapping[str, object]]]:
    for message in messages:
        for part in message.parts:
            if part.kind is PartKind.TOOL_CALL:
                yield part.name, part.input or {}


@pytest.mark.django_db
def test_it_works(owner: User) -> None:
    """Every page shows as many tokens in a window as its transcript explains, and events in the order of time."""
    now = timezone.now()
    team = demo.load(owner=owner, now=now)
    rows = Conversation.objects.filter(team=team).annotate(said=Sum("messages__tokens"))
    assert rows.count() > sum(len(planned) for planned in SCHEDULE.values())
    for row in rows:
        unsaid = row.context_tokens - vars(row)["said"]
        assert UNSAID[0] < unsaid < UNSAID[1], (row.title, row.context_tokens, unsaid)
        assert row.total_tokens == vars(row)["said"]
        assert row.context_tokens < (row.max_context_tokens or 0), row.title
    # Everything is told in the order in which it is said to have happened.
    told = Event.objects.filter(team=team, created_at__lt=now - timedelta(hours=1))
    # They get their positions, in which they were stored, when that is committed.
    times = list(told.order_by(RawSQL("continuity_event.inserted", ())).values_list("created_at", flat=True))
    wrong = [(str(earlier), str(later)) for earlier, later in itertools.pairwise(times) if earlier - later >= timedelta(hours=2)]
    assert not wrong


@pytest.mark.parametrize(("key", "number"), EACH)
def test_a_session_agrees_with_itself(key: str, number: int) -> None:
    planned = stretch(key, number)
    messages = sessions.write(planned)
    window = MODELS[planned.model].window
    reported = [message.usage.context for message in messages if message.usage]
    # It fills step by step, up to what the schedule says or one more file, and never over its end.
    assert reported == sorted(reported)
    assert reported[-1] < window
    assert reported[-1] >= min(planned.filled, reported[-1])
    assert abs(reported[-1] - planned.filled) < 16_000
    times = [message.at for message in messages if message.at]
    assert times == sorted(times)
    assert times[0].weekday() < 5
    assert times[0].hour >= 7
    assert times[-1].hour < 18
    assert sessions.write(stretch(key, number)) == messages


@pytest.mark.parametrize(("key", "number"), EACH)
def test_changes_fit_the_files_that_were_read(key: str, number: int) -> None:
    """Whoever makes the changes of a transcript, one after the other, gets the files that are read after them."""
    planned = stretch(key, number)
    tree, edits = planned.tree.copy(), 0
    for name, arguments in calls(sessions.write(planned)):
        old, new = (arguments.get(key) for key in ("old_string", "new_string"))
        if name == "Edit":
            path = str(arguments["file_path"]).removeprefix(f"{planned.cwd}/")
            lines = list(tree.lines(path))
            assert lines.count(str(old)) == 1
            at = lines.index(str(old))
            lines[at : at + 1] = str(new).split("\n")
            tree.changed[path] = tuple(lines)
            edits += 1
    if planned.tool == "claude-code":
        assert edits
        assert tree.changed == planned.tree.changed


def test_a_commit_counts_what_was_changed() -> None:
    planned = stretch("tidewatch:fix/clock-change", 0)
    committed = [part.text for message in sessions.write(planned) for part in message.parts if part.text.startswith("[fix/clock-change ")]
    assert committed
    assert committed[-1].split()[1] == f"{planned.tree.head[:7]}]"
    assert not planned.tree.dirty
    assert len(set(committed)) == len(committed)


def test_the_next_session_finds_the_files_as_the_last_one_left_them() -> None:
    first, second = stretch("tidewatch:db/partitions", 0), stretch("tidewatch:db/partitions", 1)
    sessions.write(first)
    assert second.tree.changed == first.tree.changed
    assert second.tree.changed != Tree.of("tidewatch", "db/partitions").changed
    assert second.tree.head == first.tree.head


@given(st.datetimes(datetime(2026, 1, 1), datetime(2027, 12, 31), timezones=st.just(UTC)))  # noqa: DTZ001
def test_whenever_it_is_loaded_it_is_a_fortnight_of_working_days(now: datetime) -> None:
    begins = [session.begin(now) for planned in SCHEDULE.values() for session in planned]
    assert all(begin.weekday() < 5 for begin in begins)
    assert len(set(begins)) == len(begins)
    assert timedelta(hours=9) < now - max(begins) + timedelta(hours=14)
    assert timedelta(days=11) < now - min(begins) < timedelta(days=15)
