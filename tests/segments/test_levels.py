from __future__ import annotations

from dataclasses import replace

import pytest

from continuity.knowledge import FoldState, InMemoryStore, fold
from continuity.knowledge.model import Anchor, AnchorState, AnchorType, Ref, Truth
from continuity.segments import RATIOS, Level, Levelled, Marker, Material, below, expand, summarise
from continuity.segments.incoming import incoming_message
from continuity.segments.levels import summarise_all
from continuity.segments.message_units import units_of
from continuity.transcripts.base.model import Message
from continuity.usage.tokens import message_tokens
from tests.segments.sessions import COUNTER, IMPORTER, numbered
from tests.words import answered, called, resulted, said

CAUSE = "The importer stopped one row early because the loop in read_rows compared with the footer's index."


def material(messages: list[Message], anchors: list[Anchor] | None = None, first: int = 1) -> Material:
    rows = numbered(messages, first)
    return Material([(seq, message) for seq, message, _ in rows], anchors or [], "Rows are lost", sum(tokens for *_, tokens in rows))


def anchored(text: str, message: Message, seq: int, **more: object) -> Anchor:
    start = message.parts[0].text.index(text)
    fields = {"key": f"k{seq}{start}", "type": AnchorType.DECISION, "importance": 0.9, "truth": Truth.STATED, "method": "test", **more}
    return Anchor(text=text, ref=Ref(seq, 0, start, start + len(text)), **fields)  # type: ignore[arg-type]


def long_talk() -> list[Message]:
    """About 4,000 tokens of a discussion with tools, of which most is said in prose."""
    messages: list[Message] = []
    for n in range(9):
        messages.append(said(f"Please look at table t_{n}, whose totals in report_{n} are wrong since the change of day {n}."))
        messages.append(called("Bash", {"command": f"pytest tests/test_report_{n}.py -q"}, call_id=f"c{n}"))
        messages.append(resulted(f"F\n{n + 1} failed, 12 passed in 2.0s\n" + "trace line of no use\n" * 20, call_id=f"c{n}", exit_code=1))
        words = [f"Step {k} of table t_{n} reads column_{n}_{k}, which holds nothing that would explain a difference." for k in range(12)]
        messages.append(
            answered(f"The total of report_{n} was wrong because column_{n} is counted twice. {' '.join(words)} I fixed sum_{n}().")
        )
    return messages


def test_it_works() -> None:
    brief = summarise(material(IMPORTER), Level.BRIEF, COUNTER)

    assert "User: The importer drops the last row of every invoice file." in summarise(material(IMPORTER), Level.DETAILED, COUNTER).content
    assert brief.tokens == COUNTER.count(brief.content)
    assert brief.level is Level.BRIEF


def test_what_a_command_printed_is_told_and_how_it_was_shortened_is_not() -> None:
    messages = [
        said("Which version is installed, and who is logged in?"),
        called("Bash", {"command": "cd /home/ada/shop && tool --version 2>/dev/null | head -3"}, call_id="a"),
        resulted("tool 0.7.6", call_id="a", exit_code=0),
        called("Bash", {"command": "tool auth status 2>&1"}, call_id="b"),
        resulted("Not logged in to https://tool.example\n" + "hint of no use\n" * 30 + "3 stuck sessions", call_id="b", exit_code=0),
        called("Bash", {"command": "cat notes.txt"}, call_id="c"),
        resulted("a line of a file\n" * 40, call_id="c", exit_code=0),
        answered("Version 0.7.6, and nobody is."),
    ]
    told = summarise(replace(material(messages), tokens=1000), Level.DETAILED, COUNTER).content
    assert "Ran `tool --version`: “tool 0.7.6”, `tool auth status`: “3 stuck sessions”" in told
    assert "Ran `cat notes.txt`." in told
    assert told.count("tool 0.7.6") == 1


