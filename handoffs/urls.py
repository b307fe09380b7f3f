"""The pages about what is carried on: home, one conversation with its decision, handoffs, chains."""

from django.urls import path

from handoffs.views import (
    chains,
    conversation,
    difference,
    ending,
    files,
    handoffs,
    history,
    life,
    lines,
    listing,
    notes,
    overriding,
    preparing,
    receipts,
    resuming,
    windows,
)
from handoffs.views.briefing import rating, sources
from handoffs.views.front import home
from handoffs.views.packs import policy as pack_policy
from handoffs.views.packs import repositories
from handoffs.views.team import policy

urlpatterns = [
    path("", home.page, name="home"),
    path("conversations/<uuid:conversation_id>", conversation.page, name="conversation"),
    path("conversations/<uuid:conversation_id>/commits/<slug:commit>", conversation.commit, name="commit"),
    path("conversations/<uuid:conversation_id>/files", files.page, name="files"),
    path("conversations/<uuid:conversation_id>/end", ending.page, name="end"),
    path("conversations/<uuid:conversation_id>/window", windows.change, name="window"),
    path("conversations/<uuid:conversation_id>/prepare", preparing.page, name="prepare"),
    path("conversations/<uuid:conversation_id>/notes", notes.page, name="notes"),
    path("conversations/<uuid:conversation_id>/notes/<uuid:note_id>/<slug:statement>", notes.change, name="note-statement"),
    path("team/policy", policy.page, name="policy"),
    path("team/notes", notes.asking, name="note-asking"),
    path("handoffs", listing.page, name="handoffs"),
    path("handoffs/<uuid:handoff_id>", handoffs.page, name="handoff"),
    path("handoffs/<uuid:handoff_id>/lines", lines.page, name="handoff-lines"),
    path("handoffs/<uuid:handoff_id>/difference", difference.page, name="handoff-difference"),
    path("handoffs/<uuid:handoff_id>/changes", difference.changes, name="handoff-changes"),
    path("handoffs/<uuid:handoff_id>/note", notes.of_package, name="handoff-note"),
    path("handoffs/<uuid:handoff_id>/sources/<slug:reference>", sources.page, name="handoff-source"),
    path("handoffs/<uuid:handoff_id>/ratings", rating.page, name="handoff-ratings"),
    path("handoffs/<uuid:handoff_id>/history", history.page, name="handoff-history"),
    path("handoffs/<uuid:handoff_id>/steps", life.step, name="handoff-step"),
    path("handoffs/<uuid:handoff_id>/offer", life.offer, name="handoff-offer"),
    path("handoffs/<uuid:handoff_id>/answer", life.answer, name="handoff-answer"),
    path("handoffs/<uuid:handoff_id>/remake", life.remake, name="handoff-remake"),
    path("handoffs/<uuid:handoff_id>/receipts/<uuid:resumption_id>", receipts.page, name="handoff-receipt"),
    path("handoffs/<uuid:handoff_id>/override", overriding.page, name="override"),
    path("handoffs/<uuid:handoff_id>/resume", resuming.page, name="resume"),
    path("handoffs/<uuid:handoff_id>/package.json", handoffs.package, name="package"),
    path("chains/<uuid:chain_id>", chains.page, name="chain"),
    path("repositories", repositories.listing, name="repositories"),
    path("repositories/<uuid:repository_id>", repositories.page, name="repository"),
    path("repositories/<uuid:repository_id>/artifacts", repositories.decide, name="artifacts"),
    path("team/packs", pack_policy.page, name="pack-policy"),
]
