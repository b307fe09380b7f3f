"""manage.py explain: which rule makes an anchor of a sentence, by which words, and which others match; or what a method means."""

import sys
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from continuity.knowledge.methods import found_in_words
from continuity.knowledge.rules.catalogue import Setting
from continuity.knowledge.rules.explaining import ExplainedSentence, explained

SPEAKERS = {"user": Setting.PERSON, "agent": Setting.REPORT, "aside": Setting.ASIDE}


class Command(BaseCommand):
    help = "Says of each sentence of TEXT which rule makes an anchor of it, on which words, and which other rules match."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("text", metavar="TEXT", help="what was said, - for standard input; or the method of an anchor")
        parser.add_argument(
            "--speaker",
            choices=SPEAKERS,
            default="user",
            help="who says it: the user, the agent that reports, or between two calls (aside)",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        text = sys.stdin.read() if options["text"] == "-" else options["text"]
        if meaning := found_in_words(text.strip()):
            self.stdout.write(f"{text.strip()}: {meaning}.")
            return
        sentences = explained(text, SPEAKERS[options["speaker"]])
        for sentence in sentences:
            self.stdout.write("\n".join(_told(sentence)))
        if not sentences:
            self.stdout.write("There is no sentence in it: code and quotations are not read.")


def _told(sentence: ExplainedSentence) -> list[str]:
    if not sentence.rules:
        return [sentence.text, "  no rule matches"]
    named, *others = [f"{rule.name} ({rule.type.value}, {rule.importance:.2f}) on “{rule.words}”" for rule in sentence.rules]
    return [sentence.text, f"  named by {named}", *(f"  also matches {other}" for other in others)]
