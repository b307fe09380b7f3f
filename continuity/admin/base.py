"""Common parts of our admin pages: search by id, masked words, and lists that stay fast when tables are long."""

from functools import cache
from typing import TYPE_CHECKING, Any, ClassVar, TypeAlias, cast
from uuid import UUID

from django.contrib import admin
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.contrib.admin.views.main import ChangeList
from django.core.paginator import Page, Paginator
from django.db.models import JSONField, Model, Q, QuerySet
from django.http import HttpRequest
from django.utils.functional import cached_property
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from unfold import utils as unfold_values
from unfold.admin import checkbox
from unfold.templatetags import unfold_list

from continuity.admin.links import page_of
from continuity.admin.masked import mask

if TYPE_CHECKING:
    Admin: TypeAlias = admin.ModelAdmin[Any]
    Endless: TypeAlias = Paginator[Any]
else:
    from unfold.admin import ModelAdmin as Admin
    from unfold.paginator import InfinitePaginator as Endless

# unfold makes the headers of a list anew for every row of it, which takes as long as the row.
_headers = unfold_list.result_headers
unfold_list.result_headers = lambda rows: rows.headers if isinstance(rows, Rows) else _headers(rows)
# It renders a template for each yes and each no of a list.
unfold_values._boolean_icon = cache(unfold_values._boolean_icon)

MARK = "value-of-the-row"


class Rows(ChangeList):
    """A list whose headers are made once. Of rows that others refer to it reads no documents: it shows their names."""

    is_dataset = False  # Asked for by templates; each name that they look for in vain costs a quarter of a millisecond.

    @cached_property
    def headers(self) -> list[dict[str, Any]]:
        return list(_headers(self))

    def get_queryset(self, request: HttpRequest, exclude_parameters: Any = None) -> QuerySet[Any]:
        rows = super().get_queryset(request, exclude_parameters)
        return rows.defer(*cast("RowAdmin", self.model_admin).documents, *self._documents_of_others())

    def url_for_result(self, result: Model) -> str:
        return page_of(result)

    def _documents_of_others(self) -> list[str]:
        referred = self.list_select_related
        others = {} if isinstance(referred, bool) else {name: self.model._meta.get_field(name).related_model for name in referred}
        return [
            f"{name}__{field.name}"
            for name, other in others.items()
            for field in cast("type[Model]", other)._meta.concrete_fields
            if isinstance(field, JSONField)
        ]


class InfinitePaginator(Endless):  # by this name unfold leaves the number of rows out
    """Chooses the rows of a page by what they are sorted by alone: what else they hold, and refer to, is read of those only."""

    def page(self, number: int | str) -> Page[Any]:
        page = super().page(number)
        every: Any = self.object_list
        chosen: Any = page.object_list
        page.object_list = every.filter(pk__in=list(chosen.values_list("pk", flat=True)))
        return page


class RowAdmin(Admin):
    """A model that operators may change. `id_fields` are found by a whole id typed into the search; of `documents`, lists show nothing."""

    id_fields: tuple[str, ...] = ("id",)
    documents: tuple[str, ...] = ()
    list_sections: tuple[Any, ...] = ()
    list_per_page = 20
    show_full_result_count = False

    def get_search_results(self, request: HttpRequest, queryset: QuerySet[Any], search_term: str) -> tuple[QuerySet[Any], bool]:
        try:
            wanted = UUID(search_term.strip())
        except ValueError:
            return super().get_search_results(request, queryset, search_term.replace("\0", ""))
        found = Q()
        for field in self.id_fields:
            found |= Q(**{field: wanted})
        return queryset.filter(found), False

    @admin.display(description="select")
    def action_checkbox(self, obj: Model) -> SafeString:
        """The box that chooses a row: rendered once by its widget, which takes as long as a row otherwise."""
        before, after = _box()
        return format_html("{}{}{}", before, str(obj.pk), after)

    def get_changelist(self, request: HttpRequest, **kwargs: Any) -> type[ChangeList]:
        return Rows

    def has_operate_permission(self, request: HttpRequest) -> bool:
        """Whether someone may run the actions of a model that nobody may edit by hand."""
        meta = self.model._meta
        return request.user.has_perm(f"{meta.app_label}.change_{meta.model_name}")


class HistoryAdmin(RowAdmin):
    """A model that records what happened: to be read, never to be changed by hand."""

    # Searching needs a field for the box to appear; ids are looked up by `id_fields`.
    search_fields: ClassVar[Any] = ("id__iexact",)
    search_help_text = "A whole id"
    # Such tables grow without end, and are not counted for each page.
    paginator = InfinitePaginator
    # Nor is there a way to choose all of them at once, whose number would be made up.
    list_disable_select_all = True

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def get_object(self, request: HttpRequest, object_id: str, from_field: str | None = None) -> Any:
        """The row for its own page, on which its texts and the titles it refers to are masked. Nobody can save it from there."""
        found = super().get_object(request, object_id, from_field)
        if found is not None:
            mask(found, excluded=set(self.exclude or ()))
        return found


class LongHistoryAdmin(HistoryAdmin):
    """History in a table too long to look words up in. A search that is no whole id finds nothing."""

    def get_search_results(self, request: HttpRequest, queryset: QuerySet[Any], search_term: str) -> tuple[QuerySet[Any], bool]:
        try:
            UUID(search_term.strip())
        except ValueError:
            return (queryset.none(), False) if search_term.strip() else (queryset, False)
        return super().get_search_results(request, queryset, search_term)


@cache
def _box() -> tuple[SafeString, SafeString]:
    """The HTML before and behind the value of the box that chooses a row."""
    before, after = checkbox.render(ACTION_CHECKBOX_NAME, MARK).split(MARK)
    return mark_safe(before), mark_safe(after)  # noqa: S308 - as the widget made it
