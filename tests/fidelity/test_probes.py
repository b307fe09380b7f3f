"""The bank of probes: what is noted, what is asked, and what a text answers."""

from __future__ import annotations

import json

import pytest

from handoffs.building.preparation import prepare
from handoffs.contract.model import Options, Severity
from handoffs.fidelity.probes import Bank, Probe, ProbeKind, ask, questions, shares
from tests.packages.samples import COUNTER, KNOWLEDGE, NOW, crowded
from tests.words import answered, called, resulted, said

TODOS = [{"content": "Write the worker", "status": "in_progress"}, {"content": "Write the schema", "status": "completed"}]
TALK = [
    said("Please build the job queue. Never change the public API of the client."),
    said("Let's use Postgres for the job queue instead of Redis."),
    called("TodoWrite", {"todos": TODOS}, call_id="t1"),
    called("Write", {"file_path": "/srv/app/queue/schema.py", "content": "x = 1"}, call_id="t2", cwd="/srv/app"),
    called("Bash", {"command": "pytest tests/queue"}, call_id="t3"),
    resulted("E   ImportError: cannot import name 'lease' from 'queue.worker'", call_id="t3", failed=True, exit_code=1),
    *[answered(f"The tenant tn_4821 is in step {step}, which goes on as planned.") for step in range(4)],
]


def bank_of(messages) -> Bank:
    bank = Bank()
    for seq, message in enumerate(messages, 1):
        bank.read(seq, message)
    return bank


def asked(kind: ProbeKind, messages=TALK) -> list[str]:
    return [probe.expected for probe in questions(bank_of(messages)) if probe.kind is kind]


def test_it_works() -> None:
    assert asked(ProbeKind.CONSTRAINT) == ["Never change the public API of the client."]
    assert asked(ProbeKind.DECISION) == ["Let's use Postgres for the job queue instead of Redis."]
    assert asked(ProbeKind.ARTIFACT) == ["queue/schema.py"]
    assert asked(ProbeKind.ERROR) == ["ImportError: cannot import name 'lease' from 'queue.worker'"]
    assert asked(ProbeKind.RECALL) == ["tn_4821"]
    assert asked(ProbeKind.CONTINUATION) == [TALK[1].parts[0].text, "Please build the job queue.", "pytest tests/queue", "Write the worker"]
    assert asked(ProbeKind.OUTCOME) == ["Write the schema"]


def test_a_probe_names_its_message() -> None:
    places = {probe.expected: probe.seq for probe in questions(bank_of(TALK))}

    assert places["Never change the public API of the client."] == 1
    assert places["queue/schema.py"] == 4


@pytest.mark.parametrize("cut", range(len(TALK) + 1))
def test_reading_in_two_sittings_is_reading_at_once(cut: int) -> None:
    bank = Bank.from_json(json.loads(json.dumps(bank_of(TALK[:cut]).to_json())))
    for seq, message in enumerate(TALK[cut:], cut + 1):
        bank.read(seq, message)

    assert bank.to_json() == bank_of(TALK).to_json()


def test_a_check_that_passes_later_answers_its_failure() -> None:
    mended = [called("Bash", {"command": "pytest tests/queue"}, call_id="t4"), resulted("12 passed", call_id="t4", exit_code=0)]

    assert asked(ProbeKind.ERROR, [*TALK, *mended]) == []


def test_what_the_user_takes_back_is_not_asked_for() -> None:
    taken_back = said("Actually, the job queue goes into Redis after all, not into Postgres.")

    assert "Let's use Postgres for the job queue instead of Redis." not in asked(ProbeKind.DECISION, [*TALK, taken_back])


@pytest.mark.parametrize("words", ["Why don't you use the queue tables?", "I don't know the queue tables yet.", "Yes, let's do it."])
def test_questions_and_asides_are_no_rules(words: str) -> None:
    assert asked(ProbeKind.CONSTRAINT, [said(words)]) == asked(ProbeKind.DECISION, [said(words)]) == []


