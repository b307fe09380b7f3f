import pytest

from continuity.transcripts import PartKind, Role, UnknownFormat, Usage, Voice, detect, open_transcript, read_lines
from continuity.transcripts.base.model import OWN
from tests.transcripts.records import messages, needs_shared, shared, texts, write

SAMPLE = ("aider", "Aquaticat__Monochromatic__aider.chat.history.md")
HISTORY = """
# aider chat started at 2026-01-02 03:04:05

> Aider v0.84.0@@
> Main model: maker/model-test with diff edit format@@
> Cur working dir: /repo@@

#### Fix a.py@@
#### and b.py@@
> a.py@@
> Add file to the chat? (Y)es/(N)o/(D)on't ask again [Yes]: y@@

<think>
Hm.
</think>

Here is the change.

#### A heading of mine
> a quote of mine

```python
a.py
<<<<<<< SEARCH
=======
>>>>>>> REPLACE
```

> Tokens: 6.3k sent, 1k cache hit, 55 received. Cost: $0.01 message, $0.01 session.@@
> Applied edit to a.py@@
> Commit 54d022e fix: the thing@@
> # 1 SEARCH/REPLACE block failed to match!

## SearchReplaceNoExactMatch: This SEARCH block failed to exactly match lines in b.py
> quoted within
The SEARCH section must exactly match@@

I try again.

> Tokens: 7k sent, 20 received. Cost: $0.01 message, $0.02 session.@@

#### /undo@@
> Removed: 54d022e fix: the thing@@

#### /ask Why?@@

Because.

# aider chat started at 2026-01-03 03:04:05

> Run shell command? (Y)es/(N)o [Yes]: y@@
> Running make test@@
> ^C KeyboardInterrupt@@

#### Add file to the chat? (Y)es/(N)o [Yes]: all@@
#### Find the "AI" comments below (marked with █) in the code files I've shared with you.@@
#### a.py:@@
#### │x = 1@@
#### █# make this two AI!@@
""".replace("@@", "  ")


def opened(folder, text=HISTORY):
    with open_transcript(write(folder, text.encode())) as transcript:
        return messages(transcript), transcript.report


def test_it_works(tmp_path):
    found, report = opened(tmp_path)
    assert (report.format, report.session_id, report.lineage) == ("aider", "2026-01-03 03:04:05", ["2026-01-02 03:04:05"])
    assert (report.cwd, report.model, report.provider, report.skipped) == ("/repo", "maker/model-test", "maker", [])
    assert texts(found, Voice.PERSON) == ["Fix a.py\nand b.py", "Why?", "# make this two AI!"]
    assert texts(found, Voice.AGENT)[1:] == ["I try again.", "Because."]
    answer = next(message for message in found if message.usage)
    assert [part.kind for part in answer.parts] == [PartKind.REASONING, PartKind.TEXT]
    assert answer.parts[1].text.startswith("Here is the change.\n\n#### A heading of mine\n> a quote of mine\n\n```python")
    assert (answer.usage, answer.model, answer.cwd) == (Usage(5300, 55, 1000), "maker/model-test", "/repo")


WATCHED = """
# aider chat started at 2026-01-02 03:04:05

> Processing your request...@@

I split the total.

```python
a.py
<<<<<<< SEARCH
# AI! Split the total by tax rate
# keep this remark
total = 0  # not a comment of its own, AI!
/* which currency? AI? */
=======
totals = {}
>>>>>>> REPLACE
```

> Applied edit to a.py@@

A second answer to nobody.

```python
a.py
<<<<<<< SEARCH
# AI! Never asked
=======
>>>>>>> REPLACE
```
""".replace("@@", "  ")


def test_what_was_asked_in_a_watched_file_is_the_persons_words_before_the_answer(tmp_path):
    found, _ = opened(tmp_path, WATCHED)
    assert texts(found, Voice.PERSON) == ["Split the total by tax rate\nwhich currency?"]
    roles = [message.role for message in found]
    assert roles.index(Role.USER) < roles.index(Role.ASSISTANT)


def test_only_what_aider_does_by_itself_is_its_own(tmp_path):
    found, _ = opened(tmp_path)
    results = [part for message in found for part in message.parts if part.kind is PartKind.TOOL_RESULT]
    assert [bool(part.data.get(OWN)) for part in results] == [True, True, False, True, False]


