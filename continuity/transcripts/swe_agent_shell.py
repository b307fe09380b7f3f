"""SWE-agent's own shell: its commands as tools, and where an observation says that it stands."""

from __future__ import annotations

import re
from typing import Any

# what SWE-agent's own shell adds to the usual commands; everything else is a script
_COMMANDS = frozenset({
    "open", "goto", "scroll_up", "scroll_down", "search_file", "search_dir", "find_file", "create", "edit", "insert", "submit",
    "exit_cost", "exit_format", "exit_context",
})  # fmt: skip
# an observation ends with where the shell stands
_FOOTER = re.compile(
    r"\n?(?:\(Open file: (?P<file>[^\n]{0,1000})\)\n)?\(Current directory: (?P<cwd>[^\n]{0,1000})\)\nbash-\$\s*\Z|"
    r"\n?\[?Current directory: (?P<other>[^\n\]]{1,1000})\]?\s*\Z"
)
_EDIT_RANGE = re.compile(r"edit\s+(\d{1,9}):(\d{1,9})[^\n]*\n?(.*?)(?:\n?end_of_edit\s*)?\Z", re.DOTALL)


class SweAgentShell:
    """Knows the file that is open, which commands that edit do not name."""

    def __init__(self) -> None:
        self._open_file = ""

    def command(self, action: str, cwd: str) -> tuple[str, dict[str, Any]]:
        """A command of SWE-agent's shell as a tool with arguments; anything else as a script for bash."""
        name, *words = action.split("\n", 1)[0].split()
        if name not in _COMMANDS:
            return "bash", {"command": action}
        edit = _EDIT_RANGE.match(action)
        if edit:
            lines = {"start_line": int(edit[1]), "end_line": int(edit[2])}
            return name, {"path": self._open_file, **lines, "new_text": edit[3]}
        if name in ("open", "create") and words:
            path = words[0].strip("\"'")
            path = path if path.startswith("/") or not cwd else f"{cwd.rstrip('/')}/{path}"
            self._open_file = path
            return name, {"path": path, **({"line": words[1]} if len(words) > 1 else {})}
        return name, {"input": action[len(name) :].strip()} if action[len(name) :].strip() else {}

    def observed(self, text: str) -> tuple[str, str | None]:
        """An observation without what the shell says of itself, and its folder; None where it says nothing."""
        footer = _FOOTER.search(text, max(0, len(text) - 3000))
        if footer is None:
            return text.removeprefix("OBSERVATION:\n"), None
        self._open_file = "" if footer["file"] in (None, "n/a") else footer["file"]
        return text[: footer.start()].removeprefix("OBSERVATION:\n"), (footer["cwd"] or footer["other"] or "").strip()
