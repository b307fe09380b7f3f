"""The context window over the API and on the page."""

from typing import Any

from continuity.models import Team, User
from tests.api.caller import Caller
from tests.web.world import browser


def answer(number: int, used: int, model: str) -> dict[str, Any]:
    return {
        "role": "assistant",
        "content": "Done.",
        "external_id": f"a{number}",
        "model": model,
        "usage": {"input": used},
        "usage_id": f"u{number}",
    }


def test_it_works(api: Caller) -> None:
    conversation = api.open(model="claude-opus-4-8")
    told = api.post(f"/conversations/{conversation}/messages", {"messages": [answer(1, 170_000, "claude-opus-4-8")]}).json()
    assert (told["usage"]["max_context_tokens"], told["usage"]["window_source"], told["usage"]["utilization"]) == (1_000_000, "model", 0.17)
    assert not told["decision"]["should_handoff"]


def test_an_unknown_window_has_no_share_and_makes_no_handoff(api: Caller) -> None:
    conversation = api.open()
    told = api.post(f"/conversations/{conversation}/messages", {"messages": [answer(1, 900_000, "ours")]}).json()
    assert told["decision"] | {"reason": ""} == {
        "should_handoff": False,
        "reason": "",
        "utilization": None,
        "remaining_tokens": None,
        "remaining_turns": None,
        "due": False,
        "held": None,
        "event": "",
        "above_window": False,
        "note_wanted": "",
    }
    assert told["handoff_id"] is None


def test_a_batch_may_tell_the_window_alone(api: Caller) -> None:
    conversation = api.open()
    told = api.post(f"/conversations/{conversation}/messages", {"max_context_tokens": 500_000, "window_source": "statusline"})
    assert told.status_code == 201
    assert (told.json()["added"], told.json()["usage"]["window_source"]) == (0, "statusline")
    assert api.post(f"/conversations/{conversation}/messages", {"max_context_tokens": 5, "window_source": "setting"}).status_code == 422
    assert api.post(f"/conversations/{conversation}/messages", {}).status_code == 422


def test_a_team_sets_windows(api: Caller) -> None:
    conversation = api.open(model="ours-7b")
    assert api.get("/windows").json() == {"windows": {}}
    assert api.call("PUT", "/windows", {"windows": {"ours": 32_768}}).json() == {"windows": {"ours": 32_768}}
    assert api.get("/windows").json() == {"windows": {"ours": 32_768}}
    known = api.get(f"/conversations/{conversation}").json()
    assert (known["max_context_tokens"], known["window_source"]) == (32_768, "team")
    refused = api.call("PUT", "/windows", {"windows": {"ours": 0}})
    assert refused.status_code == 422


def test_the_page_says_from_where_the_window_is_known_and_lets_one_set_it(api: Caller, team: Team, owner: User) -> None:
    there = f"/conversations/{api.open()}"
    client = browser(owner)
    page = client.get(there).content.decode()
    assert "context window is unknown" in page
    assert "of the context window is in use" not in page
    assert "window unknown" in client.get("/conversations").content.decode()

    assert client.post(f"{there}/window", {"tokens": "1M"}).status_code == 302
    page = client.get(there).content.decode()
    assert "was set for this conversation" in page
    assert "1,000,000" in page

    client.post(f"{there}/window", {"tokens": "much"})
    assert "Nothing was changed" in client.get(there).content.decode()
    client.post(f"{there}/window", {"tokens": ""})
    assert "context window is unknown" in client.get(there).content.decode()
