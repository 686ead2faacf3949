"""`Memory` keeps no secret in its folder, unless it is told to."""

from __future__ import annotations

from pathlib import Path

from fakes import HashEmbedder

from cognis_local import Memory

SECRETS = (
    "4539148803436467",
    "hunter2",
    "123456789018",
    "536-22-1849",
    "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6",
)
TOLD = [
    f"I live in Zanzibarquokka and my card is {SECRETS[0]}.",
    f"My password is {SECRETS[1]}.",
    f"マイナンバーは{SECRETS[2]}です。",
    {"role": "assistant", "content": f"Your SSN is {SECRETS[3]}."},
    {"role": "tool", "content": f"token: {SECRETS[4]}"},
]


def test_no_secret_is_in_the_folder(tmp_path: Path) -> None:
    with Memory(tmp_path, embedder=HashEmbedder()) as memory:
        event = memory.add("ana", TOLD, metadata={"password": SECRETS[1]})
        (home, *_) = [
            memory.id for memory in memory.list("ana").memories if "Zanzibarquokka" in memory.memory
        ]
        memory.change("ana", home, content=f"User lives in Zanzibarquokka, {SECRETS[0]}")

        assert [notice.message_id for notice in event.notices] == [*event.messages, None]
        assert memory.get("ana", memory.list("ana").memories[0].id).memory.endswith("[card number]")
        assert _found(tmp_path, ["zanzibarquokka"])
        assert not _found(tmp_path, SECRETS)
    assert not _found(tmp_path, SECRETS)


def test_masking_can_be_switched_off(tmp_path: Path) -> None:
    with Memory(tmp_path, embedder=HashEmbedder(), mask_secrets=False) as memory:
        event = memory.add("ana", TOLD)
        (home, *_) = [
            memory.id for memory in memory.list("ana").memories if "Zanzibarquokka" in memory.memory
        ]
        memory.change("ana", home, metadata={"card": SECRETS[0]})

        assert event.notices == []
        assert memory.get("ana", home).metadata == {"card": SECRETS[0]}
        assert _found(tmp_path, [SECRETS[0]])


def _found(folder: Path, words: list[str] | tuple[str, ...]) -> list[str]:
    contents = [file.read_bytes().lower() for file in folder.rglob("*") if file.is_file()]
    return [word for word in words if any(word.lower().encode() in content for content in contents)]
