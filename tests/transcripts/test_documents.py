import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from continuity.transcripts.base.documents import Field, UnreadTail, has_message_list, read_document
from continuity.transcripts.base.lines import Raw


def pieces(data, size):
    return [data[at : at + size] for at in range(0, len(data), size)]


def raws(data, size=7, limit=1000):
    return [found for found in read_document(pieces(data, size), limit) if isinstance(found, Raw)]


def elements(data, size=7):
    return [found.data for found in raws(data, size)]


def test_it_works():
    found = list(read_document([b' {"a": {"messages": [0]}, "messages": [{"x": "]"}, 2], "b": "\\"}"} ']))
    assert found == [
        Field(b'"a"', b'{"messages": [0]}'),
        Raw(0, 39, 10, b'{"x": "]"}'),
        Raw(1, 51, 1, b"2"),
        Field(b'"b"', b'"\\"}"'),
    ]


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=10,
)


@settings(deadline=None)
@given(st.lists(JSON, max_size=6), st.integers(min_value=1, max_value=9), st.sampled_from([None, 1]))
def test_any_list_is_taken_apart_whatever_the_chunks(values, size, indent):
    data = json.dumps(values, indent=indent).encode()
    assert [json.loads(element) for element in elements(data, size)] == values
    assert [json.loads(element) for element in elements(b'{"messages": ' + data + b"}", size)] == values


@settings(deadline=None)
@given(st.text(alphabet='[]{}",:\\ \n01ax', max_size=60), st.integers(min_value=1, max_value=5))
def test_any_bytes_are_read_to_their_end(text, size):
    data = text.encode()
    found = list(read_document(pieces(data, size), 1000))
    assert len(found) <= len(data) + 1
    assert isinstance(has_message_list(pieces(data, size)), bool)


@pytest.mark.parametrize(("data", "expected"), [
    (b'[{"a": 1} {"b": 2}]', [b'{"a": 1}', b'{"b": 2}']),
    (b'[{"a": 1}, }, {"b": 2}]', [b'{"a": 1}', b"}", b'{"b": 2}']),
    (b'[oops, {"b": 2},]', [b"oops", b'{"b": 2}']),
    (b'[{"a": [1, {"b": "cut off', [b'{"a": [1, {"b": "cut off']),
    (b'["cut \\', [b'"cut \\']),
    (b"[]", []),
    (b'{"other": [1]}', []),
    (b'{"messages": {"a": 1}}', []),
])  # fmt: skip
def test_broken_documents_give_what_they_hold(data, expected):
    assert elements(data) == expected


def test_an_element_in_which_the_file_ends_is_incomplete():
    assert [found.complete for found in raws(b'[{"a": 1}, {"b": ')] == [True, False]


def test_an_element_over_the_limit_comes_without_its_bytes():
    data = b'["' + b"x" * 500 + b'", "short"]'
    assert [(found.size, found.data) for found in raws(data, limit=100)] == [(502, None), (7, b'"short"')]


def test_what_follows_the_document_is_told():
    assert list(read_document([b'{"messages": [1]}\n{"messages": [2]}']))[-1] == UnreadTail(1)


@pytest.mark.parametrize(("data", "expected"), [
    (b'{"messages": []}', True),
    (b'{\n "a": "{}",\n "messages": [1]}', True),
    (b'{"a": {"messages": []}}', False),
    (b'{"messages": "no"}', False),
    (b'{"a": 1}\n{"messages": []}', False),
    (b'[{"messages": []}]', False),
    (b"", False),
])  # fmt: skip
def test_a_document_is_told_from_lines(data, expected):
    assert has_message_list([data]) is expected
    assert has_message_list(pieces(data, 3)) is expected
