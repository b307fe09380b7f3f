"""The model's settings are refused by name, and a key never travels in the clear."""

from __future__ import annotations

import pytest

from config import model_address
from config.env import BadSetting


def test_it_works() -> None:
    model_address.check("https://api.example.com/v1", "some-model", "key")
    model_address.check("http://127.0.0.1:11434/v1", "some-model", "key")
    model_address.check("http://models.lan:8080/v1", "some-model", "")
    model_address.check("", "", "")


@pytest.mark.parametrize(
    ("url", "name", "key", "named"),
    [
        ("api.example.com", "m", "", "CONTINUITY_MODEL_URL"),
        ("ftp://api.example.com", "m", "", "CONTINUITY_MODEL_URL"),
        ("https://", "m", "", "CONTINUITY_MODEL_URL"),
        ("https://host:port/v1", "m", "", "CONTINUITY_MODEL_URL"),
        ("https://user:pass@host/v1", "m", "", "CONTINUITY_MODEL_URL"),
        ("https://host/v1?key=hidden", "m", "", "CONTINUITY_MODEL_URL"),
        ("http://host/v1", "m", "hidden", "CONTINUITY_MODEL_URL"),
        ("http://10.0.0.1/v1", "m", "hidden", "CONTINUITY_MODEL_URL"),
        ("https://host/v1", "", "hidden", "CONTINUITY_MODEL_NAME"),
        ("https://host/v1", "m", "hidden\nHost: other", "CONTINUITY_MODEL_KEY"),
    ],
)
def test_what_can_not_be_asked_is_refused_by_name(url: str, name: str, key: str, named: str) -> None:
    with pytest.raises(BadSetting, match=named) as refused:
        model_address.check(url, name, key)
    assert "hidden" not in str(refused.value)
    assert "pass" not in str(refused.value).replace("password", "")
