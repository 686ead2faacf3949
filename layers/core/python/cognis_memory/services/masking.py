"""Requests without the secrets in them, before anything of them is kept."""

from __future__ import annotations

from typing import Final

from cognis_memory.domain.ids import message_id
from cognis_memory.domain.secrets import mask_secrets
from cognis_memory.models.event import Notice
from cognis_memory.models.requests import IngestRequest, PatchRequest, RequestMessage
from cognis_memory.models.values import Metadata, MetadataScalar

SECRET_MASKED: Final = "secret_masked"  # noqa: S105 - a code
"""The code of the notice for each message with a secret, and without a message for the rest of a request."""


def mask_request(request: IngestRequest, event_id: str) -> tuple[IngestRequest, tuple[Notice, ...]]:
    """The request with every secret masked, and a notice for each message that held one.

    Ids stay as they are: they are names, which later requests must repeat.
    """
    before = ["", *(message.content for message in request.messages)]
    messages = [
        _mask_message(message, asked) for message, asked in zip(request.messages, before, strict=False)
    ]
    instructions, metadata = _mask(request.instructions), mask_metadata(request.metadata)
    notices = [
        Notice(code=SECRET_MASKED, message_id=message_id(event_id, position))
        for position, (given, masked) in enumerate(zip(request.messages, messages, strict=True))
        if masked != given
    ]
    if (instructions, metadata) != (request.instructions, request.metadata):
        notices.append(Notice(code=SECRET_MASKED))
    if not notices:
        return request, ()
    changes = {"messages": messages, "instructions": instructions, "metadata": metadata}
    return request.model_copy(update=changes), tuple(notices)


def mask_patch(patch: PatchRequest) -> PatchRequest:
    """The change with every secret masked; its caller sees so in the answer."""
    changes: dict[str, object] = {}
    if patch.content is not None:
        changes["content"] = mask_secrets(patch.content)
    if patch.metadata is not None:
        changes["metadata"] = mask_metadata(patch.metadata)
    return patch.model_copy(update=changes)


def mask_metadata(metadata: Metadata) -> Metadata:
    """Under the keys as they are; a key says what its value is: `{"ssn": "123456789"}`."""
    return {
        key: [_mask_value(key, each) for each in value]
        if isinstance(value, list)
        else _mask_value(key, value)
        for key, value in metadata.items()
    }


def _mask_value(key: str, value: MetadataScalar) -> MetadataScalar:
    if isinstance(value, bool | float):
        return value
    text, label = str(value), f"{key}: "
    labelled = mask_secrets(label + text)
    masked = labelled.removeprefix(label) if labelled.startswith(label) else mask_secrets(text)
    return value if masked == text else masked


def _mask_message(message: RequestMessage, asked: str) -> RequestMessage:
    content, speaker = mask_secrets(message.content, asked), _mask(message.speaker)
    if (content, speaker) == (message.content, message.speaker):
        return message
    return message.model_copy(update={"content": content, "speaker": speaker})


def _mask(text: str | None) -> str | None:
    return text if text is None else mask_secrets(text)
