"""Tables of the ledger. The file's `user_version` counts the steps that it has been through.

Times are microseconds since 1970. Only what SQLite 3.31 understands is used here and in the queries: the
standard library's module is as old as the system that it was built on.
"""

from __future__ import annotations

from typing import Final

_FIRST: Final = (
    """
    CREATE TABLE events (
        tenant_id TEXT NOT NULL, id TEXT NOT NULL, user_id TEXT NOT NULL,
        kind TEXT NOT NULL, unfinished INTEGER NOT NULL, updated_at INTEGER NOT NULL,
        revision INTEGER NOT NULL, document TEXT NOT NULL,
        PRIMARY KEY (tenant_id, id)
    )
    """,
    "CREATE INDEX events_of_user ON events (tenant_id, user_id)",
    "CREATE INDEX unfinished_events ON events (updated_at, id) WHERE unfinished",
    """
    CREATE TABLE idempotency_records (
        tenant_id TEXT NOT NULL, key TEXT NOT NULL,
        body_hash TEXT NOT NULL, event_id TEXT NOT NULL, expires_at INTEGER NOT NULL,
        PRIMARY KEY (tenant_id, key)
    ) WITHOUT ROWID
    """,
    "CREATE INDEX idempotency_expiry ON idempotency_records (expires_at)",
    """
    CREATE TABLE epochs (
        tenant_id TEXT NOT NULL, user_id TEXT NOT NULL, epoch INTEGER NOT NULL,
        PRIMARY KEY (tenant_id, user_id)
    ) WITHOUT ROWID
    """,
    """
    CREATE TABLE leases (
        tenant_id TEXT NOT NULL, user_id TEXT NOT NULL,
        token INTEGER NOT NULL, holder TEXT, expires_at INTEGER NOT NULL,
        PRIMARY KEY (tenant_id, user_id)
    ) WITHOUT ROWID
    """,
    """
    CREATE TABLE memories (
        tenant_id TEXT NOT NULL, user_id TEXT NOT NULL, id TEXT NOT NULL,
        category TEXT NOT NULL, scope TEXT NOT NULL, context_id TEXT,
        operation TEXT NOT NULL, is_current INTEGER NOT NULL, expires_at INTEGER,
        revision INTEGER NOT NULL, document TEXT NOT NULL,
        PRIMARY KEY (tenant_id, user_id, id)
    )
    """,
    """
    CREATE TABLE messages (
        tenant_id TEXT NOT NULL, user_id TEXT NOT NULL, id TEXT NOT NULL, context_id TEXT,
        revision INTEGER NOT NULL, document TEXT NOT NULL,
        PRIMARY KEY (tenant_id, user_id, id)
    )
    """,
    "CREATE INDEX messages_of_context ON messages (tenant_id, user_id, context_id, id)",
    """
    CREATE TABLE vectors (
        tenant_id TEXT NOT NULL, user_id TEXT NOT NULL, id TEXT NOT NULL, vector BLOB NOT NULL,
        PRIMARY KEY (tenant_id, user_id, id)
    )
    """,
    """
    CREATE TABLE chains (
        tenant_id TEXT NOT NULL, user_id TEXT NOT NULL, id TEXT NOT NULL,
        revision INTEGER NOT NULL, version_ids TEXT NOT NULL,
        PRIMARY KEY (tenant_id, user_id, id)
    )
    """,
    """
    CREATE TABLE marks (
        tenant_id TEXT NOT NULL, user_id TEXT NOT NULL, id TEXT NOT NULL,
        created_at INTEGER NOT NULL, document_ids TEXT NOT NULL,
        PRIMARY KEY (tenant_id, user_id, id)
    )
    """,
    "CREATE INDEX marks_by_time ON marks (created_at, id)",
)

_FAILED_EVENTS: Final = (
    "ALTER TABLE events ADD COLUMN failed INTEGER NOT NULL DEFAULT 0",
    """UPDATE events SET failed = 1 WHERE NOT unfinished AND instr(document, '"status":"FAILED"')""",
    "CREATE INDEX failed_events ON events (updated_at, id) WHERE failed",
)

_EXPIRY: Final = (
    "ALTER TABLE messages ADD COLUMN expires_at INTEGER",
    # As microseconds: whole seconds and the three digits behind them.
    """
    UPDATE messages SET expires_at =
        CAST(strftime('%s', json_extract(document, '$.expires_at')) AS INTEGER) * 1000000
        + CAST(substr(strftime('%f', json_extract(document, '$.expires_at')), 4) AS INTEGER) * 1000
    """,
    "CREATE INDEX memories_by_expiry ON memories (expires_at, id) WHERE expires_at IS NOT NULL",
    "CREATE INDEX messages_by_expiry ON messages (expires_at, id) WHERE expires_at IS NOT NULL",
)

_SPENDING: Final = (
    # Amounts are billionths of a dollar: SQLite has no decimal numbers.
    """
    CREATE TABLE budgets (
        tenant_id TEXT NOT NULL PRIMARY KEY, nano_usd INTEGER NOT NULL
    ) WITHOUT ROWID
    """,
    """
    CREATE TABLE spending (
        tenant_id TEXT NOT NULL, month TEXT NOT NULL, nano_usd INTEGER NOT NULL,
        PRIMARY KEY (tenant_id, month)
    ) WITHOUT ROWID
    """,
)

STEPS: Final = (_FIRST, _FAILED_EVENTS, _EXPIRY, _SPENDING)
"""Statements that lead from each version to the next; what stands here never changes, it only grows."""
