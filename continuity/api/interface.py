"""The API as a whole: clean input, problems for refusals, and a description that says so."""

from copy import deepcopy
from typing import Any

from ninja import NinjaAPI
from ninja.openapi.schema import OpenAPISchema
from ninja.operation import Operation
from ninja.types import DictStrAny

from continuity.api.parsing import CleanParser
from continuity.api.problems import HANDLERS, MEDIA_TYPE, Problem


class Interface(NinjaAPI):
    def __init__(self, **options: Any) -> None:
        super().__init__(parser=CleanParser(), **options)
        self._described: dict[str, OpenAPISchema] = {}
        for kind, handler in HANDLERS.items():
            self.add_exception_handler(kind, handler)

    def get_openapi_operation_id(self, operation: Operation) -> str:
        return operation.view_func.__name__

    def get_openapi_schema(self, **options: Any) -> OpenAPISchema:
        """The OpenAPI document, made once, since that takes a while, and given to each caller as their own; every refusal in it is a
        problem, with the media type that it really has."""
        if (asked := repr(options)) not in self._described:
            self._described[asked] = self._describe(**options)
        return deepcopy(self._described[asked])

    def _describe(self, path_prefix: str | None = None, path_params: DictStrAny | None = None) -> OpenAPISchema:
        schema = OpenAPISchema(self, self.get_root_path(path_params or {}) if path_prefix is None else path_prefix)
        schema["components"]["schemas"]["Problem"] = Problem.json_schema()
        answers = [answer for path in schema["paths"].values() for operation in path.values() for answer in operation["responses"].items()]
        for status, answer in answers:
            if int(status) >= 400:
                answer["content"] = {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}}
        return schema
