"""continuity uninstall: the hooks taken out again, and the settings as they were."""

from __future__ import annotations

import argparse

from continuity.client.commands.tools import install
from continuity.client.setup import hook_settings


def arguments(parser: argparse.ArgumentParser) -> None:
    install.arguments(parser)


def run(options: argparse.Namespace) -> int:
    if options.plugin:
        return install.without_plugin(options)
    return install.settle(options, hook_settings.uninstall(options.tool, project=options.project), remember=False)
