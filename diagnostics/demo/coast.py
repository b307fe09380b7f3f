"""The made-up coast: what its gauges show at any time, and what the service that reads them logs; the same whenever it is asked for."""

from __future__ import annotations

import math
import random
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple
from zoneinfo import ZoneInfo

EVERY = timedelta(minutes=5)
BERLIN = ZoneInfo("Europe/Berlin")
_COAST = tomllib.loads(Path(__file__).with_name("coast.toml").read_text("utf-8"))
EPOCH = datetime(2026, 1, 1, tzinfo=UTC)
M2, S2, SURGE = 12.4206, 12.0, 61.0  # hours: moon, sun, weather
STATIONS = 612
TIMED_OUT = "<urlopen error timed out>"
FAULTS = (TIMED_OUT, TIMED_OUT, "<urlopen error [Errno 111] Connection refused>", "no level in '{at};-999'")


class TideGauge(NamedTuple):
    id: str
    name: str
    latitude: str
    longitude: str
    high: float


@lru_cache(maxsize=1)
def gauges() -> Mapping[str, TideGauge]:
    rows = (line.split() for line in _COAST["gauges"].splitlines())
    return {id: TideGauge(id, name.replace("_", " "), latitude, longitude, float(high)) for id, name, latitude, longitude, high in rows}


def level(gauge: TideGauge, at: datetime) -> float:
    """Metres: two tides and the weather, and waves of a few centimetres."""
    hours = (at - EPOCH).total_seconds() / 3600
    late = float(gauge.latitude) * 1.7  # the tide runs along the coast
    tide = 0.84 * math.cos(math.tau * (hours - late) / M2) + 0.16 * math.cos(math.tau * (hours - late) / S2)
    waves = random.Random(f"{gauge.id}{at:%j%H%M}").uniform(-0.03, 0.03)
    return round(gauge.high * (0.5 + 0.5 * tide) + 0.22 * math.sin(math.tau * hours / SURGE) + waves, 2)


def levels(station: str, until: datetime, number: int) -> Iterator[str]:
    """Rows of its readings as sqlite3 prints them, the newest first."""
    gauge, at = gauges()[station], until.replace(minute=until.minute // 5 * 5, second=0, microsecond=0)
    for back in range(number):
        then = (at - back * EVERY).astimezone(UTC if station in _COAST["danish"] else BERLIN)
        yield f"{then.isoformat()}|{level(gauge, then)}"


def journal(host: str, until: datetime, number: int) -> Iterator[str]:
    """The last lines that reading the gauges logged."""
    lines: list[str] = []
    at = until.replace(minute=until.minute // 5 * 5, second=0, microsecond=0) - EVERY * (number // 5)
    while at < until:
        rng = random.Random(f"{at:%j%H%M}")
        silent = sorted({"RIETSCHLOOT", *rng.sample(sorted(gauges()), rng.randrange(1, 6))})
        pid = 41_200 + (at - EPOCH) // EVERY % 50_000
        said = [(f"tidewatch[{pid}]", f"WARNING tidewatch.jobs: {id}: {rng.choice(FAULTS).format(at=at.isoformat())}") for id in silent]
        said += [(f"tidewatch[{pid}]", f"{len(gauges()) - len(silent)} of {len(gauges())} gauges read")]
        said += [("systemd[1]", f"tidewatch-read.service: Consumed {rng.uniform(0.6, 1.4):.3f}s CPU time.")]
        then = at + timedelta(seconds=rng.randrange(1, 4))
        for unit, text in said:
            then += timedelta(seconds=8 if text.endswith(TIMED_OUT) else rng.random())
            lines.append(f"{then:%b %d %H:%M:%S} {host} {unit}: {text}")
        at += EVERY
    yield from lines[-number:]


@lru_cache(maxsize=1)
def feed() -> Sequence[str]:
    """The public feed of gauges, line by line: those of the coast, and of the rivers, of which there are more."""
    lines, coast = ['<?xml version="1.0" encoding="utf-8"?>', "<stations>"], list(gauges().values())
    for at in range(STATIONS):
        gauge, of_river = coast[at % len(coast)], at >= len(coast)
        id = f"{gauge.id}_{at // len(coast)}" if of_river else gauge.id
        name = f"{gauge.name} km {at * 7 % 311}.{at % 10}" if of_river else gauge.name
        name = name.upper() if at % 11 == 4 else f"{name} Siel &amp;amp; Schleuse" if at % 17 == 9 else name
        lines += [f'  <station id="{id}">', f"    <name>{name}</name>"]
        if at % 13 != 6:
            lines.append(f"    <place><latitude>{gauge.latitude}</latitude><longitude>{gauge.longitude}</longitude></place>")
        lines += [f'    <gauge unit="cm" datum="SKN" url="https://gauges.example/{id.lower().replace("_", "-")}/now"/>', "  </station>"]
    return [*lines, "</stations>"]
