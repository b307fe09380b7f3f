"""A client and its key: had for a code, given back."""

from django.conf import settings
from django.utils import timezone
from ninja import Field, Router, Schema, Status

from continuity.api.access import READ, ApiRequest
from continuity.api.problems import answers
from continuity.core.errors import NotYours
from continuity.core.request_origin import address_of
from continuity.models import ApiKey
from continuity.services.accounts import apikeys, client_codes, rates

router = Router(tags=["client"])


class CodeIn(Schema):
    code: str = Field(max_length=client_codes.LONGEST, description="As the page /client/ showed it; dashes and spaces do not count.")
    name: str = Field("client", min_length=1, max_length=client_codes.NAME, description="What the key is called, such as the machine.")


class ClientKeyOut(Schema):
    """`key` is told this once. `maker` is whose key it is, `team` where it works."""

    key: str
    name: str
    team: str
    maker: str


@router.post("/client/keys", auth=None, response=answers(ClientKeyOut, 201, 410), summary="Exchange a code for a key")
def redeem_code(request: ApiRequest, payload: CodeIn) -> Status[ClientKeyOut]:
    """Takes a code that somebody made on the page /client/, once and within ten minutes, and answers a key of theirs. Needs no key."""
    rates.take(settings.CONTINUITY_SIGN_IN_RATE, "codes tried", address_of(request))
    key, full = client_codes.redeem(code=payload.code, name=payload.name, now=timezone.now())
    return Status(201, _out(key, full))


@router.delete("/client/keys/own", auth=READ, response=answers(None, 204), summary="End the key of this request")
def end_own_key(request: ApiRequest) -> Status[None]:
    """Revokes the key that the request was sent with."""
    if request.auth.key is None:
        raise NotYours(who="a key itself")
    apikeys.revoke(key=request.auth.key)
    return Status(204, None)


def _out(key: ApiKey, full: str) -> ClientKeyOut:
    return ClientKeyOut(key=full, name=key.name, team=key.team.name, maker=str(key.created_by))
