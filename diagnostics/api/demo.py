"""The demo: removing it."""

from ninja import Router, Status

from continuity.api.access import ADMIN, ApiRequest
from continuity.api.problems import answers
from diagnostics.services import demo_removal

router = Router(tags=["demo"])


@router.delete("/demo", auth=ADMIN, response=answers(None, 204), summary="Remove the demo")
def remove_demo(request: ApiRequest) -> Status[None]:
    """Deletes the demo team, its people and all that is theirs. For operators of the demo team, and keys that one of them made."""
    demo_removal.removable_by(request.auth.person)
    demo_removal.remove()
    return Status(204, None)
