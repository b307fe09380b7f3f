"""Reads the transcripts of agents' tools into one message form, as a stream. Pure: no Django, no network."""

from continuity.transcripts.base.errors import BinaryFile, EmptyFile, MissingFile, NotAFile, TranscriptError, UnknownFormat, UnreadableFile
from continuity.transcripts.base.format import Event, Format
from continuity.transcripts.base.lines import MAX_LINE
from continuity.transcripts.base.model import Abandoned, Message, Part, PartKind, Report, Role, Skipped, Usage, Voice
from continuity.transcripts.base.parts import PART_LIMIT
from continuity.transcripts.base.reading import Transcript
from continuity.transcripts.base.sanitise import clean_json, clean_text, clip
from continuity.transcripts.opening import detect, open_transcript, read_lines
from continuity.transcripts.registry import FORMATS
from continuity.transcripts.user_words import UserWords, split_words

__all__ = [
    "FORMATS",
    "MAX_LINE",
    "PART_LIMIT",
    "Abandoned",
    "BinaryFile",
    "EmptyFile",
    "Event",
    "Format",
    "Message",
    "MissingFile",
    "NotAFile",
    "Part",
    "PartKind",
    "Report",
    "Role",
    "Skipped",
    "Transcript",
    "TranscriptError",
    "UnknownFormat",
    "UnreadableFile",
    "Usage",
    "UserWords",
    "Voice",
    "clean_json",
    "clean_text",
    "clip",
    "detect",
    "open_transcript",
    "read_lines",
    "split_words",
]
