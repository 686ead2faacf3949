"""Reads conversation files: the project's own JSON format and that of the LoCoMo benchmark."""

from __future__ import annotations

from cognis_local.conversations.files import load, load_sample
from cognis_local.conversations.model import Conversation, Question, Session, Turn

__all__ = ["Conversation", "Question", "Session", "Turn", "load", "load_sample"]
