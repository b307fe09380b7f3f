"""A storage's errors, as callers know them."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager

from continuity.core.errors import Conflict, Fenced, Invalid, Unavailable
from continuity.storage.sessions import BadKey, DamagedRecord, OlderWriter, StorageError, UnknownStateKey

logger = logging.getLogger("continuity.agent_state")

RETRY_SECONDS = 5
KEY_RETRY_SECONDS = 300  # Only an operator can change that.


@contextmanager
def telling() -> Iterator[None]:
    """Translate a storage's errors into those that callers know."""
    try:
        yield
    except OlderWriter as error:
        raise Fenced(f"Another instance of this agent began after this one ({error}).", current=error.current, given=error.given) from error
    except BadKey as error:
        raise Invalid("The name of an agent is letters, digits, dots, dashes and underscores.", field="agent") from error
    except DamagedRecord as error:
        logger.error("A stored state can't be read", extra={"metadata": {"error": str(error)}})
        raise Conflict("The state that is stored can't be read; save another one, or remove it.") from error
    except UnknownStateKey as error:
        logger.error("A stored state is sealed by a key that is not given", extra={"metadata": {"key": error.key}})
        raise Unavailable(f"The state can't be read: {error}.", retry_after=KEY_RETRY_SECONDS) from error
    except StorageError as error:
        logger.error("States can't be stored", extra={"metadata": {"error": str(error)}})
        raise Unavailable(
            f"The storage of states can't be used; nothing was saved. Try again in {RETRY_SECONDS} s.", retry_after=RETRY_SECONDS
        ) from error
