"""The pages about what is carried on: one conversation with its decision, handoffs, chains."""

from django.urls import path

from handoffs.views import chains, conversation, handoffs, overriding, preparing, resuming

urlpatterns = [
    path("conversations/<uuid:conversation_id>", conversation.page, name="conversation"),
    path("conversations/<uuid:conversation_id>/prepare", preparing.page, name="prepare"),
    path("handoffs", handoffs.listing, name="handoffs"),
    path("handoffs/<uuid:handoff_id>", handoffs.page, name="handoff"),
    path("handoffs/<uuid:handoff_id>/override", overriding.page, name="override"),
    path("handoffs/<uuid:handoff_id>/resume", resuming.page, name="resume"),
    path("handoffs/<uuid:handoff_id>/package.json", handoffs.package, name="package"),
    path("chains/<uuid:chain_id>", chains.page, name="chain"),
]
