"""A cached value is found by all that it depends on: where any part of a key differs, nothing is found."""

from dataclasses import fields, replace
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from continuity.knowledge.model import Quote, Ref, Request, RequestKind, Task, TaskStatus
from handoffs.packs.serving.fingerprint import fingerprint, named_in
from handoffs.packs.serving.keys import FileKey, PackKey, SearchKey, digest
from handoffs.packs.serving.pack_choice import DeliveredPacks, parts

TEXT = st.text(max_size=12)
KEYS = {
    FileKey: st.builds(FileKey, TEXT, TEXT, TEXT),
    SearchKey: st.builds(SearchKey, TEXT, TEXT, TEXT, TEXT),
    PackKey: st.builds(PackKey, *[TEXT] * 10),
}


def request(seq, text, *, continues=False):
    return Request(seq, RequestKind.REQUEST, Quote(text, Ref(seq)), seq, continues=continues)


def task(description, *left):
    return Task("t1", description, TaskStatus.IN_PROGRESS, 1, 1, "todo", steps_left=left)


def test_it_works():
    key = PackKey("r", "f", "c", "h", "p", "code", "hook", "l", "w")
    assert digest(key) == digest(replace(key))
    assert len(digest(key)) == 48


@pytest.mark.parametrize("kind", list(KEYS), ids=lambda kind: kind.__name__)
@given(data=st.data())
def test_any_changed_part_of_a_key_misses(kind, data):
    key = data.draw(KEYS[kind])
    for field in fields(kind):
        now = getattr(key, field.name)
        other = data.draw(TEXT) if isinstance(now, str) else now + 1
        assume(other != now)
        assert digest(replace(key, **{field.name: other})) != digest(key), field.name


@given(st.lists(TEXT, min_size=3, max_size=3), st.integers(0, 1))
def test_text_that_moves_from_one_part_to_the_next_misses(words, place):
    joined = [*words]
    joined[place], joined[place + 1] = joined[place] + joined[place + 1], ""
    if joined != words:
        assert digest(FileKey(*joined)) != digest(FileKey(*words))


def test_keys_of_different_caches_never_meet():
    assert digest(FileKey("a", "b", "c")) != digest(SearchKey("a", "b", "c", ""))


def test_a_fingerprint_holds_names_and_no_other_words():
    first = fingerprint([request(1, "Mend parse_header in src/mail/parser.py, please")], [task("Test it", "run tests/test_parser.py")])
    again = fingerprint([request(1, "Do mend parse_header of src/mail/parser.py now!")], [task("Tests", "tests/test_parser.py")])
    assert first == again
    assert first != fingerprint(
        [request(1, "Mend parse_header in src/mail/reader.py, please")], [task("Test it", "run tests/test_parser.py")]
    )
    assert first != fingerprint(
        [request(4, "Mend parse_header in src/mail/parser.py, please")], [task("Test it", "run tests/test_parser.py")]
    )


def test_what_continues_a_request_keeps_its_place():
    begun = request(3, "Mend src/a.py")
    assert fingerprint([begun], []) == fingerprint([begun, request(5, "and make it quick", continues=True)], [])


def test_a_request_that_names_nothing_goes_on_with_what_the_session_is_at():
    begun = request(3, "Mend src/a.py")
    assert fingerprint([begun], []) == fingerprint([begun, request(5, "Why does the test fail?")], [])
    assert fingerprint([begun], []) != fingerprint([begun, request(5, "Why does src/b.py fail?")], [])
    unnamed = request(2, "Make the start hidden")
    assert fingerprint([unnamed], []) == fingerprint([unnamed, request(4, "Why does the test fail?")], [])
    assert fingerprint([unnamed], []) != fingerprint([unnamed, request(4, "Now src/b.py")], [])


def test_tasks_of_other_words_without_names_are_not_taken_for_one_another():
    first = request(1, "Make the start hidden")
    assert fingerprint([first], []) != fingerprint([request(1, "Why is the login slow?")], [])
    assert fingerprint([first], []) == fingerprint([request(1, "Make the start hidden")], [])


def test_names_are_paths_files_and_identifiers():
    assert named_in(["See src/a.py, README.md and loadConfig. Not e.g. this or 3.14 or end."]) == {"src/a.py", "README.md", "loadConfig"}


@pytest.mark.parametrize("text", ["a/" * 40_000, "a." * 40_000, "x" * 80_000, "/" * 80_000], ids=["slashes", "dots", "word", "bare"])
def test_hostile_text_is_bounded(text):
    assert len(named_in([text])) <= 400


def test_delta_alone_only_where_nothing_else_can_have_changed():
    before = DeliveredPacks("f", "h", "a", arrived=True)
    same: dict[str, Any] = {"same_task": True, "head": "h", "anchor": "a", "all_in_delta": True}
    assert parts(before, **same) == ("delta",)
    assert parts(DeliveredPacks(), **same) == ("anchor", "context", "delta")
    assert parts(replace(before, arrived=False), **same) == ("anchor", "context", "delta")
    for name, other in (("same_task", False), ("head", "i"), ("all_in_delta", False)):
        assert parts(before, **(same | {name: other})) == ("context", "delta"), name
    assert parts(before, **(same | {"anchor": "b"})) == ("anchor", "delta")
