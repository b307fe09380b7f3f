"""One ledger counts what fills the window, and counts each provider message once."""

from continuity.transcripts.base.model import Message, Role, Usage
from continuity.usage.token_ledger import Ledger, account, account_all
from tests.words import answered, compacted, said


def test_it_works():
    ledger = account_all(Ledger(), [(said("hello"), 10), (answered("hi"), 20)])
    assert (ledger.total, ledger.context, ledger.messages, ledger.turns, ledger.last_message) == (30, 30, 2, 1, 20)


def test_cont06_ten_messages_of_a_hundred_tokens_are_a_thousand():
    ledger = account_all(Ledger(), [(said(f"Message {n}"), 100) for n in range(10)])
    assert ledger.total == 1000
    assert ledger.messages == 10
    assert ledger.total / ledger.turns == 100


def test_reported_usage_replaces_the_estimate():
    ledger = account_all(Ledger(), [(said("x"), 50), (answered("y", usage=Usage(input=900, output=100), usage_id="m1"), 60)])
    assert ledger.context == 1000
    assert ledger.total == 110


def test_usage_repeated_on_every_record_of_a_provider_message_counts_once():
    usage = Usage(input=10, output=5, cache_read=985)
    records = [(answered(f"part {n}", usage=usage, usage_id="m1"), 7) for n in range(3)]
    assert account_all(Ledger(), records).context == 1000


def test_the_last_record_of_an_answer_knows_its_full_output():
    early, late = Usage(input=1000, output=1), Usage(input=1000, output=250)
    ledger = account_all(Ledger(), [(answered("a", usage=early, usage_id="m1"), 7), (answered("b", usage=late, usage_id="m1"), 7)])
    assert ledger.context == 1250


def test_a_tool_result_after_the_reported_message_adds_its_estimate():
    ledger = account_all(Ledger(), [(answered("y", usage=Usage(input=1000), usage_id="m1"), 5), (said("more"), 40)])
    assert ledger.context == 1040


def test_a_compaction_empties_the_window_and_not_the_total():
    ledger = account_all(Ledger(), [(said("x"), 5000), (compacted("what was"), 300)])
    assert ledger.context == 300
    assert ledger.total == 5300


def test_a_side_chain_counts_in_the_total_only():
    ledger = account(Ledger(context=100, total=100), answered("aside", agent="sub", usage=Usage(input=90_000), usage_id="s"), 20)
    assert ledger.context == 100
    assert ledger.total == 120


def test_system_tokens_are_counted_apart():
    assert account(Ledger(), Message(Role.SYSTEM, (), "s"), 70).system == 70
