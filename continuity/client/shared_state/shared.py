"""State that agents share: read from a copy at hand, written with the version that was read, kept while the server is away.

    with SharedState("team") as shared:
        with shared.edit("plan", {}) as plan:
            plan["step"] = plan.get("step", 0) + 1
        print(shared.get("plan"), shared.version("plan"))

The copy is brought up to date each second (STATE_SYNC_INTERVAL_MS of the server), and by `sync()` at once, such as in a handler of
`state:*`. A write that finds no server waits on disk, outlives a restart, and is sent when the server is back.
"""

from __future__ import annotations

import copy
import logging
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import TracebackType
from typing import Any

from continuity.client import credentials
from continuity.client.connection import Away, Refused
from continuity.client.credentials import Credentials
from continuity.client.shared_state import change
from continuity.client.shared_state.calls import StateCalls
from continuity.client.shared_state.change import StateChange, StateConflict
from continuity.client.shared_state.waiting import WaitingWrites
from continuity.shared_state.merging import three_way
from continuity.shared_state.values import ABSENT, same

logger = logging.getLogger("continuity.client.states")

INTERVAL = 1.0
MOST_REFUSED = 100

Changed = Callable[[str], object]


@dataclass(frozen=True, slots=True)
class WrittenValue:
    """The result of a write: the `version` it made; `conflict` is none, merged, overwritten or unresolved. `waiting`: the server is away,
    and gets it later."""

    key: str
    version: int
    conflict: str = "none"
    places: tuple[str, ...] = ()
    waiting: bool = False


@dataclass(slots=True)
class _Known:
    value: Any
    version: int
    merges: Mapping[str, str] = field(default_factory=dict)


