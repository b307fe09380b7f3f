"""The model that the installation is set up with, and whether it answered lately."""

from django.conf import settings

from continuity.extraction.protocols import Endpoint
from continuity.services.jobs import broker

REMEMBERED = 900  # seconds for which a failure counts, where nobody asks again


def configured() -> Endpoint | None:
    """The endpoint that the environment names; None where there is no model."""
    if not settings.CONTINUITY_MODEL_URL:
        return None
    return Endpoint(
        url=settings.CONTINUITY_MODEL_URL.rstrip("/"),
        kind=settings.CONTINUITY_MODEL_KIND,
        name=settings.CONTINUITY_MODEL_NAME,
        key=settings.CONTINUITY_MODEL_KEY,
        seconds=settings.CONTINUITY_MODEL_TIMEOUT_SECONDS,
        max_tokens=settings.CONTINUITY_MODEL_MAX_TOKENS,
    )


def note(*, answered: bool) -> None:
    """Lets every process know how the last call ended."""
    broker.try_call(lambda client: client.delete(_silent()) if answered else client.set(_silent(), 1, ex=REMEMBERED))


def is_answering() -> bool:
    """False where the last call of any process failed, within a quarter of an hour."""
    silent: list[object] = []
    broker.try_call(lambda client: silent.append(client.get(_silent())))
    return not any(silent)


def _silent() -> str:
    """Where a failure is noted: beside the endpoint, since several installations may share one broker."""
    return f"continuity:model:silent:{settings.CONTINUITY_MODEL_URL}:{settings.CONTINUITY_MODEL_NAME}"
