"""What a receiver believes: deliveries as Continuity signs them, of now, once."""

from __future__ import annotations

import time
from datetime import timedelta
from http.server import HTTPServer
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest
from django.utils import timezone

from continuity.client.webhooks import BadDelivery, Repeated, SeenHere, TooOld, Unsigned, WrongSignature, verify
from continuity.events.signatures import HEADER, sign
from continuity.models import Acknowledgement, Delivery, Team
from continuity.services.subscriptions import subscriptions, webhooks
from tests.events import receiving
from tests.events.test_bus import say
from tests.events.test_webhooks import LOCAL, hooked
from tests.serving import serving

PROJECT = Path(__file__).resolve().parents[3]
HERE = pytest.mark.django_db(transaction=True)
SECRET, BODY, AT = "whsec_1", b'{"id": "1", "payload": "h\xc3\xa4fen"}', 1_700_000_000


def signed(body: bytes = BODY, at: int = AT, secret: str = SECRET) -> dict[str, str]:
    return {HEADER: sign(secret, body, at)}


def believe(headers: Any, body: bytes = BODY, *, now: float = AT, **how: Any) -> dict[str, Any]:
    return verify(body, headers, SECRET, now=now, seen=how.pop("seen", SeenHere()), **how)


@HERE
def test_it_works(team: Team, settings: Any) -> None:
    """Real deliveries, also one that is sent again as it was not taken, and none of them once more."""
    settings.CONTINUITY_WEBHOOK_HOSTS = LOCAL
    with receiving.receiver(receiving.refuse) as there:
        row = hooked(team, there.url)
        (id,) = say(team, "task:a", payload={"n": "ä"})
        assert webhooks.send(subscription_id=row.id) == 0
        there.answering = receiving.accept
        time.sleep(1.1)  # The pause before the second attempt, which is signed in a second of its own.
        Delivery.objects.update(due_at=timezone.now())
        assert webhooks.send(subscription_id=row.id) == 1
    secret = subscriptions.secret_of(row)
    events = [verify(body, headers, secret) for headers, body in there.got]
    assert [(event["id"], event["topic"], event["payload"], event["attempt"]) for event in events] == [
        (str(id), "task:a", {"n": "ä"}, 1),
        (str(id), "task:a", {"n": "ä"}, 2),
    ]
    for headers, body in there.got:
        with pytest.raises(Repeated, match="came before"):
            verify(body, headers, secret)
    subscriptions.rotate_secret(team=team, subscription_id=row.id)
    row.refresh_from_db()
    headers, body = there.got[0]
    with pytest.raises(WrongSignature):
        verify(body, headers, subscriptions.secret_of(row))


@HERE
def test_the_receiver_of_the_documentation(team: Team, settings: Any) -> None:
    """As it stands in docs/events.md, with a port and a secret of the test's."""
    blocks = (PROJECT / "docs" / "events.md").read_text(encoding="utf-8").split("```python\n")[1:]
    (source,) = [block.partition("```")[0] for block in blocks if "verify(" in block]
    lines = source.rstrip().splitlines()
    assert "serve_forever" in lines[-1]
    printed: list[str] = []
    names: dict[str, Any] = {"print": lambda *told: printed.append(" ".join(map(str, told)))}
    exec("\n".join(lines[:-1]), names)
    names["Receiver"].log_message = lambda *_: None
    server = HTTPServer(("127.0.0.1", 0), names["Receiver"])
    url = f"http://127.0.0.1:{server.server_address[1]}/hook"
    settings.CONTINUITY_WEBHOOK_HOSTS = LOCAL
    with serving(server):
        row = hooked(team, url)
        names["SECRET"] = subscriptions.secret_of(row)
        say(team, "task:a", payload=7)
        assert webhooks.send(subscription_id=row.id) == 1
        with pytest.raises(HTTPError) as refused:
            urlopen(Request(url, BODY, signed()))
        with refused.value as answer:
            assert answer.code == 400
    assert printed == ["task:a 7"]
    assert Acknowledgement.objects.filter(subscription=row).count() == 1


@pytest.mark.parametrize("name", [HEADER, HEADER.lower(), HEADER.upper()])
def test_headers_come_in_any_case(name: str) -> None:
    assert believe({name: f" {sign(SECRET, BODY, AT)}", "Host": "x"}) == {"id": "1", "payload": "häfen"}


@pytest.mark.parametrize(
    ("headers", "body"),
    [
        (signed(secret="whsec_2"), BODY),
        (signed(), BODY + b" "),
        (signed(b"{}"), BODY),
        ({HEADER: sign(SECRET, BODY, AT).replace(f"t={AT}", f"t={AT + 1}")}, BODY),
        ({HEADER: sign(SECRET, BODY, AT).replace("t=", "t=0")}, BODY),
        ({HEADER: f"t={AT},v1={'0' * 64}"}, BODY),
    ],
)
def test_what_is_wrong_is_refused(headers: Any, body: bytes) -> None:
    with pytest.raises(WrongSignature, match="not that of this body"):
        believe(headers, body)


class Twice:
    """Headers of a server that keeps each, however often it comes."""

    def items(self) -> list[tuple[str, str]]:
        return [*signed().items(), *signed().items()]


@pytest.mark.parametrize(
    "headers",
    [{}, {"X": "y"}, Twice(), *({HEADER: each} for each in ("", "x", f"t={AT}", "t=,v1=" + "0" * 64, f"t={AT},v1=" + "0" * 63,
     f"t=-{AT},v1=" + "0" * 64, f"t={'9' * 13},v1=" + "0" * 64, f"t={AT},v1=" + "A" * 64, f"t=१,v1={'0' * 64}"))],
)  # fmt: skip
def test_what_has_no_signature_is_refused(headers: Any) -> None:
    with pytest.raises(Unsigned, match=HEADER):
        believe(headers)


def test_what_is_old_or_of_the_future_is_refused() -> None:
    for off in (-300, 300):
        assert believe(signed(), now=AT + off)["id"] == "1"
    with pytest.raises(TooOld, match="301 seconds ago: 300 are allowed"):
        believe(signed(), now=AT + 301)
    with pytest.raises(TooOld, match="301 seconds ahead"):
        believe(signed(), now=AT - 301)
    with pytest.raises(TooOld):
        believe(signed(), now=AT + 11, tolerance_s=10)
    with pytest.raises(TooOld):
        verify(BODY, signed(at=int((timezone.now() - timedelta(minutes=6)).timestamp())), SECRET)


def test_what_came_before_is_refused_as_long_as_it_would_not_be_too_old() -> None:
    seen = SeenHere()
    assert believe(signed(), now=AT - 300, seen=seen)
    with pytest.raises(Repeated):
        believe(signed(), now=AT + 300, seen=seen)
    assert believe(signed(at=AT + 1), now=AT + 300, seen=seen)
    assert believe(signed(at=AT + 500), now=AT + 500, seen=seen)
    assert len(seen._known) == len(seen._ends) == 1  # Those that are too old now are forgotten.


def test_who_is_refused_is_not_remembered() -> None:
    """Nobody can take a delivery away by sending it with another body, or too late."""
    seen = SeenHere()
    for body, now in ((b"{}", AT), (BODY, AT + 301)):
        with pytest.raises(BadDelivery):
            believe(signed(), body, now=now, seen=seen)
    assert believe(signed(), seen=seen)["id"] == "1"
