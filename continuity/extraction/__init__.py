"""Asking a model what rules may have missed: what is sent, what may come back, and what of it holds. Pure."""

from continuity.extraction.answer import BadAnswer, read_answer
from continuity.extraction.checking import check
from continuity.extraction.model import METHOD, Checked, KnownItems, ModelWindow, Reason, Settled, TaskMoved, WindowExcerpt, WindowLimits
from continuity.extraction.prompt import Prompt, prompt_for

__all__ = [
    "METHOD",
    "BadAnswer",
    "Checked",
    "KnownItems",
    "ModelWindow",
    "Prompt",
    "Reason",
    "Settled",
    "TaskMoved",
    "WindowExcerpt",
    "WindowLimits",
    "check",
    "prompt_for",
    "read_answer",
]
