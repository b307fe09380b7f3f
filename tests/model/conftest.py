"""A model on loopback, a conversation in which the rules miss something, and no waiting between attempts."""

from collections.abc import Iterator
from typing import Any

import pytest
import stamina
from pytest_django import Settings

from tests.model.endpoint import ModelServer, serving

# What the rules take for small talk, and a model may know better.
MISSED = "It goes out on paper to customers in Bern, by the way."


@pytest.fixture
def model(settings: Settings) -> Iterator[ModelServer]:
    from continuity.services.jobs import broker
    from continuity.services.model import model_client, model_endpoint

    with serving() as server, stamina.set_testing(True, attempts=model_client.ATTEMPTS, cap=True):
        settings.CONTINUITY_MODEL_URL = f"{server.url}/v1"
        settings.CONTINUITY_MODEL_NAME = "small-model"
        settings.CONTINUITY_MODEL_KEY = "only-for-tests"
        settings.CONTINUITY_MODEL_TIMEOUT_SECONDS = 45
        for breaker in (model_client._breaker, broker._breaker):
            breaker.close()  # an earlier test may have left it open
        yield server
        model_client._breaker.close()
        model_endpoint.note(answered=True)


@pytest.fixture
def conversation(team: Any) -> Any:
    """Four messages: a rule that the rules find, a fact that they miss, and an answer."""
    from continuity.services.knowledge import fold_runner
    from continuity.services.recording import conversations
    from tests.words import answered, said

    made = conversations.create(team=team)
    talk = [
        said("Please build the mailer. Never change the public API of the client."),
        answered("I looked at the mailer and at its queue. It sends everything by mail today."),
        said(f"Fine with me. {MISSED} That has always been so."),
        answered("Good to know, the mailer will have two channels then."),
    ]
    conversations.append(team=team, conversation_id=made.id, messages=talk)
    fold_runner.catch_up(conversation_id=made.id)
    made.refresh_from_db()
    return made
