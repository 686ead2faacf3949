"""From a file to conversations; whatever is wrong with the file becomes a sentence that says what to do."""

from __future__ import annotations

import json
from collections.abc import Iterable
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

from cognis_local.conversations import locomo, native
from cognis_local.conversations.model import Conversation
from cognis_memory.errors import InvalidInput

FORMATS = (
    "Expected an object with `sessions` (the format of `cognis sample`), "
    "or LoCoMo's: an object with `conversation`, or a list of these."
)


def load(path: Path) -> list[Conversation]:
    """Every conversation of a JSON file, at least one, each with an id of its own.

    Raises InvalidInput with the file's name, the place of the fault and what to change.
    """
    return _conversations(path.name, _parsed(path.name, _text(path)), default_id=path.stem)


def load_sample() -> Conversation:
    """The conversation that comes with the package."""
    file = sample_file()
    (conversation,) = _conversations(file.name, json.loads(file.read_text(encoding="utf-8")), "sample")
    return conversation


def sample_file() -> Traversable:
    return resources.files("cognis_local") / "data" / "sample.json"


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        raise InvalidInput(f"There is no file {path}; check the path.") from None
    except IsADirectoryError:
        raise InvalidInput(f"{path} is a folder; name a JSON file in it.") from None
    except UnicodeDecodeError as error:
        raise InvalidInput(f"{path.name} is not UTF-8 text (byte {error.start}); save it as UTF-8.") from None
    except OSError as error:
        raise InvalidInput(f"{path} cannot be read: {error.strerror}.") from None


def _parsed(name: str, text: str) -> Any:
    if not text.strip():
        raise InvalidInput(f"{name} is empty. {FORMATS}")
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        raise InvalidInput(
            f"{name} is not valid JSON: line {error.lineno}, column {error.colno}: {error.msg}. "
            "Correct it there."
        ) from None
    except RecursionError:
        raise InvalidInput(f"{name} is nested too deeply to be a conversation. {FORMATS}") from None


def _conversations(name: str, data: Any, default_id: str) -> list[Conversation]:
    entries = data if isinstance(data, list) else [data]
    if not entries:
        raise InvalidInput(f"{name} holds no conversation. {FORMATS}")
    conversations = [
        _conversation(name, entry, default_id if len(entries) == 1 else f"{default_id}-{number}")
        for number, entry in enumerate(entries, start=1)
    ]
    _refuse_twins(name, (conversation.id for conversation in conversations))
    return conversations


def _conversation(name: str, entry: Any, default_id: str) -> Conversation:
    if isinstance(entry, dict):
        if native.recognises(entry):
            return native.read(name, entry, default_id)
        if locomo.recognises(entry):
            return locomo.read(name, entry, default_id)
    raise InvalidInput(f"{name} holds no conversation that can be read. {FORMATS}")


def _refuse_twins(name: str, ids: Iterable[str]) -> None:
    seen = set[str]()
    for identifier in ids:
        if identifier in seen:
            raise InvalidInput(f"{name} has two conversations with the id {identifier!r}; rename one.")
        seen.add(identifier)
