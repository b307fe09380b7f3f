"""References resolve to their items, to the message they came from, and to the turns around it."""

import pytest

from continuity.core.errors import Invalid, NotFound
from continuity.services.recording import conversations
from handoffs.models import EditAction
from handoffs.services.chains import resumption
from handoffs.services.edits import package_edits
from handoffs.services.edits.targets import items
from handoffs.services.packages import preparation
from handoffs.services.packages.authors import Author
from handoffs.services.packages.expansion import Depth, expand
from tests.handoffs.story import RULE, story
from tests.words import answered, said


def prepared(conversation):
    return preparation.prepare(team=conversation.team, conversation_id=conversation.id, options=preparation.options_of())


def reference_of(handoff, words, kind="a"):
    return next(item["reference"] for item in items(handoff) if words in item["text"] and item["reference"].startswith(kind))


def test_it_works(team):
    handoff = prepared(story(team))
    found = expand(handoff=handoff, ref=f"#{reference_of(handoff, RULE)}", level=Depth.BRIEF)
    assert (found.kind, found.text) == ("anchor", RULE)
    assert found.source is not None and (found.source.conversation_id, found.source.seq) == (handoff.conversation_id, 1)
    assert RULE in found.excerpt
    assert found.record["type"] == "Constraint"


@pytest.mark.parametrize("written", ["[{}!]", "({}!?)", "[{}]", " #{} "])
def test_a_reference_may_be_written_as_the_directive_has_it(team, written):
    handoff = prepared(story(team))
    reference = reference_of(handoff, RULE)
    assert expand(handoff=handoff, ref=written.format(reference), level=Depth.BRIEF).reference == reference


def test_every_reference_of_a_directive_resolves_at_every_level(team):
    handoff = prepared(story(team))
    references = {item["reference"] for item in items(handoff) if item["reference"]} | set(handoff.references)
    assert {reference[0] for reference in references} == set("atfm")
    for reference in references:
        for level in Depth:
            found = expand(handoff=handoff, ref=reference, level=level)
            assert found.text and found.source, reference
            assert bool(found.messages) is (level is Depth.VERBATIM)


def test_verbatim_brings_the_turns_around(team):
    conversation = conversations.create(team=team)
    talk = [words for n in range(8) for words in (said(f"Question {n}: always keep rule number {n}."), answered(f"Answer {n}."))]
    conversations.append(team=team, conversation_id=conversation.id, messages=talk)
    handoff = prepared(conversation)
    found = expand(handoff=handoff, ref="m7", level=Depth.VERBATIM)
    assert [message.seq for message in found.messages] == [5, 6, 7, 8, 9, 10]


def test_a_long_source_is_cut_around_the_words(team):
    conversation = conversations.create(team=team)
    rule = "Never delete the archive folder."
    conversations.append(team=team, conversation_id=conversation.id, messages=[said("Lorem ipsum. " * 300 + rule + " Dolor sit. " * 300)])
    handoff = prepared(conversation)
    brief, detailed = (
        expand(handoff=handoff, ref=reference_of(handoff, rule), level=level).excerpt for level in (Depth.BRIEF, Depth.DETAILED)
    )
    assert rule in brief and rule in detailed
    assert len(brief) <= 302 < len(detailed) <= 4002


def test_what_a_successor_inherited_leads_to_the_predecessors_message(team):
    first = prepared(story(team))
    heir = resumption.resume(team=team, handoff_id=first.id).conversation
    second = prepared(heir)
    found = expand(handoff=second, ref=reference_of(second, RULE), level=Depth.VERBATIM)
    assert found.source is not None and found.source.conversation_id == first.conversation_id
    assert RULE in str([message.parts for message in found.messages])


def test_what_was_added_by_hand_has_no_source(team):
    handoff = prepared(story(team))
    made = package_edits.add(team=team, handoff_id=handoff.id, type="CriticalFact", text="The port is 8099.", author=Author())
    handoff.refresh_from_db()
    found = expand(handoff=handoff, ref=made.reference, level=Depth.VERBATIM)
    assert (found.text, found.source, list(found.messages)) == ("The port is 8099.", None, [])


def test_what_was_dismissed_still_resolves(team):
    handoff = prepared(story(team))
    reference = reference_of(handoff, RULE)
    package_edits.edit(team=team, handoff_id=handoff.id, action=EditAction.DISMISS, author=Author(), ref=reference)
    handoff.refresh_from_db()
    assert expand(handoff=handoff, ref=reference, level=Depth.BRIEF).record["state"] == "dismissed"


@pytest.mark.parametrize(("reference", "refusal"), [("a999", NotFound), ("m999", NotFound), ("z1", Invalid), ("", Invalid)])
def test_what_is_no_reference_is_refused(team, reference, refusal):
    with pytest.raises(refusal):
        expand(handoff=prepared(story(team)), ref=reference, level=Depth.BRIEF)
