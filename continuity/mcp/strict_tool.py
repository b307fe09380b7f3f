"""Tools that take what they name and nothing else, and say in plain words what was wrong with a call."""

from __future__ import annotations

from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

from mcp.server.mcpserver.exceptions import ToolError
from mcp.server.mcpserver.tools.base import Tool
from pydantic import ValidationError

if TYPE_CHECKING:
    from mcp.server.mcpserver.context import Context

SHOWN = 5  # faults of one call


class StrictTool(Tool):
    """Refuses an argument that it does not know: left out silently, a wrong name would make the tool act on something else."""

    def model_post_init(self, context: Any, /) -> None:
        self.parameters["additionalProperties"] = False

    async def run(self, arguments: dict[str, Any], context: Context[Any, Any], convert_result: bool = False) -> Any:
        """The tool's answer. Raises ToolError naming each argument that is unknown, missing or wrong."""
        known = list(self.parameters.get("properties", {}))
        unknown = [name for name in arguments if name not in known]
        if unknown:
            told = " ".join(_unknown(name, known) for name in unknown[:SHOWN])
            raise ToolError(f"Nothing was done. {told} It takes: {', '.join(known)}.")
        try:
            return await super().run(arguments, context, convert_result)
        except ToolError as error:
            if isinstance(error.__cause__, ValidationError):
                raise ToolError(f"Nothing was done. {_faults(error.__cause__)}") from error.__cause__
            raise


def _unknown(name: str, known: list[str]) -> str:
    near = get_close_matches(name, known, 1)
    return f"There is no argument {name[:60]!r}." + (f" Did you mean {near[0]!r}?" if near else "")


def _faults(error: ValidationError) -> str:
    """Each argument and what it has to be; the rejected values are not repeated."""
    found = error.errors(include_url=False, include_context=False, include_input=False)
    told = [f"{'.'.join(map(str, each['loc']))}: {each['msg']}." for each in found[:SHOWN]]
    return " ".join(told) + (f" And {len(found) - SHOWN} more." if len(found) > SHOWN else "")
