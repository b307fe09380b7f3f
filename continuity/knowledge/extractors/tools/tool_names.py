"""Names under which the tools of different agents do the same thing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from continuity.knowledge.language.word_sets import word_set

SHELL = word_set(
    """
    bash exec_command shell local_shell local_shell_call execute_bash run_shell_command run_terminal_cmd execute_command
    container.exec powershell terminal run_in_terminal run_command shell_command exec cmd command developer__shell
    """
)
WRITE = frozenset(["write", "write_file", "write_to_file", "create_file", "create", "writefile", "new_file", "save_file"])
EDIT = word_set(
    """
    edit multiedit multi_edit edit_file replace replace_in_file search_replace str_replace apply_diff insert_content
    insert_edit_into_file search_and_replace edit_existing_file notebookedit replace_string_in_file patch_file update_file
    single_find_and_replace insert
    """
)
EDITOR = frozenset(["str_replace_editor", "str_replace_based_edit_tool", "text_editor", "developer__text_editor", "file_editor"])
READ = frozenset(
    ["read", "read_file", "view", "view_file", "cat", "readfile", "open_file", "read_many_files", "notebookread", "fetch_file", "open"]
)
SEARCH = word_set(
    """
    grep glob ls grep_search file_search codebase_search search_files list_files list_dir list_directory find_by_name search_file_content
    websearch web_search google_web_search webfetch web_fetch
    """
)
DELETE = frozenset(["delete_file", "delete", "remove_file"])
MOVE = frozenset(["rename_file", "move_file", "rename", "move"])
PATCH = frozenset(["apply_patch", "applypatch", "functions.apply_patch", "patch"])
LISTS = frozenset(
    ["todowrite", "todo_write", "update_todo_list", "write_todos", "update_plan", "manage_todo_list", "update_todo", "set_plan", "todo"]
)
CREATE_TASK = frozenset({"taskcreate", "task_create"})
UPDATE_TASK = frozenset({"taskupdate", "task_update"})
ASK = frozenset(
    ["askuserquestion", "ask_user_question", "request_user_input", "ask_followup_question", "ask_user", "question", "ask_human"]
)
PLAN = frozenset(["exitplanmode", "exit_plan_mode", "plan_mode_respond", "present_plan", "create_plan", "plan_exit"])
PLAN_MODE = frozenset(["enterplanmode", "enter_plan_mode"])
AGENTS = frozenset(["task", "agent", "spawn_agent", "dispatch_agent", "new_task", "subagent", "delegate"])
STOP = frozenset(["killshell", "killbash", "taskstop", "kill_shell", "stop_bash", "kill_process", "stop_process", "stop_powershell"])
COMMITS = frozenset(("commit", "undo"))
FINISH = frozenset(["submit", "attempt_completion", "finish", "task_complete", "complete_task", "task_done", "submit_result"])
OUTPUT = word_set(
    "bashoutput taskoutput write_stdin read_bash write_bash read_powershell write_powershell get_terminal_output check_background"
)


def plain_name(name: str) -> str:
    """A tool's name in lower case without the namespace that its client puts before it."""
    return name.lower().removeprefix("functions.").removeprefix("default_api:").removeprefix("default_api.")


def path_of(arguments: Mapping[str, Any]) -> str:
    """The path a file tool is called with, or nothing."""
    return first(
        arguments,
        "file_path",
        "path",
        "absolute_path",
        "filePath",
        "filename",
        "target_file",
        "notebook_path",
        "file",
        "uri",
        "relative_workspace_path",
    )


def first(arguments: Mapping[str, Any], *names: str) -> str:
    """The first of the named arguments that is a non-empty string."""
    for name in names:
        value = arguments.get(name)
        if isinstance(value, str) and value.strip():
            return value
    return ""


def texts(value: Any) -> list[str]:
    """The non-empty strings of a list, or one string as a list."""
    if isinstance(value, str):
        return [value] if value.strip() else []
    return [item for item in value if isinstance(item, str) and item.strip()] if isinstance(value, (list, tuple)) else []
