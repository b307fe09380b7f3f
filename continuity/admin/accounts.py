"""People, teams, and who is in which."""

from typing import TYPE_CHECKING, Any, TypeAlias

from django.contrib import admin
from django.contrib.auth import admin as auth_admin
from django.contrib.auth.models import Group
from django.db.models import Model
from django.http import HttpRequest
from unfold.forms import AdminPasswordChangeForm, UserChangeForm, UserCreationForm

from continuity.admin.base import RowAdmin
from continuity.models import Membership, Team, User

if TYPE_CHECKING:
    PeopleAdmin: TypeAlias = auth_admin.UserAdmin[Any]
    Rows: TypeAlias = admin.TabularInline[Any, Any]
else:
    from unfold.admin import TabularInline as Rows

    PeopleAdmin = auth_admin.UserAdmin

admin.site.unregister(Group)


class NewUserForm(UserCreationForm):  # type: ignore[misc]
    class Meta:
        model = User
        fields = ("email", "name")

    def clean_email(self) -> str:
        """Addresses are kept in lower case, whoever enters them."""
        return str(self.cleaned_data["email"]).lower()


class MembershipRows(Rows):
    model = Membership
    extra = 0
    autocomplete_fields = ("team",)


@admin.register(User)
class UserAdmin(PeopleAdmin, RowAdmin):
    form = UserChangeForm
    add_form = NewUserForm
    change_password_form = AdminPasswordChangeForm
    inlines = (MembershipRows,)
    ordering = ("email",)
    list_display = ("email", "name", "is_active", "is_staff", "is_superuser", "last_login", "created_at")
    list_filter = ("is_active", "is_staff", "is_superuser")
    search_fields = ("email", "name")
    readonly_fields = ("last_login", "created_at")
    fieldsets = (
        (None, {"fields": ("email", "name", "password")}),
        ("May", {"fields": ("is_active", "is_staff", "is_superuser", "groups", "user_permissions")}),
        ("Times", {"fields": ("last_login", "created_at")}),
    )
    add_fieldsets = ((None, {"classes": ("wide",), "fields": ("email", "name", "usable_password", "password1", "password2")}),)


@admin.register(Group)
class GroupAdmin(auth_admin.GroupAdmin, RowAdmin):
    pass


@admin.register(Team)
class TeamAdmin(RowAdmin):
    list_display = ("name", "slug", "tier", "created_at")
    list_filter = ("tier",)
    search_fields = ("name", "slug")
    ordering = ("name",)
    prepopulated_fields = {"slug": ("name",)}

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        """A team owns everything its people recorded: that is not ended by one click in a list."""
        return False


@admin.register(Membership)
class MembershipAdmin(RowAdmin):
    list_display = ("user", "team", "role", "created_at")
    list_filter = ("role", "team")
    list_select_related = ("user", "team")
    search_fields = ("user__email", "user__name", "team__name")
    autocomplete_fields = ("user", "team")
    id_fields = ("id", "user_id", "team_id")
    ordering = ("-created_at",)
