from __future__ import annotations

import time
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from continuity.secrets import find
from tests.secrets.samples import HARMLESS, SECRETS


def test_it_works() -> None:
    kind, secret, around = SECRETS[0]
    text = around.format(secret)

    (span,) = find(text)

    assert (span.kind, text[span.start : span.end]) == (kind, secret)


@pytest.mark.parametrize(("kind", "secret", "around"), SECRETS, ids=[f"{kind}-{i}" for i, (kind, *_) in enumerate(SECRETS)])
def test_each_kind_is_found_with_its_exact_place(kind: str, secret: str, around: str) -> None:
    text = around.format(secret)

    assert [(span.kind, text[span.start : span.end]) for span in find(text)] == [(kind, secret)]


@pytest.mark.parametrize("text", HARMLESS, ids=range(len(HARMLESS)))
def test_hashes_ids_paths_images_and_code_are_no_secrets(text: str) -> None:
    assert find(text) == ()


def test_many_secrets_in_one_text_come_in_order_and_apart() -> None:
    text = "\n".join(around.format(secret) for _, secret, around in SECRETS)

    spans = find(text)

    assert len(spans) == len(SECRETS)
    assert all(before.end <= after.start for before, after in pairwise(spans))


def test_characters_that_change_length_when_lowered_do_not_shift_spans() -> None:
    _, secret, _ = SECRETS[0]
    text = "İİİİ " + secret

    assert [text[span.start : span.end] for span in find(text)] == [secret]


@given(st.text(alphabet="pasword=: tken/@'\"-_eyJ.AKI1x\n\\", max_size=300))
def test_spans_lie_in_the_text_in_order_without_overlap(text: str) -> None:
    position = 0
    for span in find(text):
        assert position <= span.start < span.end <= len(text)
        position = span.end


HOSTILE = [
    "password=",
    "://a:b",
    "eyJ",
    "eyJaaaaaaaaaa.",
    "-----BEGIN PRIVATE KEY-----",
    "aws key ",
    "aws'",
    "pwd",
    "token: ",
    "token=" + "a/" * 200,
    "curl -",
    "curl -u a",
    "mysql \\\n",
    "cookie: a=",
    "cookie: a=b;",
    "set-cookie: a=bbbb",
    "machine a login b ",
    "*:*:a:b:",
    "the password for ",
    "password is ",
    "pw: ",
    "12345678:",
    "cont_",
    "https://" + "a" * 100,
    "a-b_",
]


@pytest.mark.parametrize("least", [5_000, pytest.param(20_000, marks=pytest.mark.long)])
@pytest.mark.parametrize("piece", HOSTILE)
def test_time_grows_with_the_text_and_no_faster(piece: str, least: int) -> None:
    def seconds(characters: int) -> float:
        text = piece * (characters // len(piece))
        started = time.process_time()
        find(text)
        return time.process_time() - started

    find(piece)
    small, large = (min(seconds(characters) for _ in range(3)) for characters in (least, 8 * least))

    # Eight times the text: a quadratic scan would take 64 times as long.
    assert large < 30 * max(small, 0.005)
