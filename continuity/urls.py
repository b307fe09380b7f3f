"""The pages about people and about what is remembered: sign-in, teams, conversations, transcripts, jobs."""

from django.contrib.auth.views import LogoutView, PasswordResetCompleteView, PasswordResetDoneView
from django.urls import path

from continuity.distribution import downloads
from continuity.views import (
    access,
    anchor_edit,
    anchors,
    client,
    conversations,
    importing,
    jobs,
    live,
    messages,
    renaming,
    search,
    session_outline,
)
from continuity.views.accounts import auditing, invitations, joining, keys, members, profile, signing_in, single_sign_on, teams
from continuity.views.agents import agents
from continuity.views.bus import events
from continuity.views.groups import groups
from continuity.views.shared_state import states

urlpatterns = [
    path("login", signing_in.Login.as_view(), name="login"),
    path("sign-in/provider", single_sign_on.ToProvider.as_view(), name="single-sign-on"),
    path("sign-in/back", single_sign_on.FromProvider.as_view(), name="single-sign-on-back"),
    path("logout", access.open_page(LogoutView.as_view()), name="logout"),
    path("password/reset", signing_in.Reset.as_view(), name="password-reset"),
    path("password/reset/sent", PasswordResetDoneView.as_view(template_name="password/sent.html"), name="password-reset-sent"),
    path("password/reset/done", PasswordResetCompleteView.as_view(template_name="password/done.html"), name="password-reset-done"),
    path("password/reset/<uidb64>/<token>", signing_in.ResetConfirm.as_view(), name="password-reset-confirm"),
    path("join/<str:token>", joining.page, name="join"),
    path("profile", profile.page, name="profile"),
    path("profile/password", profile.password, name="password"),
    path("team", teams.page, name="team"),
    path("team/new", teams.found, name="found-team"),
    path("team/name", teams.rename, name="rename-team"),
    path("team/leave", members.leave, name="leave-team"),
    path("team/members/<uuid:user_id>/role", members.change_role, name="change-role"),
    path("team/members/<uuid:user_id>/remove", members.remove, name="remove-member"),
    path("team/invitations", invitations.create, name="invite"),
    path("team/invitations/<uuid:invitation_id>/revoke", invitations.revoke, name="revoke-invitation"),
    path("team/keys", keys.page, name="keys"),
    path("team/keys/new", keys.create, name="new-key"),
    path("team/keys/<uuid:key_id>/revoke", keys.revoke, name="revoke-key"),
    path("team/audit", auditing.page, name="audit"),
    path("client/", client.page, name="client"),
    *(path(f"client/{name}", client.file, {"name": name}, name="client-file") for name in downloads.NAMES),
    path("conversations", conversations.listing, name="conversations"),
    path("conversations/import", importing.page, name="import"),
    path("conversations/<uuid:conversation_id>/anchors", anchors.listing, name="anchors"),
    path("conversations/<uuid:conversation_id>/anchors/<slug:key>", anchor_edit.page, name="anchor"),
    path("conversations/<uuid:conversation_id>/course", session_outline.listing, name="course"),
    path("conversations/<uuid:conversation_id>/segments/<uuid:segment_id>", session_outline.segment, name="segment"),
    path("conversations/<uuid:conversation_id>/messages", messages.stretch, name="messages"),
    path("conversations/<uuid:conversation_id>/messages/<int:seq>", messages.single, name="message"),
    path("conversations/<uuid:conversation_id>/title", renaming.title, name="rename"),
    path("search/", search.page, name="search"),
    path("live/", live.events, name="live"),
    path("events", events.page, name="events"),
    path("events/letters/<uuid:letter_id>/retry", events.retry, name="retry-letter"),
    path("agents", agents.page, name="agents"),
    path("agents/<str:agent_name>", agents.agent, name="agent"),
    path("agents/<str:agent_name>/orders", agents.order, name="order-agent"),
    path("states", states.page, name="states"),
    path("states/<uuid:state_id>", states.state, name="state"),
    path("states/<uuid:state_id>/restore", states.restore, name="state-restore"),
    path("states/<uuid:state_id>/resolve", states.resolve, name="state-resolve"),
    path("groups", groups.listing, name="groups"),
    path("groups/<uuid:group_id>", groups.page, name="group"),
    path("groups/<uuid:group_id>/say", groups.say, name="say-to-group"),
    path("groups/<uuid:group_id>/turns/<uuid:turn_id>/thumb", groups.rate, name="rate-turn"),
    path("jobs/<uuid:job_id>", jobs.page, name="job"),
]
