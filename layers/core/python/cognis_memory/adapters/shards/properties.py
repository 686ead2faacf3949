"""What a shard file says of itself."""

from __future__ import annotations

from dataclasses import dataclass, fields

import apsw

from cognis_memory.adapters.shards.layout import LAYOUT
from cognis_memory.errors import CorruptData


@dataclass(frozen=True, slots=True)
class Properties:
    """`owner` is the owner's key, `commit` the last writer's own id for what it wrote.

    `base` names the base file, if any; `generation` counts the bases that this owner has had.
    """

    owner: str
    model_id: str
    commit: str = ""
    base: str = ""
    generation: int = 0
    layout: str = LAYOUT

    @classmethod
    def read(cls, connection: apsw.Connection, owner: str) -> Properties:
        """Raises CorruptData for a database that is no shard, or one of another layout or owner."""
        try:
            stored = {str(name): str(value) for name, value in connection.execute("SELECT * FROM properties")}
        except apsw.SQLError as error:
            raise CorruptData("the database is not a shard") from error
        if stored.get("layout") != LAYOUT:
            raise CorruptData("the shard has another layout than this version reads")
        if stored["owner"] != owner:
            raise CorruptData("the shard is another owner's")
        generation = int(stored.pop("generation"))
        return cls(**stored, generation=generation)

    def write(self, connection: apsw.Connection) -> None:
        connection.executemany(
            "INSERT OR REPLACE INTO properties VALUES (?, ?)",
            [(field.name, str(getattr(self, field.name))) for field in fields(self)],
        )
