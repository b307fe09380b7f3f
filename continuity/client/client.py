"""Continuity from Python: `Client` for those who write agents.

client = Client()                                            # CONTINUITY_URL and CONTINUITY_API_KEY, or `continuity login`
session = client.open(source_tool="my-agent", external_id="run-17", cwd="/srv/app")
answer = client.append(session, [{"role": "user", "content": "Use Postgres.", "external_id": "1"}])
if answer["decision"]["should_handoff"]:
    handoff = client.prepare(session)
    print(client.resume(handoff["id"])["directive"])
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, cast
from urllib.parse import quote

from continuity.client import credentials, shapes
from continuity.client.connection import ANSWER_SECONDS, CONNECT_SECONDS, Away, Caller, Connection, Refused

PAGE = 200


class Client:
    """One method for each thing that an agent needs; every one raises `Away` and `Refused` (connection.py).

    `url` and `key` default to the environment's, then to those of `continuity login` (else NotLoggedIn). `connect` and
    `answer` are seconds. In the process of an agent it acts for that instance, unless `acting` is False, as for who records: then it
    acts for none. Not for use by several threads.
    """

    def __init__(
        self, url: str = "", key: str = "", *, connect: float = CONNECT_SECONDS, answer: float = ANSWER_SECONDS, acting: bool = True
    ) -> None:
        found = None if key else credentials.find()
        self.url = url or (found.url if found else os.environ.get("CONTINUITY_URL") or credentials.DEFAULT_URL)
        instance = found.acting if found and acting else ""
        chosen = credentials.Credentials(self.url, found.key if found else key, acting=instance)
        self._remote: Connection | None = Connection(chosen, connect=connect, answer=answer)
        self._connection: Caller = self._remote

    def for_thread(self) -> Client:
        """The same for another thread: its connection is its own."""
        made = Client.over(self._connection, self.url)
        if self._remote is not None:
            made._connection = made._remote = self._remote.for_thread()
        return made

    def is_ready(self) -> bool:
        """Whether the server says that it can work; asked for some seconds at most."""
        return self._remote is None or self._remote.is_ready()

    @property
    def version(self) -> str:
        """The server's, as its last answer named it; empty before the first."""
        return self._remote.version if self._remote is not None else ""

    @classmethod
    def over(cls, caller: Caller, url: str = "") -> Client:
        """A client whose calls another caller takes, such as the server within its own process."""
        made = cls.__new__(cls)
        made.url, made._connection, made._remote = url, caller, None
        return made

    def close(self) -> None:
        self._connection.close()

    @classmethod
    def redeem(cls, url: str, code: str, name: str) -> shapes.ClientKey:
        """A key for a code of the page /client/, called `name`. Raises Away, Refused, BadAddress."""
        connection = Connection(credentials.Credentials(url, ""))
        try:
            return cast(shapes.ClientKey, connection.call("POST", "/client/keys", {"code": code, "name": name}))
        finally:
            connection.close()

    def end_own_key(self) -> None:
        """Revokes the key that this client uses."""
        self._connection.call("DELETE", "/client/keys/own")

    def open(self, *, source_tool: str, external_id: str, **about: Any) -> str:
        """The id of the conversation that records this session of this tool; opened unless it is there already.

        `about` may hold title, provider, model, max_context_tokens, cwd, branch, metadata, directive_digest.
        """
        wanted = {"source_tool": source_tool, "external_id": external_id, **about}
        try:
            return str(_field(self._connection.call("POST", "/conversations", wanted), "id"))
        except Refused as refused:
            known = refused.problem.get("conversation_id")
            if refused.status != 409 or not known:
                raise
            return str(known)

    def append(
        self, conversation: str, messages: Sequence[Mapping[str, Any]], *, abandoned: Sequence[str] = (), device: str = "", **told: Any
    ) -> shapes.AppendAnswer:
        """Records messages; those whose `external_id` is stored already keep their place. The answer carries the decision.

        `told` may hold max_context_tokens and window_source (client, statusline or transcript): the window as it is by then; and head, the
        commit that is checked out by then.
        """
        body = {"messages": messages, "abandoned": list(abandoned), "device": device, **told}
        return cast(shapes.AppendAnswer, self._connection.call("POST", f"/conversations/{conversation}/messages", body))

    def decision(self, conversation: str) -> shapes.PresentDecision:
        return cast(shapes.PresentDecision, self._connection.call("GET", f"/conversations/{conversation}/decision"))

    def prepare(self, conversation: str, **wanted: Any) -> shapes.Handoff:
        """A checked handoff; `wanted` may hold budget (tokens), style, note, draft, trigger_reason. `failed` tells why it is not ready."""
        return cast(shapes.Handoff, self._connection.call("POST", f"/conversations/{conversation}/handoffs", wanted))

    def handoffs(self, *, status: str = "", cwd: str = "", within: str = "", limit: int = 20) -> list[shapes.Handoff]:
        """The team's handoffs, the newest first; `cwd` names their folder, `within` one in or below which they worked.

        Of those that are ready, the ones that a later session overtook by going on from another are left out.
        """
        overtaken = "false" if status == "ready" else ""
        query = {"status": status, "cwd": cwd, "within": within, "limit": limit, "overtaken": overtaken}
        return cast(list[shapes.Handoff], _field(self._connection.call("GET", "/handoffs", query=query), "items"))

    def handoff(self, handoff: str) -> shapes.HandoffWithPackage:
        """One handoff with its package."""
        return cast(shapes.HandoffWithPackage, self._connection.call("GET", f"/handoffs/{handoff}"))

    def validate(self, handoff: str) -> shapes.ValidationAnswer:
        """The check of a stored handoff against its conversation as it is now; the handoff stays as it is."""
        return cast(shapes.ValidationAnswer, self._connection.call("POST", f"/handoffs/{handoff}/validate", {}))

    def directive(self, handoff: str, *, style: str = "") -> str:
        return str(_field(self._connection.call("GET", f"/handoffs/{handoff}/directive", query={"style": style}), "text"))

    def expand(self, handoff: str, reference: str, *, level: str = "detailed") -> shapes.ExpandAnswer:
        """What a reference of the handoff's directive stands for: brief, detailed, or verbatim with the turns around it."""
        return cast(
            shapes.ExpandAnswer, self._connection.call("GET", f"/handoffs/{handoff}/expand", query={"ref": reference, "level": level})
        )

    def chain(self, any_id: str) -> dict[str, Any]:
        """The chain with this id, or the one of the conversation with this id, and its handoffs."""
        return cast(dict[str, Any], self._connection.call("GET", f"/chains/{any_id}"))

    def export(self, handoff: str) -> dict[str, Any]:
        """The handoff's package as a signed document."""
        return cast(dict[str, Any], self._connection.call("GET", f"/handoffs/{handoff}/export"))

    def import_package(self, document: Mapping[str, Any], *, draft: bool = False) -> shapes.Handoff:
        """Stores an exported package as a handoff that can be resumed; refused (409) where the team has it already."""
        query = {"draft": "true" if draft else ""}
        return cast(shapes.Handoff, self._connection.call("POST", "/packages", document, query=query))

    def resume(self, handoff: str, **wanted: Any) -> shapes.ResumeAnswer:
        """Opens the next conversation of the chain; `wanted` may hold source_tool, external_id, model, max_context_tokens, style, fork."""
        return cast(shapes.ResumeAnswer, self._connection.call("POST", f"/handoffs/{handoff}/resume", wanted))

    def decide(self, conversation: str, text: str, *, type: str = "Decision", rationale: str = "", rejected: str = "") -> shapes.Anchor:
        """Records by hand what must survive: a Decision, a Constraint, a UserPreference."""
        body = {"text": text, "type": type, "rationale": rationale, "rejected": rejected}
        return cast(shapes.Anchor, self._connection.call("POST", f"/conversations/{conversation}/anchors", body))

    def write_note(self, conversation: str, note: Mapping[str, Any]) -> shapes.WriteNoteAnswer:
        """Writes a handoff note: each part (`core.note_parts.PARTS`) is a list of statements. The answer names what did not hold."""
        return cast(shapes.WriteNoteAnswer, self._connection.call("POST", f"/conversations/{conversation}/notes", note))

    def rate(self, handoff: str, ratings: Mapping[str, Any]) -> shapes.RatingsAnswer:
        """Rates a handoff that was resumed; `ratings` may hold useful, wrong_lines (line, comment), missing, style,
        conversation_id."""
        return cast(shapes.RatingsAnswer, self._connection.call("POST", f"/handoffs/{handoff}/ratings", ratings))

    def packs(self, conversation: str) -> shapes.Pack:
        """The packs that were made last for a session."""
        return cast(shapes.Pack, self._connection.call("GET", f"/conversations/{conversation}/packs"))

    def artifacts(self, key: str, *, status: str = "accepted") -> list[dict[str, Any]]:
        """What was captured of the sessions in a repository, which its `key` names; none where the team does not know it."""
        known = cast(list[dict[str, Any]], _field(self._connection.call("GET", "/repositories"), "items"))
        found = next((each["id"] for each in known if each["key"] == key), None)
        if found is None:
            return []
        answer = self._connection.call("GET", f"/repositories/{found}/artifacts", query={"status": status})
        return cast(list[dict[str, Any]], _field(answer, "items"))

    def ask_packs(self, conversation: str, question: Mapping[str, Any]) -> shapes.PackAnswer:
        """What a session is given at this turn, where it is kept."""
        return cast(shapes.PackAnswer, self._connection.call("POST", f"/conversations/{conversation}/packs/asked", question))

    def make_packs(self, conversation: str, question: Mapping[str, Any], material: Mapping[str, Any]) -> shapes.PackAnswer:
        """The packs made of what was found in the repository."""
        body = {"question": question, "material": material}
        return cast(shapes.PackAnswer, self._connection.call("POST", f"/conversations/{conversation}/packs", body))

    def conversation(self, conversation: str) -> shapes.Conversation:
        return cast(shapes.Conversation, self._connection.call("GET", f"/conversations/{conversation}"))

    def conversations(self, **query: Any) -> list[shapes.Conversation]:
        """The latest first; `query` may hold cwd, within, source_tool, external_id, status, q, limit."""
        return cast(list[shapes.Conversation], _field(self._connection.call("GET", "/conversations", query=query), "items"))

    def erase(self, conversation: str) -> None:
        """Removes the conversation with every copy; it can't be undone."""
        self._connection.call("POST", f"/conversations/{conversation}/erase", {})

    def reasons(self, commits: Sequence[str], *, conversation: str = "", **times: str) -> list[shapes.CommitReason]:
        """Why the commits were made, as far as recorded sessions saw them; and of the `conversation` that one names itself, where it is
        there. `times` may hold made_at and written_at of the first one: what was said later is not its reason."""
        query = {"commit": list(commits), "conversation_id": conversation, **times}
        return cast(list[shapes.CommitReason], _field(self._connection.call("GET", "/commits", query=query), "items"))

    def tasks(self, conversation: str, *, open: bool = False) -> list[shapes.Task]:
        return cast(list[shapes.Task], list(self._pages(f"/conversations/{conversation}/tasks", open="true" if open else "")))

    def change_task(self, conversation: str, key: str, **changes: Any) -> shapes.Task:
        """`changes` may hold description, status, steps_done, steps_left, blocking_reason, dismissed."""
        return cast(shapes.Task, self._connection.call("PATCH", f"/conversations/{conversation}/tasks/{quote(key, safe='')}", changes))

    def add_task(self, conversation: str, description: str, **details: Any) -> shapes.Task:
        body = {"description": description, **details}
        return cast(shapes.Task, self._connection.call("POST", f"/conversations/{conversation}/tasks", body))

    def anchors(self, conversation: str) -> Iterator[shapes.Anchor]:
        return cast(Iterator[shapes.Anchor], self._pages(f"/conversations/{conversation}/anchors"))

    def messages(self, conversation: str, *, from_seq: int = 0) -> Iterator[shapes.Message]:
        return cast(Iterator[shapes.Message], self._pages(f"/conversations/{conversation}/messages", from_seq=from_seq))

    def message(self, conversation: str, seq: int) -> shapes.Message | None:
        query = {"from_seq": seq, "limit": 1, "abandoned": "true"}
        found = _field(self._connection.call("GET", f"/conversations/{conversation}/messages", query=query), "items")
        return cast(shapes.Message, found[0]) if found and found[0]["seq"] == seq else None

    def search(self, words: str, *, conversation: str = "", **filters: Any) -> shapes.SearchAnswer:
        """What holds all the words, the best first; `filters` may hold kind, role, tool, source_tool, since, until, cursor, limit."""
        path = f"/conversations/{conversation}/search" if conversation else "/search"
        return cast(shapes.SearchAnswer, self._connection.call("GET", path, query={"q": words, **filters}))

    def _pages(self, path: str, **query: Any) -> Iterator[Any]:
        cursor = ""
        while cursor is not None:
            page = self._connection.call("GET", path, query={**query, "limit": PAGE, "cursor": cursor})
            yield from _field(page, "items")
            cursor = page["next_cursor"]


def _field(answer: Any, name: str) -> Any:
    """A field of an answer. Raises Away where another program answered."""
    try:
        return answer[name]
    except (KeyError, TypeError) as error:
        raise Away("the address is not the server's: it answers something else") from error
