"""Callers of the API: one with a key of our team, and one of another's."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from continuity.models import Team
    from tests.api.caller import Caller


# Models can be imported only once Django is set up, which is after this file is read: so it imports them where it uses them.
@pytest.fixture
def api(team: Team) -> Caller:
    from tests.api.caller import Caller

    return Caller.of(team)


@pytest.fixture
def stranger(other_team: Team) -> Caller:
    from tests.api.caller import Caller

    return Caller.of(other_team)
