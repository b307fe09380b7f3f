"""The product as `make run` starts it, with an owner, a key, and something to look at."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from uuid import uuid4

import httpx2

from tests.faults.calling import Caller
from tests.platform.running import OWNER as OWNER
from tests.platform.running import PASSWORD as PASSWORD
from tests.platform.running import PROJECT, Application, eventually, key_of

TEAMMATE = "jonas@example.com"
# Tests ask from one address, and fail to sign in on purpose.
UNHURRIED = {f"CONTINUITY_{limit}_RATE": "1000000/second" for limit in ("API", "REFUSED", "SIGN_IN", "RESET")}
SESSION = PROJECT / "continuity" / "demo" / "session.jsonl"
RULE = "Never write to the table `tides` without a migration."
MODULES = ("tides", "berths", "pilots", "locks", "lights")
DECISION = "Let's keep the queue in Postgres instead of Redis."


@dataclass
class Site:
    """A running Continuity. `states` keeps the cookies of those who signed in, by address."""

    application: Application
    key: str
    states: dict[str, Any] = field(default_factory=dict)
    joined: set[str] = field(default_factory=set)
    furnishings: list[str] = field(default_factory=list)

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.application.port}"

    @property
    def api(self) -> Caller:
        return Caller(self.application.port, self.key)

    def post(self, path: str, body: Any = None) -> dict[str, Any]:
        answer = self.api.call("POST", path, body or {})
        assert answer.status in (200, 201), answer
        return answer.body

    def conversation(self, title: str) -> str:
        """A conversation of its own, with a rule, a decision and an open task."""
        said = {"title": title, "source_tool": "claude-code", "external_id": uuid4().hex, "model": "claude-sonnet-4-5"}
        conversation = str(self.post("/conversations", said)["id"])
        self.say(conversation, f"Please build the job queue. {RULE}", "Should the queue live in Redis or in Postgres?")
        self.say(conversation, DECISION, "I'll write the worker next, and then the test of the lease.")
        return conversation

    def say(self, conversation: str, asked: str, answered: str, **more: str) -> None:
        messages = [{"role": "user", "content": asked}, {"role": "assistant", "content": answered}]
        self.post(f"/conversations/{conversation}/messages", {"messages": messages, **more})

    def handoff(self, conversation: str, **options: Any) -> str:
        return str(self.post(f"/conversations/{conversation}/handoffs", options)["id"])

    def teammate(self) -> str:
        """The address of a second member of the team, made once."""
        if TEAMMATE not in self.joined:
            made = f"accounts.create_user(email={TEAMMATE!r}, password={PASSWORD!r}, name='Jonas')"
            self._run(f"accounts.add_member(team=Team.objects.get(slug=bootstrap.FIRST_TEAM), user={made})")
            self.joined.add(TEAMMATE)
        return TEAMMATE

    def drafts(self, conversation: str, number: int) -> str:
        """The address of a repository with so many drafts that wait for a person."""
        found = f"Conversation.objects.get(id={conversation!r})"
        repository = "Repository.objects.create(team=c.team, key=c.id.hex, name='tides', seen_at=timezone.now())"
        said = "[{'text': f'No, harbour {n} is closed at low tide.', 'seq': 1}]"
        fields = f"kind='landmine', trigger='direction', subject=f'harbour {{n}}', title=f'Harbour {{n}}', sentences={said}"
        rows = f"[Artifact(team=c.team, repository=r, conversation=c, {fields}) for n in range({number})]"
        models = "from continuity.models import Conversation; from handoffs.models import Artifact, Repository"
        made = f"c = {found}; r = {repository}; Artifact.objects.bulk_create({rows}); print(r.id)"
        return f"/repositories/{self._run(f'{models}; from django.utils import timezone; {made}').strip()}"

    def shared(self, conversation: str) -> None:
        """An agent, a group, a shared state, and the repository of the conversation."""
        makers = "from tests.api.rows import in_a_repository, running, sharing"
        found = f"from continuity.models import Conversation; c = Conversation.objects.get(id={conversation!r})"
        self._run(f"{makers}; {found}; running(c.team, 'Tides'); sharing(c.team, 'Tides'); in_a_repository(c, 'Tides')")

    def invited(self) -> None:
        """An open invitation of the owner."""
        by = "User.objects.get(is_superuser=True)"
        made = f"role=1, by={by}, now=timezone.now(), email='kim@example.com'"
        code = f"invitations.create(team=Team.objects.get(slug=bootstrap.FIRST_TEAM), {made})"
        self._run(f"from continuity.services.accounts import invitations; from django.utils import timezone; {code}")

    def demo(self) -> None:
        """A demo team with the owner in it, and nothing else, which takes no time to load."""
        found = "accounts.found_team(slug='demo', name='Demo', owner=User.objects.get(is_superuser=True))"
        self._run(f"{found}; Team.objects.filter(slug='demo').update(demo=True)")

    def _run(self, code: str) -> str:
        """Runs code in the installation, and returns what it prints."""
        imports = "from continuity.models import Team, User; from continuity.services.accounts import accounts, bootstrap"
        command = [sys.executable, "manage.py", "shell", "--no-imports", "-c", f"{imports}; {code}"]
        ran = subprocess.run(command, cwd=PROJECT, env=self.application.env, check=False, capture_output=True, text=True)
        assert ran.returncode == 0, ran.stderr
        return ran.stdout

    def overloaded(self) -> str:
        """A conversation with more open work than a small package can state: its check fails there."""
        conversation = str(self.post("/conversations", {"title": "More than fits", "external_id": uuid4().hex})["id"])
        todos = [{"content": f"Rewrite the {name} of harbour {number}", "status": "pending"} for number in range(8) for name in MODULES]
        call = {"type": "tool_use", "id": "t1", "name": "TodoWrite", "input": {"todos": todos}}
        asked = {"role": "user", "content": "Please rewrite all of this."}
        self.post(f"/conversations/{conversation}/messages", {"messages": [asked, {"role": "assistant", "content": [call]}]})
        return conversation

    def imported(self) -> str:
        """The job that reads the project's own session from a file, done."""
        sent = {"file": (SESSION.name, SESSION.read_bytes())}
        bearer = {"Authorization": f"Bearer {self.key}"}
        answer = httpx2.post(f"{self.address}/api/v1/conversations/import", files=sent, headers=bearer, timeout=60)
        assert answer.status_code == 202, answer.text
        job = str(answer.json()["id"])
        assert eventually(lambda: self.api.get(f"/jobs/{job}")["status"] == "done"), self.application.output()
        return job

    def furnished(self) -> list[str]:
        """The addresses from where a visitor finds the rest of a site with one of everything, made once."""
        self.furnishings = self.furnishings or self._furnished()
        return self.furnishings

    def _furnished(self) -> list[str]:
        """Makes handoffs in several states, and what stands beside them; returns when all is read."""
        reviewed, crowded, went_on = self.conversation("A draft to review"), self.overloaded(), self.conversation("Goes on twice")
        self.say(reviewed, "This is the log of last night:\n" + "The tide came in.\n" * 400, "I see one gap.")
        for commit in ("a1b2c3d4" * 5, "c0ffee12" * 5):
            self.say(reviewed, "Commit it.", "It is committed.", head=commit)
        made = [self.handoff(reviewed, draft=True), self.handoff(crowded, budget=150)]
        for _ in range(2):
            made.append(self.handoff(went_on))
            resumed = self.post(f"/handoffs/{made[-1]}/resume", {"source_tool": "codex"})
            went_on = str(resumed["conversation"]["id"])
            self.say(went_on, "Go on with the worker.", "I have written the worker, the test of the lease is left.")
        self.teammate()
        self.invited()
        self.shared(reviewed)
        job = self.imported()
        begun = [reviewed, crowded, went_on]
        assert eventually(lambda: all(self.read(conversation) for conversation in begun)), self.application.output()
        # First what this made, one of each state: what other tests made would take the few places of its kind.
        states = [made[0], made[1], made[-1]]
        return [*(f"/conversations/{one}" for one in begun), *(f"/handoffs/{one}" for one in states), f"/jobs/{job}", "/"]

    def read(self, conversation: str) -> bool:
        """Tell whether knowledge was taken from all its messages."""
        found = self.api.get(f"/conversations/{conversation}")
        return bool(found["folded_seq"] == found["last_seq"])

    def output(self) -> str:
        """All that the processes said, mails included."""
        return self.application.log.read_text(encoding="utf-8", errors="replace")


def start(folder: Path, begun: Path) -> Site:
    application = Application(folder / "data", **UNHURRIED).after(begun)
    application.start()
    return Site(application, key_of(application))
