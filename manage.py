#!/usr/bin/env python
"""Django's commands; those that need a database and find none running start the embedded servers for their own duration."""

from __future__ import annotations

import os
import sys
from pathlib import Path

PROJECT = Path(__file__).resolve().parent


def main() -> int:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    from config.borrowed import needs_servers, servers_for
    from config.embedded.errors import StartError
    from config.env import BadSetting

    try:
        with servers_for(sys.argv[1:], PROJECT):
            if needs_servers(sys.argv[1:]):
                import config.celery  # noqa: F401  (binds shared tasks to our broker)
            from django.core.management import execute_from_command_line

            execute_from_command_line(sys.argv)
    except (StartError, BadSetting) as error:
        print(f"continuity: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
