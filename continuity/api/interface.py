"""The API as a whole: clean input, problems for refusals, and a description that says so."""

from copy import deepcopy
from typing import Any

from ninja import NinjaAPI
from ninja.openapi.schema import OpenAPISchema
from ninja.operation import Operation
from ninja.types import DictStrAny
from pydantic.json_schema import JsonSchemaMode

from continuity.api.parsing import CleanParser
from continuity.api.problems import HANDLERS, MEDIA_TYPE


class Document(OpenAPISchema):
    """As Ninja makes it, but what several operations answer is described once: each has a model of its own around it, also for refusals."""

    def __init__(self, api: NinjaAPI, path_prefix: str) -> None:
        self._answers: dict[tuple[object, ...], tuple[DictStrAny, bool]] = {}
        super().__init__(api, path_prefix)

    def _create_schema_from_model(
        self, model: Any, by_alias: bool = True, remove_level: bool = True, mode: JsonSchemaMode = "validation"
    ) -> tuple[DictStrAny, bool]:
        fields = model.model_fields
        if mode != "serialization" or set(fields) != {"response"}:
            return super()._create_schema_from_model(model, by_alias, remove_level, mode)
        asked = str(fields["response"]), fields["response"].annotation, by_alias, remove_level
        if asked not in self._answers:
            self._answers[asked] = super()._create_schema_from_model(model, by_alias, remove_level, mode)
        return deepcopy(self._answers[asked])


class Interface(NinjaAPI):
    def __init__(self, **options: Any) -> None:
        super().__init__(parser=CleanParser(), **options)
        self._described: dict[str, OpenAPISchema] = {}
        for kind, handler in HANDLERS.items():
            self.add_exception_handler(kind, handler)

    def get_openapi_operation_id(self, operation: Operation) -> str:
        return operation.view_func.__name__

    def get_openapi_schema(self, **options: Any) -> OpenAPISchema:
        """The OpenAPI document, made once, since that takes a while, and given to each caller as their own; of refusals it names the media
        type that they really have."""
        if (asked := repr(options)) not in self._described:
            self._described[asked] = self._describe(**options)
        return deepcopy(self._described[asked])

    def _describe(self, path_prefix: str | None = None, path_params: DictStrAny | None = None) -> OpenAPISchema:
        schema = Document(self, self.get_root_path(path_params or {}) if path_prefix is None else path_prefix)
        answers = [answer for path in schema["paths"].values() for operation in path.values() for answer in operation["responses"].items()]
        for status, answer in answers:
            if int(status) >= 400:
                answer["content"] = {MEDIA_TYPE: answer["content"].pop("application/json")}
        return schema
