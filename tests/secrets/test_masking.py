from __future__ import annotations

import pytest

from continuity.secrets import SecretSpan, mask, mask_text
from continuity.transcripts.base.sanitise import clean_text
from tests.secrets.samples import HARMLESS, SECRETS


def test_it_works() -> None:
    assert mask("key AKIA here", [SecretSpan(4, 8, "aws-access-key")]) == "key [secret: aws-access-key] here"


@pytest.mark.parametrize(("kind", "secret", "around"), SECRETS, ids=[f"{kind}-{i}" for i, (kind, *_) in enumerate(SECRETS)])
def test_a_secret_is_gone_and_the_words_around_it_stay(kind: str, secret: str, around: str) -> None:
    assert mask_text(around.format(secret)) == clean_text(around.format(f"[secret: {kind}]"))


@pytest.mark.parametrize(("kind", "secret", "around"), SECRETS, ids=[f"{kind}-{i}" for i, (kind, *_) in enumerate(SECRETS)])
def test_masking_twice_changes_nothing_more(kind: str, secret: str, around: str) -> None:
    once = mask_text(around.format(secret))

    assert mask_text(once) == once


@pytest.mark.parametrize("text", HARMLESS, ids=range(len(HARMLESS)))
def test_text_without_secrets_is_unchanged(text: str) -> None:
    assert mask_text(text) == text


def test_overlapping_spans_and_spans_beyond_the_text_leave_nothing_open() -> None:
    spans = [SecretSpan(0, 5, "one"), SecretSpan(3, 8, "two"), SecretSpan(20, 30, "three"), SecretSpan(9, 99, "four")]

    assert mask("abcdefgh ijk", spans) == "[secret: one] [secret: four]"
