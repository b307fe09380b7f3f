"""What stands between the things that matter: tool calls, narration, side questions, small talk."""

from __future__ import annotations

import random
from itertools import count

from continuity.transcripts.base.model import Message
from tests.words import answered, called, resulted, said

# Sentences that lay nothing down, to hide a statement in the middle of a paragraph.
TALK = (
    "Thanks for the quick turnaround on the last one.",
    "I had a look over lunch and it reads well.",
    "My train was late so I only got to it now.",
    "The demo went better than I had feared.",
    "I showed it to Karin and she smiled, which is rare.",
    "It took me a while to find the right window again.",
    "Last time we talked about this there were too many people in the room.",
    "The coffee machine broke again, so bear with me today.",
    "I read through the whole thing twice.",
    "Good progress so far.",
    "There was some back and forth about it in the meeting.",
    "People keep coming to my desk, so sorry for the short messages.",
)
ASIDES = (
    ("What does that warning about the locale mean?", "It only says that no locale is set in the shell; it changes nothing here."),
    ("How long did that take?", "About four seconds, most of it start-up."),
    ("Did you see the message from this morning?", "No, I only see what is written here."),
    ("Is this the same file as yesterday?", "Yes, its checksum has not changed since yesterday."),
    ("Is there a shorter way to write that?", "There is, but it reads worse, so I would leave it."),
)
NARRATION = (
    "Let me look at the file first.",
    "I'll check how this is used before I change it.",
    "Now I'll run it to see where it stands.",
    "Let me search for other places that do the same.",
    "That looks right so far. Let me run the checks.",
    "I'm reading the surrounding code to get the context.",
)
OUTPUT = (
    "total 48\ndrwxr-xr-x 2 root root 4096 Mar 3 10:12 .\n-rw-r--r-- 1 root root  812 Mar 3 10:12 notes.txt\n" * 3,
    "12 passed in 0.84s",
    "2024-03-03 10:12:44 INFO starting\n2024-03-03 10:12:45 INFO loaded 1204 entries\n2024-03-03 10:12:46 INFO finished\n" * 4,
    "README.md:14: see the wiki\nREADME.md:88: as above\nnotes.txt:3: later\n" * 4,
    "one\ntwo\nthree\n" * 20,
)
_ids = count(1)


def acts(rng: random.Random, path: str, cwd: str, steps: int) -> list[Message]:
    """The agent at work on one file: it reads, runs, edits."""
    found: list[Message] = []
    for n in range(steps):
        call_id = f"f{next(_ids)}"
        if rng.random() < 0.5:
            found.append(answered(rng.choice(NARRATION), cwd=cwd))
        name, arguments = rng.choice(
            [
                ("Read", {"file_path": f"{cwd}/{path}"}),
                ("Bash", {"command": f"grep -rn part{n} ."}),
                ("Bash", {"command": "ls -la"}),
                ("Edit", {"file_path": f"{cwd}/{path}", "old_string": "one", "new_string": "two"}),
            ]
        )
        found.append(called(name, arguments, call_id=call_id, cwd=cwd))
        found.append(resulted(rng.choice(OUTPUT), call_id=call_id, exit_code=0, cwd=cwd))
    return found


def aside(rng: random.Random, cwd: str) -> list[Message]:
    """A question of the person that is answered at once."""
    question, reply = rng.choice(ASIDES)
    return [said(question, cwd=cwd), answered(reply, cwd=cwd)]
