"""What people record by hand over the API."""

from tests.api.caller import Caller, agent, person

WORDS = "Keep tide tables in metres, never in feet."


def test_it_works(api: Caller) -> None:
    conversation = api.open(cwd="/srv/tides")
    api.say(conversation, person("Please build the tide page."), agent("I start with the table."))
    made = api.post(f"/conversations/{conversation}/anchors", {"text": WORDS, "rationale": "Harbours publish metres."})
    assert made.status_code == 201, made.content
    told = made.json()
    assert (told["type"], told["text"], told["pinned"], told["source_seq"], told["method"]) == ("Decision", WORDS, True, 2, "by hand")

    handoff = api.post(f"/conversations/{conversation}/handoffs", {}).json()
    assert handoff["status"] == "ready"
    assert WORDS in api.get(f"/handoffs/{handoff['id']}/directive").content.decode()
    resumed = api.post(f"/handoffs/{handoff['id']}/resume", {"source_tool": "codex", "external_id": "s2"}).json()
    assert resumed["conversation"]["external_id"] == "s2"
    carried = api.get(f"/conversations/{resumed['conversation']['id']}/anchors").json()["items"]
    assert WORDS in [anchor["text"] for anchor in carried]


def test_the_same_words_twice_are_one_anchor(api: Caller) -> None:
    conversation = api.open()
    first, second = (api.post(f"/conversations/{conversation}/anchors", {"text": WORDS, "type": "Constraint"}).json() for _ in range(2))
    assert first["key"] == second["key"]
    assert len(api.get(f"/conversations/{conversation}/anchors").json()["items"]) == 1


def test_blank_words_and_unknown_types_are_refused(api: Caller) -> None:
    path = f"/conversations/{api.open()}/anchors"
    assert api.post(path, {"text": "  \n"}).json()["field"] == "text"
    assert api.post(path, {"text": WORDS, "type": "Guess"}).json()["field"] == "type"


def test_nothing_is_recorded_in_an_ended_conversation_or_in_another_team_s(api: Caller, stranger: Caller) -> None:
    conversation = api.open()
    path = f"/conversations/{conversation}/anchors"
    assert stranger.post(path, {"text": WORDS}).status_code == 404
    api.post(f"/conversations/{conversation}/invalidate")
    assert api.post(path, {"text": WORDS}).status_code == 410
