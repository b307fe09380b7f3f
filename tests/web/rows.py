"""Rows whose documents are written out, so that a page of them can be tested without preparing."""

from __future__ import annotations

from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

from django.utils import timezone

from continuity.knowledge.model import Situation
from continuity.models import Conversation
from handoffs.contract import package_json
from handoffs.contract.model import BudgetPlan, Directive, Metadata, Options, Package, PackageItem, PackageSection, SectionKind
from handoffs.models import Handoff, HandoffChain

PLAN = {"target": 4000, "used": 1893, "bySection": {"tasks": 512, "decisions": 702, "rules": 310}, "exceededByCritical": False}
SCORES = {"anchorPreservationScore": 0.97, "taskPreservationScore": 1.0, "statePreservationScore": 0.8, "overallFidelityScore": 0.948}
ISSUE = {"component": "State", "severity": "warning", "description": "The branch is not stated.", "recommendation": "State it.", "key": ""}


def package(identifier: UUID, of: Conversation, words: str) -> dict[str, Any]:
    """A package in its public form, with one line that binds."""
    now = timezone.now()
    made = Package(
        handoff_id=str(identifier),
        conversation_id=str(of.id),
        compacted_summary=words,
        anchors=(),
        tasks=(),
        files=(),
        situation=Situation(),
        metadata=Metadata(now, 126_600, 1893, "Manual"),
        directive=Directive(words, (), ()),
        sections=(PackageSection(SectionKind.RULES, (PackageItem("a1", "k1", words, 1, 12, 0.9, critical=True),), dropped=1),),
        plan=BudgetPlan(4000, 1893),
        through_seq=of.last_seq,
        options=Options(),
    )
    return package_json.to_contract(made) | {"plan": PLAN}


def handoff(of: Conversation, **fields: Any) -> Handoff:
    """A handoff in the chain that begins with its conversation, or in the one given."""
    now = timezone.now()
    begun = {"team": of.team, "started_at": now, "last_activity_at": now, "total_handoffs": 1}
    chain = fields.pop("chain", None) or HandoffChain.objects.get_or_create(root_conversation=of, defaults=begun)[0]
    identifier = uuid4()
    public = package(identifier, of, fields.get("text", "Go on."))
    given = {
        "id": identifier,
        "position": 1,
        "through_seq": of.last_seq,
        "compacted_summary": "",
        "anchors": [],
        "pending_tasks": [],
        "session_state": public["state"],
        "metadata": public["metadata"],
        "continuation_directive": public["directive"],
        "rest": public,
        "text": "--- SESSION CONTINUATION ---\nGo on.\n--- END CONTINUATION ---",
        "style": "structured",
        "token_budget": 4000,
        "token_count": 1893,
        "fidelity": {"handoffId": str(identifier), **SCORES, "issues": [ISSUE], "coverage": 0.61, "repairs": 2},
        "fidelity_score": 0.948,
        "expires_at": now + timedelta(days=30),
    }
    return Handoff.objects.create(team=of.team, conversation=of, chain=chain, owner=of.owner, **(given | fields))
