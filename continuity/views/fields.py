"""Fields of forms that several pages have."""

from typing import Any

from django import forms


class WordsField(forms.CharField):
    """Words of one or more lines. A browser sends two characters for a line's end but counts it as one in `maxlength`: so does this."""

    def to_python(self, value: Any) -> str:
        return str(super().to_python(value.replace("\r\n", "\n") if isinstance(value, str) else value))
