"""Changes of files as HTML: hundreds of lines, each of which would take a template longer than to compute it."""

from html import escape

from django import template
from django.utils.safestring import SafeString, mark_safe

from continuity.rendering import changed_words, highlighting
from continuity.rendering.edits import ADD, PLACE, REMOVE, DiffLine, FileEdit
from continuity.rendering.inline_code import with_code

register = template.Library()

CLASSES = {ADD: "comes", REMOVE: "goes"}


@register.simple_tag
def file_edit(edit: FileEdit, coloured: bool, named: bool) -> SafeString:
    """The lines of a change with their signs, `coloured` in the colours of the file's language, which takes as long as all the rest.
    `named` has the file's name above them, where what is around them names more than one."""
    language = highlighting.language_of(edit.path) if coloured else ""
    lines = "".join(_line(line, language) for line in edit.lines)
    more = f'<span class="place">… {edit.hidden:,} more lines</span>' if edit.hidden else ""
    name = f'<p class="small"><code>{escape(edit.path)}</code> +{edit.added} −{edit.removed}</p>' if named else ""
    return mark_safe(f'{name}<pre class="change" aria-label="Change of {escape(edit.path)}">{lines}{more}</pre>')  # noqa: S308  all is escaped


@register.simple_tag
def marked_words(before: str, after: str) -> SafeString:
    """The words of both texts, those that go and those that come marked."""
    named = {REMOVE: "<del>{}</del>", ADD: "<ins>{}</ins>"}
    told = "".join(named.get(sign, "{}").format(with_code(text)) for sign, text in changed_words.runs(before, after))
    return mark_safe(told.replace("</del><ins>", "</del> <ins>"))  # noqa: S308  all is escaped


def _line(line: DiffLine, language: str) -> str:
    if line.sign == PLACE:
        return f'<span class="place">{escape(line.text)}</span>\n'
    words = highlighting.highlighted(line.text, language).rstrip("\n")
    return f'<span class="{CLASSES.get(line.sign, "stays")}">{line.sign} {words}</span>\n'
