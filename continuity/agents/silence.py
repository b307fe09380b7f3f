"""Who is not heard of any more, as one watcher sees it (FR-007): by its own monotonic clock, and never for its own absence. Pure.

Beats carry numbers, not times, so that no clock of another machine counts, nor one that is set. What was heard since the last look
came after it: that look is taken as its time, so that nobody is found later than `lost_after` seconds after the last beat.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field

# A watcher that did not look for so long stood still itself, or what it looks at did.
LONGEST_GAP = 2.0


@dataclass(slots=True)
class Silence:
    lost_after: float
    looked: float | None = None
    deadlines: dict[str, float] = field(default_factory=dict)
    _watched: Collection[str] = ()

    def next_after(self, clock: float) -> float | None:
        """The time at which the next agent counts as silent, if nothing is heard of it; None where nobody is waited for."""
        return min((deadline for deadline in self.deadlines.values() if deadline > clock), default=None)

    def look(self, *, clock: float, watched: Collection[str], heard: Collection[str], away: bool = False) -> list[str]:
        """Return those of the `watched` that are silent for too long at `clock`, sorted; `heard` are those that beat since the last look.

        A collection of `watched` that is given once more must be unchanged.

        Where nothing could be heard (`away`), or this look comes late, everybody has the whole time again.
        """
        before, self.looked = self.looked, clock
        anew = clock + self.lost_after
        if away or before is None or clock - before > LONGEST_GAP:
            self.deadlines, self._watched = dict.fromkeys(watched, anew), watched
            return []
        known = self.deadlines
        if watched is not self._watched:
            self.deadlines, self._watched = {who: known.get(who, anew) for who in watched}, watched
        for who in heard:
            if who in self.deadlines:
                self.deadlines[who] = before + self.lost_after if who in known else anew
        return sorted(who for who, deadline in self.deadlines.items() if deadline <= clock)
