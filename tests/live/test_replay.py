"""Session files replayed against a server that listens, and compared with what it recorded."""

import json

import pytest
from django.core.management import CommandError, call_command

from continuity.models import Message, Team
from continuity.services.accounts.bootstrap import DEMO_SESSION
from diagnostics.replaying import comparing, live_replay
from tests.api.caller import Caller

pytestmark = pytest.mark.django_db(transaction=True)


def test_it_works(live_server, capsys):
    with pytest.raises(SystemExit) as ended:
        call_command("replay", str(DEMO_SESSION), "--url", live_server.url, "--speed", "0", "--json")
    told = json.loads(capsys.readouterr().out)
    assert ended.value.code == 0
    assert told["same"] and told["files"][0]["recorded"] == told["files"][0]["expected"] > 80
    assert not Team.objects.filter(slug__startswith="replay-").exists()


@pytest.fixture
def recorded(team):
    Caller.of(team).import_file()
    return Message.objects.filter(team=team).order_by("seq")


def test_an_import_records_the_same(team, recorded):
    assert comparing.compare(team, DEMO_SESSION).differences == []


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"role": "system"}, "recorded as system"),
        ({"external_id": "other"}, "another message stands here"),
        ({"parts": []}, "other parts"),
        ({"abandoned": True}, "rewound in one of them only"),
    ],
)
def test_a_difference_is_named(team, recorded, change, told):
    Message.objects.filter(id=recorded[2].id).update(**change)
    (difference,) = comparing.compare(team, DEMO_SESSION).differences
    assert difference.startswith(f"message 3: {told}")


def test_a_lost_message_is_missed(team, recorded):
    recorded.last().delete()
    result = comparing.compare(team, DEMO_SESSION)
    assert result.differences == [f"message {result.expected}: in the file, but not recorded"]


def test_only_what_its_tool_writes_line_by_line_grows(tmp_path):
    document = tmp_path / "chat.json"
    document.write_text(json.dumps([{"role": "user", "content": "Hello"}]))
    assert live_replay.grows(DEMO_SESSION)
    assert not live_replay.grows(document)


def test_what_is_no_file_is_refused():
    with pytest.raises(CommandError, match="is no file"):
        call_command("replay", "nowhere.jsonl")
