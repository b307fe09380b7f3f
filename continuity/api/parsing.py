"""Sanitises requests once at the edge, before text that a database or a reader would choke on gets further."""

from typing import Any

from django.http import HttpRequest
from django.utils.datastructures import MultiValueDict
from ninja.parser import Parser
from ninja.types import DictStrAny

from continuity.transcripts.base.decoding import decode_record
from continuity.transcripts.base.sanitise import clean_text


class CleanParser(Parser):
    """Reads bodies and query strings. NUL, lone surrogates, NaN and nesting beyond 64 levels are replaced and marked."""

    def parse_body(self, request: HttpRequest) -> Any:
        """The body's JSON. Raises BadRecord, which says what is wrong and where."""
        return decode_record(request.body)

    def parse_querydict(self, data: MultiValueDict[str, Any], list_fields: list[str], request: HttpRequest) -> DictStrAny:
        found = super().parse_querydict(data, list_fields, request)
        return {key: clean_text(value) if isinstance(value, str) else value for key, value in found.items()}
