"""Django's tags for addresses of pages and files, which find those that are always the same, or that hold one id, only once: the head of
each page has thirty, and they took a fifth of a small page. Every template has them (`builtins` in the settings)."""

from functools import cache
from uuid import UUID

from django import template
from django.template.base import Node, Parser, Token
from django.template.defaulttags import URLNode
from django.template.defaulttags import url as url_of_django
from django.templatetags.static import StaticNode
from django.urls import NoReverseMatch

from continuity.core import page_addresses

register = template.Library()


@register.tag
def url(parser: Parser, token: Token) -> Node:
    """Django's `url`, quicker for a page of ours that is named in the template and takes nothing, or one id."""
    found = url_of_django(parser, token)
    name = found.view_name.var
    own = isinstance(name, str) and ":" not in name and not found.view_name.filters and not found.kwargs and len(found.args) <= 1
    return PageNode(found.view_name, found.args, found.kwargs, found.asvar) if own else found


class PageNode(URLNode):
    def render(self, context: template.Context) -> str:
        try:
            found = self._found(context)
        except NoReverseMatch:  # Told as Django tells it, which is not at all where the address is kept under a name.
            found = None
        if found is None:
            return super().render(context)
        if self.asvar:
            context[self.asvar] = found
            return ""
        return found

    def _found(self, context: template.Context) -> str | None:
        if not self.args:
            return page_addresses.address_alone(self.view_name.var)
        id_ = self.args[0].resolve(context)
        return page_addresses.address_of(self.view_name.var, id_) if isinstance(id_, UUID) else None


@register.simple_tag
def static(path: str) -> str:
    """Django's `static`."""
    return _file(path)


@cache
def _file(path: str) -> str:
    return StaticNode.handle_simple(path)
