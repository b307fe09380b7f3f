"""What was done last: in the words of what became of each file."""

from __future__ import annotations

from dataclasses import replace

from continuity.knowledge.model import FileAction, FileTouch, Quote, Ref, Request, RequestKind, Situation
from tests.packages.samples import KNOWLEDGE, prepared


def test_it_works() -> None:
    work = Request(12, RequestKind.REQUEST, Quote("Now log each retry.", Ref(12)), 16, files=("log.py", "new.py"))
    files = (FileTouch("log.py", FileAction.CREATED, 3, 14), FileTouch("new.py", FileAction.CREATED, 15, 15))
    text = prepared(replace(KNOWLEDGE, requests=(work,), files=files, situation=Situation())).text
    assert "- Done last: edited log.py; created new.py\n" in text