def test_what_aider_did_becomes_calls_with_results(tmp_path):
    found, _ = opened(tmp_path)
    parts = [part for message in found for part in message.parts]
    calls = [part for part in parts if part.kind is PartKind.TOOL_CALL]
    assert [(part.name, dict(part.input)) for part in calls] == [
        ("edit_file", {"path": "a.py"}),
        ("commit", {"commit": "54d022e", "message": "fix: the thing"}),
        ("edit_file", {"path": "b.py"}),
        ("undo", {"commit": "54d022e", "message": "fix: the thing"}),
        ("run_command", {"command": "make test"}),
    ]
    results = [part for part in parts if part.kind is PartKind.TOOL_RESULT]
    assert [part.call_id for part in results] == [part.call_id for part in calls]
    assert [part.failed for part in results] == [False, False, True, False, None]
    assert results[2].text.endswith("> quoted within\nThe SEARCH section must exactly match")


def test_each_later_session_begins_at_a_boundary(tmp_path):
    found, _ = opened(tmp_path)
    kinds = [(message.parts[0].kind, str(message.at)) for message in found if message.at]
    assert kinds == [(PartKind.TEXT, "2026-01-02 03:04:05+00:00"), (PartKind.BOUNDARY, "2026-01-03 03:04:05+00:00")]
    assert [message.line for message in found] == sorted(message.line for message in found)


def test_commands_and_confirmations_are_not_the_persons_words(tmp_path):
    found, _ = opened(tmp_path)
    harness = [part for message in found if message.role is Role.USER for part in message.parts if part.voice is Voice.HARNESS]
    assert [part.data.get("command") for part in harness if "command" in part.data] == ["/undo", "/ask"]
    assert not any("(Y)es" in text for text in texts(found, Voice.PERSON))


@pytest.mark.parametrize("wrap", [str, lambda text: text.replace("\n", "\r\n"), lambda text: "> the end of an older one  \n" + text])
def test_it_is_recognised(tmp_path, wrap):
    assert detect(write(tmp_path, wrap(HISTORY).encode())) == "aider"


def test_notes_about_aider_are_no_history(tmp_path):
    notes = "# Notes\n\n" + "Words about aider.\n" * 50 + "# aider chat started at noon\n"
    with pytest.raises(UnknownFormat, match="text, but no transcript"):
        detect(write(tmp_path, notes.encode()))


def test_a_file_cut_off_anywhere_is_read_up_to_there():
    lines = HISTORY.encode().split(b"\n")
    whole = messages(read_lines("aider", lines))
    for end in range(len(lines)):
        found = messages(read_lines("aider", lines[:end]))
        assert found[:-3] == whole[: len(found[:-3])]


def test_a_message_of_aiders_that_never_ends_does_not_swallow_what_follows(tmp_path):
    torn = HISTORY.replace("must exactly match  ", "must exactly match") + "\n# aider chat started at 2026-01-04 03:04:05\n\n#### Last  \n"
    found, report = opened(tmp_path, torn)
    assert texts(found, Voice.PERSON)[-1] == "Last"
    assert report.lineage == ["2026-01-02 03:04:05", "2026-01-03 03:04:05"]


def test_bytes_that_are_no_text_are_replaced(tmp_path):
    with open_transcript(write(tmp_path, HISTORY.encode().replace(b"Fix a.py", b"Fix \xff\x00"))) as transcript:
        assert texts(messages(transcript), Voice.PERSON)[0] == "Fix \ufffd\ufffd\nand b.py"


@pytest.mark.parametrize("record", [b"", b"#### ", b">", b"> ", b">  ", b"####   ", b"# aider chat started at ", b"\x00" * 99])
def test_odd_lines_are_read(record):
    assert texts(messages(read_lines("aider", [record, record, b"", b"#### Last  "])), Voice.PERSON)[-1] == "Last"


def test_thoughts_that_never_end_cost_little(tmp_path):
    found, _ = opened(tmp_path, HISTORY + "\n" + "<think><thinking-content-a>-----\n► **THINKING**\n" * 20_000)
    assert texts(found, Voice.AGENT)[-1].endswith("THINKING**")


@needs_shared
def test_a_real_history_is_read_whole():
    with shared(*SAMPLE) as transcript:
        found = messages(transcript)
    parts = [part for message in found for part in message.parts]
    results = [part for part in parts if part.kind is PartKind.TOOL_RESULT]
    report = transcript.report
    assert (report.records, report.skipped, report.session_id) == (3732, [], "2025-06-02 14:29:21")
    assert len(report.lineage) == sum(part.kind is PartKind.BOUNDARY for part in parts) == 18
    assert [(part.name, part.failed) for part in results].count(("edit_file", False)) == 20
    assert [(part.name, part.failed) for part in results].count(("edit_file", True)) == 7
    assert sum(part.name == "commit" for part in results) == 43
    assert sum(bool(message.usage) for message in found) == 39
    assert len(texts(found, Voice.PERSON)) == 39
    assert len(texts(found, Voice.AGENT)) == 40
    assert [message.line for message in found] == sorted(message.line for message in found)
    assert len({message.external_id for message in found}) == len(found)
