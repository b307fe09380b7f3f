import io

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from continuity.transcripts.base.lines import CHUNK, Raw, number_lines, read_chunks, split_lines


def test_it_works():
    assert list(split_lines([b"one\ntw", b"o\n\nthree"])) == [
        Raw(0, 0, 3, b"one"),
        Raw(1, 4, 3, b"two"),
        Raw(2, 8, 0, b""),
        Raw(3, 9, 5, b"three", complete=False),
    ]


@settings(deadline=None)
@given(st.lists(st.binary(max_size=12), max_size=8), st.integers(min_value=1, max_value=40))
def test_lines_have_their_number_place_and_bytes(chunks, limit):
    data = b"".join(chunks)
    found = list(split_lines(chunks, limit))
    expected = data.split(b"\n")
    if not expected[-1]:
        expected.pop()
    assert [raw.line for raw in found] == list(range(len(expected)))
    assert [data[raw.offset : raw.offset + raw.size] for raw in found] == expected
    assert [raw.data for raw in found] == [piece if len(piece) <= limit else None for piece in expected]


def test_lines_that_were_split_already_keep_their_numbers():
    assert list(number_lines([b"a\r\n", b"bbb"], first=5, limit=2)) == [Raw(5, 0, 1, b"a"), Raw(6, 3, 3, None)]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32"])
def test_byte_order_marks_are_obeyed_and_dropped(encoding):
    text = "häßlich 🤣\n" * CHUNK
    stream = io.BytesIO(text[: CHUNK // 3].encode(encoding))
    assert b"".join(read_chunks(stream)).decode() == text[: CHUNK // 3]


@pytest.mark.parametrize("mark", [b"\xff\xfe", b"\xfe\xff"])
def test_torn_utf16_is_read_as_far_as_it_goes(mark):
    assert b"".join(read_chunks(io.BytesIO(mark + b"\x00"))) == b""