@pytest.mark.parametrize("unit", [" ", "2>", " | head", ' ; echo "', "cd "])
def test_a_hostile_command_is_told_short(unit: str) -> None:
    messages = [said("Run it."), called("Bash", {"command": "echo " + unit * (400_000 // len(unit)) + "x"}, call_id="a")]
    (deed,) = [unit for unit in units_of([(n, message) for n, message in enumerate(messages, 1)], []) if unit.verb]
    assert len(deed.text) < 120


@pytest.mark.parametrize(("level", "least", "most"), [(Level.DETAILED, 2.7, 3.6), (Level.BRIEF, 9.0, 12.0), (Level.TAGS, 44.0, 70.0)])
def test_each_level_has_about_its_ratio(level: Level, least: float, most: float) -> None:
    whole = material(long_talk())
    told = summarise(whole, level, COUNTER)

    assert 3500 < whole.tokens < 6000
    assert least <= whole.tokens / told.tokens <= most
    assert least <= RATIOS[level] <= most


def test_what_matters_is_told_first() -> None:
    brief = summarise(material(long_talk()), Level.BRIEF, COUNTER).content

    assert "Please look at table t_8" in brief
    assert "was wrong because column_" in brief
    assert "holds nothing that would explain" not in brief


def test_deeds_are_told_in_short_lines() -> None:
    edit = called("Edit", {"file_path": "billing/rows.py", "old_string": "a", "new_string": "b"}, call_id="e")
    content = summarise(material([edit, resulted("Updated.", call_id="e"), *long_talk()[1:]]), Level.DETAILED, COUNTER).content

    assert content.startswith("Modified billing/rows.py")
    assert "Ran `pytest tests/test_report_8.py -q` → failed (exit 1): “9 failed, 12 passed in 2.0s”." in content


def test_results_without_ids_belong_to_their_calls_in_order() -> None:
    messages = [called("Bash", {"command": f"pytest part_{n}"}, call_id="") for n in range(2)]
    messages += [resulted("1 failed in 1s", call_id="", exit_code=1), resulted("4 passed in 1s", call_id="", exit_code=0)]
    content = summarise(replace(material(messages), tokens=900), Level.DETAILED, COUNTER).content

    assert "`pytest part_0` → failed (exit 1): “1 failed in 1s”" in content
    assert "`pytest part_1` → passed: “4 passed in 1s”" in content


def test_only_whole_sentences_are_told() -> None:
    source = " ".join(message.parts[0].text for message in long_talk())
    for line in summarise(material(long_talk()), Level.BRIEF, COUNTER).content.splitlines():
        if line.startswith(("User: ", "Agent: ")):
            for sentence in line.partition(": ")[2].replace(" … ", ". ").split(". "):
                assert sentence.rstrip(".") in source


@pytest.mark.parametrize("level", [Level.DETAILED, Level.BRIEF])
def test_every_current_anchor_stands_verbatim(level: Level) -> None:
    messages = long_talk()
    texts = [f"Step {k} of table t_2 reads column_2_{k}, which holds nothing that would explain a difference." for k in range(12)]
    anchors = [anchored(text, messages[11], 12) for text in texts]
    content = summarise(material(messages, anchors), level, COUNTER).content

    assert all(content.count(text) == 1 for text in texts)


def test_only_critical_anchors_exceed_the_ratio_of_tags() -> None:
    messages = long_talk()
    texts = [f"Step {k} of table t_2 reads column_2_{k}, which holds nothing that would explain a difference." for k in range(12)]
    anchors = [anchored(text, messages[11], 12, critical=n < 6) for n, text in enumerate(texts)]
    whole = material(messages, anchors)
    tags = summarise(whole, Level.TAGS, COUNTER)

    assert all(text in tags.content for text in texts[:6])
    assert not any(text in tags.content for text in texts[6:])


def test_what_was_replaced_stands_only_with_a_mark() -> None:
    old = anchored(CAUSE, IMPORTER[5], 6, state=AnchorState.SUPERSEDED)
    content = summarise(material(IMPORTER, [old]), Level.DETAILED, COUNTER).content

    assert content.count(CAUSE) == content.count(f"(replaced later) {CAUSE}")


def test_anchors_that_distilling_finds_stand_in_each_level() -> None:
    rows = [(seq, message) for seq, message, _ in numbered(IMPORTER)]
    memory = InMemoryStore()
    memory.apply(fold(FoldState(), rows).changes)
    anchors = [anchor for anchor in memory.anchors.values() if anchor.state is AnchorState.CURRENT]

    assert anchors
    for told in summarise_all(material(IMPORTER, anchors), [Level.DETAILED, Level.BRIEF], COUNTER):
        assert all(anchor.text in told.content for anchor in anchors)


def test_markers_say_where_more_can_be_had() -> None:
    told = summarise(material(long_talk()), Level.BRIEF, COUNTER)

    assert 0 < len(told.markers) <= 20
    assert [m.offset for m in told.markers] == sorted(m.offset for m in told.markers)
    assert all(
        m.level == Level.DETAILED and 0 <= m.offset <= len(told.content) and 1 <= m.first_seq <= m.last_seq <= 36 for m in told.markers
    )
    assert told.markers[0].label.split(" more in ")[1].startswith("message")
    assert Marker.from_json(told.markers[0].as_json()) == told.markers[0]


def test_expanding_leads_from_tags_to_the_original() -> None:
    whole = material(long_talk())
    told = summarise(whole, Level.TAGS, COUNTER)
    seen: list[Levelled] = [told]
    while told.level is not Level.FULL:
        told = expand(whole, told, COUNTER)
        seen.append(told)

    assert [each.level for each in seen] == [3, 2, 1, 0]
    assert [each.tokens for each in seen] == sorted(each.tokens for each in seen)
    assert all(part.text in told.content for _, message in whole.messages for part in message.parts)
    with pytest.raises(ValueError, match="nothing is below"):
        below(Level.FULL)


def test_a_marker_expands_only_its_messages() -> None:
    whole = material(long_talk())
    told = summarise(whole, Level.BRIEF, COUNTER)
    marker = Marker("more", 5, 8, Level.DETAILED, 0)
    more = expand(whole, told, COUNTER, marker=marker)

    assert more.level is Level.DETAILED
    assert "table t_1" in more.content
    assert "table t_0" not in more.content
    assert more.tokens < sum(message_tokens(message, COUNTER) for seq, message in whole.messages if 5 <= seq <= 8)


def test_what_a_directive_says_is_not_told_again_as_the_persons_words() -> None:
    directive = "--- SESSION CONTINUATION ---\n## Goal\n- Count the herons of the northern pond. [m1]\n--- END CONTINUATION ---"
    first = said(f"{directive}\n\nPlease look at table t_9, whose totals are wrong.")
    told = summarise(material([first, *long_talk()]), Level.DETAILED, COUNTER).content

    assert "herons" not in told
    assert "Please look at table t_9" in told
    assert incoming_message(1, first, 50).asked.strip() == "Please look at table t_9, whose totals are wrong."


def test_nothing_to_tell_is_no_error() -> None:
    for level in Level:
        assert summarise(Material([], [], "Nothing", 0), level, COUNTER).markers is not None


@pytest.mark.parametrize(("more", "speaker"), [
    ({"truth": Truth.STATED, "method": "added.person"}, "User: "),
    ({"truth": Truth.CLAIMED, "method": "added.agent"}, "Agent: "),
    ({"truth": Truth.STATED, "method": "decision.choose"}, "User: "),  # what a person put in the place of an agent's words
])  # fmt: skip
@pytest.mark.parametrize("last", [answered("We use Redis for the queue."), called("Bash", {"command": "make"}, call_id="c1")])
def test_what_was_set_by_hand_is_told_as_whose_it_is(more: dict[str, object], speaker: str, last: Message) -> None:
    anchor = Anchor(key="p1", type=AnchorType.DECISION, text="Use Valkey for the queue.", ref=Ref(2, 0), importance=0.95, **more)  # type: ignore[arg-type]
    units = units_of(list(enumerate([said("Choose a queue"), last], 1)), [anchor])
    assert [unit.speaker.value for unit in units if unit.anchor] == [speaker]
