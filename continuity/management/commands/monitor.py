"""manage.py monitor: does what is due to the moment, beside the workers. Several may run; one of them leads."""

import signal
import threading
from types import FrameType
from typing import Any

from django.core.management.base import BaseCommand
from django.utils.module_loading import autodiscover_modules

from continuity.services.monitor import leading, loop


class Command(BaseCommand):
    help = "Sends webhooks, gives up what hangs, tells of alerts: to the moment. Ends at SIGTERM."

    def handle(self, *args: Any, **options: Any) -> None:
        autodiscover_modules("watches")
        leading.bound_connections()
        stop = threading.Event()

        def asked(number: int, frame: FrameType | None) -> None:
            stop.set()

        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, asked)
        loop.run(stop=stop)
