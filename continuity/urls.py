"""The pages about what is remembered: sign-in, conversations, transcripts, jobs."""

from django.contrib.auth.views import LoginView, LogoutView
from django.urls import path

from continuity.views import amending, anchors, conversations, course, importing, jobs, live, messages, search, teams
from continuity.views.signing_in import EmailLogin

login = LoginView.as_view(template_name="login.html", authentication_form=EmailLogin, redirect_authenticated_user=True)

urlpatterns = [
    path("login", login, name="login"),
    path("logout", LogoutView.as_view(), name="logout"),
    path("team", teams.switch, name="team"),
    path("conversations", conversations.listing, name="conversations"),
    path("conversations/import", importing.page, name="import"),
    path("conversations/<uuid:conversation_id>/anchors", anchors.listing, name="anchors"),
    path("conversations/<uuid:conversation_id>/anchors/<str:key>", amending.page, name="anchor"),
    path("conversations/<uuid:conversation_id>/course", course.listing, name="course"),
    path("conversations/<uuid:conversation_id>/segments/<uuid:segment_id>", course.segment, name="segment"),
    path("conversations/<uuid:conversation_id>/messages", messages.stretch, name="messages"),
    path("conversations/<uuid:conversation_id>/messages/<int:seq>", messages.single, name="message"),
    path("search/", search.page, name="search"),
    path("live/", live.events, name="live"),
    path("jobs/<uuid:job_id>", jobs.page, name="job"),
]
