"""A model that misbehaves: the rules' knowledge stays as it was, the next question comes, and nobody waits for long."""

import json
from urllib.parse import urlsplit

import pytest

from continuity.models import Anchor, Event, Job, JobStatus, ModelPass
from continuity.services.jobs import jobs
from continuity.services.model import model_client, model_endpoint, model_extraction, model_passes
from continuity.services.recording import conversations
from handoffs.models import HandoffStatus
from handoffs.services.packages import preparation
from tests.model.conftest import MISSED
from tests.model.endpoint import anchor, proposal, says, sends
from tests.words import said

pytestmark = pytest.mark.django_db

GOOD = proposal(anchors=[anchor(MISSED, 3, "CriticalFact")])


def propose(conversation, seconds=60):
    return model_extraction.propose(conversation_id=conversation.id, seconds=seconds)


def found(conversation):
    return list(Anchor.objects.filter(conversation=conversation, method="model").values_list("text", flat=True))


@pytest.fixture
def rules_stand(conversation):
    """Whatever happens, what the rules found is as it was."""
    of_rules = Anchor.objects.filter(conversation=conversation).exclude(method="model").order_by("key")
    before = list(of_rules.values())
    assert before
    yield
    assert list(of_rules.values()) == before


def gave_up(conversation, done, reason):
    """No answer: a warning, an event, and the stretch is asked about the next time."""
    assert reason in done.warning
    assert Event.objects.get(name="model.failed").payload == {"reason": reason}
    assert found(conversation) == []
    assert not ModelPass.objects.exists()
    assert not model_endpoint.is_answering()


def unusable(conversation, done, reason):
    """An answer of no use: noted, and not asked for again."""
    assert reason in done.warning
    assert found(conversation) == []
    assert ModelPass.objects.get(conversation=conversation).unusable == reason
    assert propose(conversation).windows == 0


def test_it_works(model, conversation, rules_stand):
    """One failure is passed over."""
    model.answers = [sends(b"{}", status=503), GOOD]
    assert propose(conversation).warning == ""
    assert found(conversation) == [MISSED]
    assert len(model.asked) == 2


def test_errors_of_the_server(model, conversation, rules_stand):
    model.answers = [sends(b"oh no", status=500)]
    gave_up(conversation, propose(conversation), "HTTP 500")
    assert len(model.asked) == model_client.ATTEMPTS
    model.answers = [GOOD]
    propose(conversation)
    assert found(conversation) == [MISSED]
    assert model_endpoint.is_answering()


def test_too_many_requests_with_a_time_to_wait(model, conversation, rules_stand):
    model.answers = [sends(b"{}", status=429, retry_after="0"), GOOD]
    propose(conversation)
    assert found(conversation) == [MISSED]


def test_too_many_requests_for_longer_than_there_is_time(model, conversation, rules_stand):
    model.answers = [sends(b"{}", status=429, retry_after="3600")]
    gave_up(conversation, propose(conversation), "HTTP 429")
    assert len(model.asked) == 1


def test_a_key_that_is_refused_is_not_tried_again(model, conversation, rules_stand):
    model.answers = [sends(b'{"error": "bad key only-for-tests"}', status=401)]
    gave_up(conversation, propose(conversation), "HTTP 401")
    assert len(model.asked) == 1
    assert "only-for-tests" not in str(list(Event.objects.values())) + repr(model_endpoint.configured())


def test_an_answer_that_never_comes(model, conversation, rules_stand, settings):
    settings.CONTINUITY_MODEL_TIMEOUT_SECONDS = 0.2
    model.answers = [lambda call: model.released.wait()]
    gave_up(conversation, propose(conversation), "it took too long")


def test_an_answer_that_comes_a_byte_at_a_time(model, conversation, rules_stand, settings):
    """Each byte comes in time, the whole never does."""

    def trickle(call):
        call.send_response(200)
        call.send_header("content-type", "application/json")
        call.end_headers()
        while not model.released.wait(0.05):
            call.wfile.write(b" ")

    settings.CONTINUITY_MODEL_TIMEOUT_SECONDS = 0.4
    model.answers = [trickle]
    gave_up(conversation, propose(conversation, seconds=1), "it took too long")


