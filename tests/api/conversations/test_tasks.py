"""Tasks changed and added by hand: they stay so, and every later handoff states them."""

from tests.api.caller import Caller, agent, person

TODOS = [{"content": "Draw the table", "status": "completed"}, {"content": "Test the table", "status": "in_progress"}]


def planned(api: Caller) -> tuple[str, str]:
    """A conversation with a plan, and the key of the plan's task."""
    conversation = api.open()
    call = {"type": "tool_use", "id": "t1", "name": "TodoWrite", "input": {"todos": TODOS}}
    api.say(conversation, person("Please build the tide page."), {"role": "assistant", "content": [call]})
    api.post(f"/conversations/{conversation}/handoffs")  # which folds
    tasks = api.get(f"/conversations/{conversation}/tasks").json()["items"]
    return conversation, next(task["key"] for task in tasks if "Test the table" in task["steps_left"])


def test_it_works(api: Caller) -> None:
    conversation, key = planned(api)
    changed = api.patch(f"/conversations/{conversation}/tasks/{key}", {"status": 2, "blocking_reason": "Waits for the tide."})
    assert (changed.status_code, changed.json()["status"], changed.json()["blocking_reason"]) == (200, 2, "Waits for the tide.")
    assert changed.json()["steps_left"] == ["Test the table"]
    done = api.patch(f"/conversations/{conversation}/tasks/{key}", {"status": 5}).json()
    assert (done["steps_left"], done["steps_done"], done["blocking_reason"]) == ([], ["Draw the table", "Test the table"], "")


def test_what_was_changed_by_hand_stays_so(api: Caller) -> None:
    conversation, key = planned(api)
    api.patch(f"/conversations/{conversation}/tasks/{key}", {"description": "Build the page of tides"})
    again = {"type": "tool_use", "id": "t2", "name": "TodoWrite", "input": {"todos": TODOS}}
    api.say(conversation, agent("Going on."), {"role": "assistant", "content": [again]})
    handoff = api.post(f"/conversations/{conversation}/handoffs").json()["id"]
    assert "Build the page of tides" in api.get(f"/handoffs/{handoff}/directive").content.decode()
    kept = api.get(f"/conversations/{conversation}/tasks").json()["items"]
    assert [task["description"] for task in kept if task["key"] == key] == ["Build the page of tides"]


def test_an_added_task_is_in_the_next_handoff(api: Caller) -> None:
    conversation, _ = planned(api)
    added = api.post(f"/conversations/{conversation}/tasks", {"description": "Describe the harbours", "steps_left": ["Write it"]})
    assert (added.status_code, added.json()["progress"]) == (201, 0)
    handoff = api.post(f"/conversations/{conversation}/handoffs").json()["id"]
    assert "Describe the harbours" in api.get(f"/handoffs/{handoff}/directive").content.decode()


def test_a_dismissed_task_is_listed_no_more(api: Caller) -> None:
    conversation, key = planned(api)
    assert api.patch(f"/conversations/{conversation}/tasks/{key}", {"dismissed": True}).status_code == 200
    assert key not in [task["key"] for task in api.get(f"/conversations/{conversation}/tasks").json()["items"]]


def test_what_is_not_there_or_not_ours_is_not_found(api: Caller, stranger: Caller) -> None:
    conversation, key = planned(api)
    assert api.patch(f"/conversations/{conversation}/tasks/nothing", {"status": 5}).status_code == 404
    assert api.patch(f"/conversations/{conversation}/tasks/a%00b", {"status": 5}).status_code == 404
    assert stranger.patch(f"/conversations/{conversation}/tasks/{key}", {"status": 5}).status_code == 404
    assert stranger.post(f"/conversations/{conversation}/tasks", {"description": "Ours"}).status_code == 404
    assert api.patch(f"/conversations/{conversation}/tasks/{key}", {"status": 9}).status_code == 422
