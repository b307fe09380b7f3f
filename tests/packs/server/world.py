"""A session that was recorded in a repository, another that asks for packs there, and what its client would find."""

from dataclasses import dataclass
from typing import Any

from continuity.models import Conversation, Team
from continuity.packs.anchor import AnchorFacts
from continuity.packs.context import RankedFile
from continuity.repository.changes import Changes, FileChange
from continuity.services.knowledge import fold_runner
from continuity.services.recording import conversations
from continuity.services.search import indexing
from handoffs.packs.serving.material import PackMaterial
from handoffs.services.packages.authors import NOBODY
from handoffs.services.packs import pack_answers, pack_policies
from handoffs.services.packs.pack_answers import PackQuestion
from handoffs.services.packs.repositories import WorkPlace
from tests.words import answered, called, resulted, said

ROOT = "/home/me/mail"
RULE = "Never change src/parser.py without its test, please."
PLACE = WorkPlace("desk", ROOT, "ab" * 16, "example.org/mail", ("cd" * 20,))


def recorded(team: Team, *messages: Any, cwd: str = ROOT, name: str = "one") -> Conversation:
    made = conversations.create(team=team, source_tool="claude-code", external_id=name, cwd=cwd)
    conversations.append(team=team, conversation_id=made.id, messages=list(messages))
    fold_runner.catch_up(conversation_id=made.id)
    return Conversation.objects.get(id=made.id)


def earlier(team: Team, **fields: Any) -> Conversation:
    edit = {"file_path": f"{ROOT}/src/parser.py", "old_string": "a", "new_string": "b"}
    told = [said(RULE), called("Edit", edit, call_id="c1"), resulted("done", call_id="c1"), answered("Changed, with its test.")]
    return recorded(team, *told, **{"name": "earlier", **fields})


def give(team: Team, mode: str = "snapshot", **changes: Any) -> None:
    pack_policies.change(team=team, changes={"mode": mode, **changes}, author=NOBODY)


def found(**fields: Any) -> PackMaterial:
    ranked = (RankedFile("src/parser.py", ("its name matches",), ((1, "def parse_header(line)"),)), RankedFile("src/gone.py"))
    facts = AnchorFacts(("- src/: parser.py (parse_header)",), (), ("src/parser.py",))
    change = FileChange("src/parser.py", "a\n", "b\n")
    return PackMaterial(
        **{"ranked": ranked[:1], "facts": facts, "changes": Changes((change,), 0, ()), "present": ("src/parser.py",), **fields}
    )


@dataclass
class Asking:
    """A session that asks, turn after turn."""

    team: Team
    conversation: Conversation
    head: str = "e" * 40
    changed: str = "f" * 40

    def question(self, **fields: Any) -> PackQuestion:
        given = {"place": PLACE, "head": self.head, "changed": self.changed, "begun": True, **fields}
        return PackQuestion(conversation_id=self.conversation.id, **given)

    def say(self, *messages: Any) -> None:
        conversations.append(team=self.team, conversation_id=self.conversation.id, messages=list(messages))
        fold_runner.catch_up(conversation_id=self.conversation.id)
        indexing.catch_up()

    def ask(self, **fields: Any) -> Any:
        return pack_answers.ask(team=self.team, question=self.question(**fields))

    def make(self, material: PackMaterial | None = None, **fields: Any) -> Any:
        return pack_answers.make(team=self.team, question=self.question(**{"begun": False, **fields}), material=material or found())


def asks(team: Team, words: str = "Mend parse_header in src/parser.py", name: str = "now") -> Asking:
    return Asking(team, recorded(team, said(words), name=name))
