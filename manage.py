#!/usr/bin/env python
"""Django's commands; those that need a database and find none running start the embedded servers for their own duration."""

from __future__ import annotations

import os
import sys
from importlib import import_module
from pathlib import Path

PROJECT = Path(__file__).resolve().parent
# Pure commands run without settings and applications, which would take longer to load than their work takes.
WITHOUT_APPS = {
    "handoff": "handoffs.management.commands.handoff",
    "pack": "handoffs.management.commands.pack",
    "shutdown": "config.supervision.shutdown",
}


def main() -> int:
    from config.embedded.errors import StartError
    from config.env import BadSetting
    from config.supervision.temporary_servers import servers_for

    try:
        with servers_for(sys.argv[1:], PROJECT):
            _run(sys.argv)
    except (StartError, BadSetting) as error:
        print(f"continuity: {error}", file=sys.stderr)
        return 1
    except Exception as error:
        if type(error.__cause__).__name__ not in ("UndefinedTable", "UndefinedColumn"):
            raise
        print("continuity: the database is not prepared yet: start Continuity once, or run `manage.py migrate`", file=sys.stderr)
        return 1
    return 0


def _run(argv: list[str]) -> None:
    if len(argv) > 1 and argv[1] in WITHOUT_APPS:
        import_module(WITHOUT_APPS[argv[1]]).Command().run_from_argv(argv)
        return
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    from django.core.management import execute_from_command_line

    if argv[1:2] == ["monitor"]:  # A program as web and worker are, of which the application's packages know nothing.
        import_module("django").setup()
        import_module("config.telemetry").configure_from_environment("monitor")
    execute_from_command_line(argv)


if __name__ == "__main__":
    sys.exit(main())
