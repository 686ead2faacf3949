"""Lines say all of a document but whose it is, and are read as nothing else."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator

import numpy as np
import pytest
from export_files import chain_of, changed, lines, memory, message
from fakes import HashEmbedder

from cognis_memory.errors import InvalidInput
from cognis_memory.models.memory import Memory, Repeat
from cognis_memory.models.message import Message
from cognis_memory.models.transfer import MAX_LINE_BYTES, MemoryLine, MessageLine, RepeatLine
from cognis_memory.models.values import Owner
from cognis_memory.services.transfer.lines import document_of, line_of, read_line, split_lines, write_line

MINE = {"tenant_id", "user_id", "revision"}


@pytest.mark.parametrize(
    ("line", "document"), [(MemoryLine, Memory), (MessageLine, Message), (RepeatLine, Repeat)]
)
def test_a_line_has_every_field_but_whose_and_how_often(
    line: type[MemoryLine | MessageLine | RepeatLine], document: type[Memory | Message | Repeat]
) -> None:
    assert line.model_fields.keys() - {"type", "vector"} == document.model_fields.keys() - MINE


@pytest.mark.parametrize("document", [*chain_of("Tokyo", "大阪"), message(0, '\u2028 "a\\n" 日本 😀\n')])
def test_what_is_written_is_read_for_whoever_imports_it(document: Memory | Message) -> None:
    (vector,) = HashEmbedder().embed([document.content])
    text = write_line(line_of(document, vector))
    read = read_line(text.rstrip(b"\n"))
    assert isinstance(read, MemoryLine | MessageLine)
    assert read.vector is not None
    assert read.vector.tobytes() == vector.tobytes()
    theirs = document_of(read, Owner("other", "ben"))
    assert theirs == document.model_copy(update={"tenant_id": "other", "user_id": "ben", "revision": 1})
    assert b"acme" not in text


@pytest.mark.parametrize("size", [1, 7, 10_000])
def test_lines_are_cut_wherever_chunks_end(size: int) -> None:
    data = b"\n".join(lines(memory(0, "Tokyo"), message(0, "Hello")))
    chunks = [data[start : start + size] for start in range(0, len(data), size)]
    assert list(split_lines(chunks)) == data.split(b"\n")
    assert list(split_lines([*chunks, b"\n"])) == data.split(b"\n")


def test_a_line_without_end_is_not_read_to_its_end() -> None:
    def chunks() -> Iterator[bytes]:
        while True:
            yield b"x" * 1_000_000

    (line,) = split_lines(chunks())
    assert len(line) <= MAX_LINE_BYTES + 1_000_000
    with pytest.raises(InvalidInput):
        read_line(line)


LINE = lines(memory(0, "Tokyo"))[1]
MESSAGE = lines(message(0, "Tokyo"))[1]


@pytest.mark.parametrize(
    ("line", "field", "words"),
    [
        (b"", "", "Expecting value"),
        (b"{", "", "Expecting property name"),
        (b"[]", "", "{…}"),
        (b'{"type": "memory", "type": "memory"}', "", "given twice"),
        (LINE + b"{}", "", "Extra data"),
        (b"\xff", "", "UTF-8"),
        (b"{}", "type", "header, memory, message"),
        (changed(LINE, type=["memory"]), "type", "header, memory, message"),
        (changed(LINE, content=" \n"), "", "content must not be blank"),
        (changed(LINE, content="a\u0000"), "", "U+0000"),
        (changed(LINE, content="\ud800"), "", "surrogates"),
        (changed(LINE, content="x" * 100_001), "content", "100000"),
        (changed(LINE, content=...), "content", "is required"),
        (changed(LINE, id="mem_a"), "id", "mem_"),
        (changed(LINE, id="msg_00000000010000000000000000_000000"), "id", "mem_"),
        (changed(LINE, event_id="evt_00000000010000000000000000_000000"), "event_id", "evt_"),
        (changed(LINE, position=True), "position", "integer"),
        (changed(LINE, version=0), "version", "greater than or equal to 1"),
        (changed(LINE, operation="NONE"), "operation", "'ADD'"),
        (changed(LINE, category="weather"), "category", "personal_details"),
        (changed(LINE, timestamp="2026-07-15"), "timestamp", "RFC 3339"),
        (changed(LINE, timestamp=5), "timestamp", "RFC 3339"),
        (changed(LINE, metadata={"a": {"b": 1}}), "metadata", "must be a text"),
        (changed(LINE, metadata={"a": 2**70}), "", "64 bits"),
        (changed(LINE, metadata={"a": "x" * 5_000}), "metadata", "4096"),
        (changed(LINE, vector="AAAA"), "vector", "768"),
        (changed(LINE, vector=[0.0]), "vector", "768"),
        (changed(LINE, vector="AACAPw==" * 512), "vector", "768"),
        (changed(LINE, scope="CONTEXT"), "", "requires context_id"),
        (changed(LINE, tenant_id="other"), "", "tenant"),
        (changed(LINE, user_id="other"), "", "not known"),
        (changed(LINE, colour="red"), "", "not known"),
        (changed(MESSAGE, redacted=True), "", "neither content nor metadata"),
        (changed(MESSAGE, content=""), "", "content must not be blank"),
        (changed(MESSAGE, timezone="Mars/Base"), "timezone", "time zone"),
        (changed(MESSAGE, role="robot"), "role", "'user'"),
        (changed(lines()[0], format_version=2), "format_version", "must be 1"),
        (changed(lines()[0], memories=-1), "memories", "greater than or equal to 0"),
        (b" " * MAX_LINE_BYTES + LINE, "", "longer than"),
    ],
)
def test_what_is_wrong_with_a_line_is_said_by_field(line: bytes, field: str, words: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        read_line(line)
    (fault,) = refused.value.errors
    assert fault.field == field
    assert words in fault.message


def test_a_vector_that_points_nowhere_is_refused() -> None:
    for vector in (np.full(768, 1, "<f4"), np.full(768, np.nan, "<f4"), np.full(768, np.inf, "<f4")):
        with pytest.raises(InvalidInput) as refused:
            read_line(changed(LINE, vector=base64.b64encode(vector.tobytes()).decode()))
        assert [fault.field for fault in refused.value.errors] == ["vector"]


@pytest.mark.parametrize("secret", ["zanzibarquokka", "シマウマ熊"])
def test_no_fault_repeats_what_the_line_says(secret: str) -> None:
    """Faults are kept on the event, which holds no text."""
    spoilt = [
        changed(LINE, **{name: secret})
        for name in ("id", "operation", "category", "timestamp", "scope", "vector", "version", "metadata")
    ]
    spoilt += [changed(LINE, **{secret: secret}), changed(LINE, metadata={secret: {secret: 1}})]
    spoilt += [f'{{"{secret}": 1, "{secret}": 2}}'.encode(), secret.encode(), json.dumps([secret]).encode()]
    spoilt += [changed(LINE, content=[secret]), changed(LINE, source_messages=[secret])]
    for line in spoilt:
        with pytest.raises(InvalidInput) as refused:
            read_line(line)
        assert secret not in repr(refused.value.errors)
        assert secret not in str(refused.value)
