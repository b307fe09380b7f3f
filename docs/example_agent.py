"""An agent in twenty lines: it records what is said, hands over when its window is full, and goes on where the last one stopped."""

from collections.abc import Callable

from continuity.client.client import Client


def work(run: str, requests: list[str], answer: Callable[[str, str], str]) -> str:
    """Answers the requests with `answer(directive, request)`; gives the directive that the last session worked from."""
    client = Client()  # CONTINUITY_URL and CONTINUITY_API_KEY, or `continuity login`
    ready = client.handoffs(status="ready", cwd=f"/agents/{run}", limit=1)
    resumed = client.resume(ready[0]["id"], source_tool="my-agent") if ready else None
    directive = resumed["directive"] if resumed else ""
    about = {"cwd": f"/agents/{run}", "max_context_tokens": 200_000}  # or the name of a known model, as `model`
    session = resumed["conversation"]["id"] if resumed else client.open(source_tool="my-agent", external_id=run, **about)
    for request in requests:
        said = [{"role": "user", "content": request}, {"role": "assistant", "content": answer(directive, request)}]
        if client.append(session, said)["decision"]["should_handoff"]:
            handoff = client.prepare(session, budget=4000)
            if handoff["status"] == "ready":
                resumed = client.resume(handoff["id"], source_tool="my-agent")
                directive, session = resumed["directive"], resumed["conversation"]["id"]
    return directive
