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

    def look(self, *, clock: float, watched: Collection[str], heard: Collection[str], away: bool = False) -> list[str]:
        """Who of the `watched` is silent for too long at `clock`, sorted; `heard` are those that beat since the last look.

        Where nothing could be heard (`away`), or this look comes late, everybody has the whole time again.
        """
        before, self.looked = self.looked, clock
        anew = clock + self.lost_after
        if away or before is None or clock - before > LONGEST_GAP:
            self.deadlines = dict.fromkeys(watched, anew)
            return []
        known = self.deadlines
        self.deadlines = {who: known.get(who, anew) for who in watched}
        for who in heard:
            if who in self.deadlines:
                self.deadlines[who] = before + self.lost_after if who in known else anew
        return sorted(who for who, deadline in self.deadlines.items() if deadline <= clock)
