"""The fingerprint of a task, as far as packs depend on it: the open request, and the paths and symbols that it and the open tasks name.

Its other words are left out: a follow-up that says the same otherwise needs no other files. Nor does a request that names nothing: it goes
on with what the session is at (“add a test”, “why does it fail?”).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from continuity.knowledge.model import Request, Task
from continuity.repository.words import WORD, is_identifier
from handoffs.packs.serving.keys import digest_of

TEXT = 20_000  # characters of one text that are looked at
NAMED = 400
_PATH = re.compile(r"[\w.+@-]{1,120}(?:/[\w.+@-]{1,120}){0,20}")
_DOTTED = re.compile(r"[\w+@-]*[A-Za-z_][\w+@-]+\.[A-Za-z][A-Za-z0-9]{0,7}\Z")


def fingerprint(requests: Sequence[Request], tasks: Iterable[Task]) -> str:
    """Of the ledger of requests and the open tasks."""
    begun = begin_of(requests)
    named = sorted(names_of(requests, tasks))
    # Without names the words must tell one task from another: sessions begin with a message of the same number.
    return digest_of([begun, named, [] if named else [request.text.text for request in requests if request.seq == begun]])


def names_of(requests: Sequence[Request], tasks: Iterable[Task]) -> frozenset[str]:
    """The names in the request in work and the open tasks."""
    begun = begin_of(requests)
    texts = [request.text.text for request in requests if request.seq >= begun]
    for task in tasks:
        texts += [task.description, *task.steps_left]
    return named_in(texts)


def begin_of(requests: Sequence[Request]) -> int:
    """The number of the message that began the latest piece of work that names something, else the first one; 0 without one."""
    begun = [request for request in requests if not request.continues]
    named = (request.seq for request in reversed(begun) if named_in([request.text.text]))
    return next(named, begun[0].seq if begun else 0)


def named_in(texts: Iterable[str]) -> frozenset[str]:
    """Paths, names of files and identifiers that stand in texts."""
    found: set[str] = set()
    for text in texts:
        found |= {path.strip(".") for path in _PATH.findall(text[-TEXT:]) if "/" in path.strip("./") or _DOTTED.match(path.strip("."))}
        found |= {word for word in WORD.findall(text[-TEXT:]) if is_identifier(word)}
    return frozenset(sorted(found)[:NAMED])