def test_a_connection_that_breaks_in_the_middle(model, conversation, rules_stand):
    def break_off(call):
        call.send_response(200)
        call.send_header("content-type", "application/json")
        call.send_header("content-length", "5000")
        call.end_headers()
        call.wfile.write(b'{"choices": [')
        call.hang_up()

    model.answers = [break_off]
    gave_up(conversation, propose(conversation), "RemoteProtocolError")


def test_nobody_listens(model, conversation, rules_stand, settings):
    settings.CONTINUITY_MODEL_URL = "http://127.0.0.1:9/v1"
    gave_up(conversation, propose(conversation), "ConnectError")


def test_a_redirect_is_not_followed_with_the_key(model, conversation, rules_stand):
    model.answers = [lambda call: call.send(b"", status=307, location=f"http://{urlsplit(model.url).netloc}/v1/chat/completions")]
    gave_up(conversation, propose(conversation), "HTTP 307")
    assert len(model.asked) == 1


@pytest.mark.parametrize("body", [b"", b"{", b"<html>", b"\xff\xfe{}", b"[" * 100_000, b'{"choices": ' + b"9" * 5000 + b"}"])
def test_a_document_that_is_not_json(model, conversation, rules_stand, body):
    model.answers = [sends(body)]
    unusable(conversation, propose(conversation), "not JSON")


def test_another_content_type(model, conversation, rules_stand):
    model.answers = [sends(b"<html>Sign in to the guest network</html>", content_type="text/html")]
    unusable(conversation, propose(conversation), "not JSON")


@pytest.mark.parametrize("document", [[], {}, {"choices": []}, {"choices": {}}, {"choices": [None]}, {"error": {"message": "no"}}])
def test_a_document_of_another_shape(model, conversation, rules_stand, document):
    model.answers = [sends(json.dumps(document).encode())]
    unusable(conversation, propose(conversation), "wrong shape")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("I can't help with that.", "not JSON"),
        ('{"anchors": [', "not JSON"),
        ('{"anchors": ' + "[" * 20_000 + "]" * 20_000 + "}", "not JSON"),
        ('{"answer": 42}', "wrong shape"),
        ('{"anchors": {"type": "Decision"}}', "wrong shape"),
        ('{"anchors": [], "summary": ["a"]}', "wrong shape"),
    ],
)
def test_words_of_no_use(model, conversation, rules_stand, text, reason):
    model.answers = [says(text)]
    unusable(conversation, propose(conversation), reason)


def test_prose_around_the_json_is_passed_over(model, conversation, rules_stand):
    model.answers = [says("Sure! Here it is:\n```json\n" + json.dumps({"anchors": [anchor(MISSED, 3)]}) + "\n```\nAnything else?")]
    propose(conversation)
    assert found(conversation) == [MISSED]


def test_a_body_without_end(model, conversation, rules_stand):
    def pour(call):
        call.send_response(200)
        call.send_header("content-type", "application/json")
        call.end_headers()
        while not model.released.is_set():
            call.wfile.write(b" " * 65536)

    model.answers = [pour]
    unusable(conversation, propose(conversation), "too long")


def test_three_failures_and_nobody_asks_for_a_while(model, conversation, rules_stand):
    model.answers = [sends(b"{}", status=401)]
    for _ in range(3):
        propose(conversation)
    model.answers = [GOOD]
    assert "it failed too often lately" in propose(conversation).warning
    assert len(model.asked) == 3
    assert found(conversation) == []


def test_a_job_ends_well_with_a_warning(model, conversation, rules_stand):
    model.answers = [sends(b"{}", status=500)]
    job = model_passes.request(conversation_id=conversation.id)
    assert job is not None
    assert model_passes.request(conversation_id=conversation.id) is None
    jobs.run(job_id=job.id)
    job.refresh_from_db()
    assert (job.status, job.result["anchors"]) == (JobStatus.DONE, 0)
    assert job.warnings == ["The model did not answer: HTTP 500. What the rules found stands alone."]


def test_preparing_and_appending_go_on_without_the_model(model, conversation, settings):
    settings.CONTINUITY_MODEL_PREPARE_SECONDS = 1
    model.answers = [lambda call: model.released.wait()]
    conversations.append(team=conversation.team, conversation_id=conversation.id, messages=[said("Go on, please.")])
    job = preparation.submit(team=conversation.team, conversation_id=conversation.id, options=preparation.options_of())
    jobs.run(job_id=job.id)
    assert Job.objects.get(id=job.id).result["status"] == HandoffStatus.READY
