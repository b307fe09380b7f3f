"""Which versions of client and server go together."""

from __future__ import annotations

import pytest

from continuity import VERSION, releases


def test_it_works() -> None:
    assert releases.is_older("0.1.0", "0.2.0")
    assert not releases.is_older("0.10.0", "0.9.9")
    assert releases.client_of(f"{releases.AGENT}/1.2.3") == "1.2.3"


def test_this_version_goes_with_itself() -> None:
    assert not releases.is_older(VERSION, releases.OLDEST_CLIENT)
    assert not releases.is_older(VERSION, releases.OLDEST_SERVER)


@pytest.mark.parametrize("version", ["", "1", "1.2", "1.2.3.4", "a.b.c", "1.2.x", "-1.0.0", "٣.٤.٥", "9" * 5000 + ".0.0", "1..2"])
def test_what_is_no_version_is_not_refused(version: str) -> None:
    assert not releases.is_older(version, "9.9.9")


@pytest.mark.parametrize("version", ["0.9.0-rc.1", "0.9.0+local.2"])
def test_what_is_added_to_a_version_does_not_count(version: str) -> None:
    assert releases.is_older(version, "1.0.0")
    assert not releases.is_older(version, "0.9.0")


@pytest.mark.parametrize("agent", ["", "curl/8.0", "continuity-client", "Continuity-Client/1.0.0", "continuity-clients/1.0.0"])
def test_other_programs_have_no_version(agent: str) -> None:
    assert releases.client_of(agent) == ""