class SharedState:
    """The states of one owner: `scope` is team, agent or conversation, `owner` an agent's name or a conversation's id.

    `url` and `key` default as those of `Client`. May be used from any thread. `interval` in seconds where it shall not be the server's.
    """

    def __init__(
        self,
        scope: str = "team",
        owner: str = "own",
        *,
        url: str = "",
        key: str = "",
        interval: float | None = None,
        folder: Path | None = None,
        chosen: Credentials | None = None,
    ) -> None:
        if chosen is None:
            found = None if url and key else credentials.find()
            chosen = Credentials(
                url or (found.url if found else ""), key or (found.key if found else ""), acting=found.acting if found else ""
            )
        self.scope, self.owner = scope, owner
        self._calls = StateCalls(chosen, scope, owner)
        self._waiting = WaitingWrites(f"{chosen.url} {scope} {owner}", folder)
        self._known: dict[str, _Known] = {}
        self._position = 0
        self._generation: int | None = None
        self._read, self._interval, self._asked = False, interval or INTERVAL, interval
        self._lock, self._writing, self._syncing = threading.RLock(), threading.Lock(), threading.RLock()
        self._over = threading.Event()
        self._thread: threading.Thread | None = None
        self._handlers: list[Changed] = []
        self.refused: list[tuple[StateChange, Exception]] = []

    def get(self, key: str, default: Any = None) -> Any:
        """A copy of the value, as it was at the last look; with what waits to be sent."""
        value, _ = self._seen(key)
        return default if value is ABSENT else copy.deepcopy(value)

    def version(self, key: str) -> int:
        """The version of the value that `get` gives; 0 where there is none."""
        return self._seen(key)[1]

    def keys(self) -> list[str]:
        self._ensure_read()
        with self._lock:
            return sorted(key for key in {*self._known, *(each.key for _, each in self._waiting.all())} if self._seen(key)[0] is not ABSENT)

    def put(self, key: str, value: Any, *, strategy: str = "", merges: Mapping[str, str] | None = None) -> WrittenValue:
        """Puts a value in the place of the one there, whatever that is. `strategy` and `merges` hold from now on (docs/states.md).

        Raises StateConflict where the strategy refuses who missed something, and Refused.
        """
        about = ({"strategy": strategy} if strategy else {}) | ({} if merges is None else {"merges": dict(merges)})
        before, base = self._seen(key)
        return self._write(StateChange.make(key, before, copy.deepcopy(value), base, whole=True, about=about))

    def remove(self, key: str) -> WrittenValue:
        """Removes the value; its versions stay on the server. Raises StateConflict and Refused."""
        before, base = self._seen(key)
        return self._write(StateChange.make(key, before, ABSENT, base, whole=False))

    @contextmanager
    def edit(self, key: str, default: Any = None) -> Iterator[Any]:
        """The value, an object or a list, to be changed in place: what changed is written at the end of the block, against the version that
        was read; not where it raises. Nobody is held up meanwhile. `default` is edited where there is no value.

        Raises StateConflict, Refused, and TypeError where the value is neither.
        """
        before, base = self._seen(key)
        after = copy.deepcopy(default if before is ABSENT else before)
        if not isinstance(after, dict | list):
            raise TypeError(f"{key} is no object and no list: use put() or update()")
        yield after
        if before is ABSENT or not same(before, after):
            self._write(StateChange.make(key, before, after, base, whole=False))

    def update(self, key: str, new: Callable[[Any], Any], default: Any = None) -> WrittenValue:
        """Writes what `new` makes of (a copy of) the value, which may be of any kind. Raises StateConflict and Refused."""
        before, base = self._seen(key)
        after = new(copy.deepcopy(default if before is ABSENT else before))
        return self._write(StateChange.make(key, before, after, base, whole=False))

    def on_change(self, handler: Changed) -> Changed:
        """Registers what is called with each key that others changed, in the thread that keeps the copy up to date."""
        self._handlers.append(handler)
        return handler

    @property
    def waiting(self) -> int:
        """How many writes the server does not have yet."""
        return len(self._waiting.all())

    def sync(self) -> bool:
        """Sends what waits and takes over what changed; whether the server was there. Raises Refused."""
        with self._syncing:
            try:
                self._flush()
                changed = self._take_over()
            except Away as error:
                logger.info("Shared state is not up to date: %s", error)
                return False
        for key in changed:
            for handler in self._handlers:
                handler(key)
        return True

    def __enter__(self) -> SharedState:
        self.sync()
        self._thread = threading.Thread(target=self._keep_up, daemon=True, name=f"states of {self.scope}")
        self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Sends what waits, where the server is there, and ends."""
        self._over.set()
        if self._thread is not None and self._thread is not threading.current_thread():
            self._thread.join(5)
        with suppress(Refused):
            self.sync()

    def _seen(self, key: str) -> tuple[Any, int]:
        """The value and the version it has; of what waits to be sent the value that it will have."""
        self._ensure_read()
        with self._lock:
            known = self._known.get(key, _Known(ABSENT, 0))
            value = known.value
            for _, each in self._waiting.all():
                value = each.after if each.key == key else value
            return value, known.version

    def _ensure_read(self) -> None:
        if not self._read:
            self.sync()

    def _write(self, wanted: StateChange) -> WrittenValue:
        with self._writing:
            # One behind the other: what waits was written before.
            if not self._waiting.all():
                try:
                    return self._took(wanted.key, change.send(self._calls, wanted))
                except Away as error:
                    logger.info("A write of shared state waits for the server: %s", error)
            before = [each.id for _, each in self._waiting.all() if each.key == wanted.key]
            self._waiting.add(replace(wanted, follows=before[-1]) if before else wanted)
            return WrittenValue(wanted.key, wanted.base, waiting=True)

    def _flush(self) -> None:
        with self._waiting.sending() as mine:
            left = self._waiting.all() if mine else []
            while left:
                path, each = left.pop(0)
                try:
                    self._took(each.key, change.send(self._calls, each))
                    left = self._follow(each, left)
                except (StateConflict, Refused) as error:
                    if isinstance(error, Refused) and error.status >= 500:
                        raise Away(str(error)) from error
                    logger.warning("A write of %s that had waited was refused: %s", each.key, error)
                    self.refused = [*self.refused[1 - MOST_REFUSED :], (each, error)]
                self._waiting.done(path)

    def _follow(self, sent: StateChange, left: list[tuple[Path, StateChange]]) -> list[tuple[Path, StateChange]]:
        """Rebases writes that wait behind one of the same state on the value that the server made of that one."""
        place = next((place for place, (_, each) in enumerate(left) if each.follows == sent.id), None)
        if place is None:
            return left
        with self._lock:
            known = self._known[sent.key]
        path, each = left[place]
        merged = three_way(each.before, known.value, each.after, known.merges)
        if merged.contested:
            return left
        follows = replace(each, before=known.value, after=merged.value, base=known.version)
        self._waiting.replace(path, follows)  # Before the one that is sent goes: sent again, it is told as stored.
        return [*left[:place], (path, follows), *left[place + 1 :]]

    def _took(self, key: str, told: Mapping[str, Any]) -> WrittenValue:
        state = told["state"]
        with self._lock:
            self._learn(state)
        if told["conflict"] in ("overwritten", "unresolved"):
            logger.warning("Version %s of %s met others' changes: %s", told["number"], key, told["conflict"])
        return WrittenValue(key, int(told["number"]), str(told["conflict"]), tuple(told["places"]))

    def _learn(self, state: Mapping[str, Any]) -> bool:
        """Whether it is news."""
        known = self._known.get(state["key"])
        if known is not None and known.version == state["version"]:
            return False
        value = ABSENT if state["removed"] else state["value"]
        self._known[state["key"]] = _Known(value, int(state["version"]), state["merges"])
        return True

    def _take_over(self) -> list[str]:
        changed: list[str] = []
        while True:
            told = self._calls.changes(self._position, self._generation)
            with self._lock:
                if told["reset"]:
                    self._known.clear()
                changed += [state["key"] for state in told["items"] if self._learn(state)]
                self._position, self._generation = int(told["position"]), int(told["generation"])
                self._interval, self._read = self._asked or told["sync_interval_ms"] / 1000, True
            if not told["more"]:
                return list(dict.fromkeys(changed))

    def _keep_up(self) -> None:
        while not self._over.wait(self._interval):
            try:
                self.sync()
            except Exception:
                logger.exception("Shared state could not be brought up to date")