def test_an_answer_chosen_through_a_tool_is_a_decision() -> None:
    given = resulted('User has answered your questions: "Which store?"="Postgres with SKIP LOCKED".', call_id="q1")
    (probe,) = [probe for probe in questions(bank_of([given])) if probe.kind is ProbeKind.DECISION]

    assert (probe.question, probe.expected) == ("Which store?", "Postgres with SKIP LOCKED")


def test_the_bank_is_bounded_however_long_the_conversation() -> None:
    def long(count: int) -> int:
        messages = []
        for n in range(count):
            messages.append(said(f"Never touch the module part_{n} of service_{n}. Let's use table_{n} instead of store_{n}."))
            messages.append(called("Write", {"file_path": f"/srv/part_{n}.py", "content": "x"}, call_id=f"w{n}"))
        bank = bank_of(messages)
        assert len(questions(bank)) <= 58
        return len(json.dumps(bank.to_json()))

    assert long(900) <= long(300) * 1.05 < 128 * 1024


def test_what_is_carried_into_the_next_conversation_keeps_its_words_and_loses_its_places() -> None:
    carried = questions(bank_of(TALK).carried())

    # What is being worked on is asked anew once the person has spoken.
    assert {probe.expected for probe in carried} == {probe.expected for probe in questions(bank_of(TALK))} - {"Please build the job queue."}
    assert {probe.seq for probe in carried} == {0}


def test_blacked_out_words_are_not_asked_for() -> None:
    raw = json.loads(json.dumps(bank_of(TALK).to_json()).replace("tn_4821", "\\u2588" * 7))

    assert [probe for probe in questions(Bank.from_json(raw)) if probe.kind is ProbeKind.RECALL] == []


def test_masked_secrets_are_not_asked_for() -> None:
    assert asked(ProbeKind.CONSTRAINT, [said("Never print the key [secret: aws] in any of the logs.")]) == []


@pytest.mark.parametrize(
    ("kind", "expected", "text", "line"),
    [
        (ProbeKind.RECALL, "tn_4821", "## Facts\n- The tenant is `tn_4821`. [a1]", 2),
        (ProbeKind.RECALL, "tn_48", "- The tenant is tn_4821.", 0),
        (ProbeKind.ARTIFACT, "queue/schema.py", "- Created: schema.py (f1)", 1),
        (ProbeKind.ARTIFACT, "queue/schema.py", "- Created: my_schema.py (f1)", 0),
        (ProbeKind.CONSTRAINT, "Never change the public API of the client.", "- Never change the public API […] client.", 1),
        (ProbeKind.CONSTRAINT, "Never change the public API of the client.", "- Never change the schema.", 0),
        (ProbeKind.DECISION, "", "anything", 0),
    ],
)
def test_a_text_answers_with_the_words_or_most_of_them(kind: ProbeKind, expected: str, text: str, line: int) -> None:
    (answer,) = ask([Probe(kind, "?", expected, 1, 1.0)], text)

    assert answer.line == line
    assert [share.answered for share in shares([answer])] == [int(line > 0)]


def test_answers_are_put_back_without_costing_what_the_check_counts() -> None:
    knowledge = crowded(300, critical=5)
    bare = prepare(knowledge, Options(budget=2000), counter=COUNTER, now=NOW, handoff_id="h", conversation_id="c")
    left_out = [anchor for anchor in knowledge.anchors if anchor.text not in bare.text][:6]
    probes = [Probe(ProbeKind.RECALL, "?", anchor.text, anchor.ref.seq, 1.0) for anchor in left_out]
    made = prepare(knowledge, Options(budget=2000), counter=COUNTER, now=NOW, handoff_id="h", conversation_id="c", probes=probes)

    assert made.report.overall_fidelity_score >= bare.report.overall_fidelity_score
    assert not [issue for issue in made.report.issues if issue.severity is Severity.CRITICAL]
    assert made.package.plan.used <= 2000


def test_unanswered_probes_are_reported_and_never_gate() -> None:
    probe = Probe(ProbeKind.RECALL, "What is the port?", "port_nobody_named", 3, 1.0)
    made = prepare(KNOWLEDGE, Options(), counter=COUNTER, now=NOW, handoff_id="h", conversation_id="c", probes=[probe])

    assert [answer.answered for answer in made.report.probes] == [False]
    assert made.report.passes_threshold
