"""The ledger as one object."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from cognis_memory.adapters.dynamodb.commits import Commits
from cognis_memory.adapters.dynamodb.documents import Documents
from cognis_memory.adapters.dynamodb.events import Events
from cognis_memory.adapters.dynamodb.leases import Leases
from cognis_memory.adapters.dynamodb.spending import TenantSpending
from cognis_memory.adapters.dynamodb.table import Table
from cognis_memory.adapters.dynamodb.upkeep import Upkeep
from cognis_memory.deadline import pause as pause_in_time

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient


class DynamoLedger(Events, Leases, Commits, Documents, Upkeep, TenantSpending):
    """The `Ledger` port over one DynamoDB table, made as `schema.table_definition` says.

    Reads are strongly consistent, except for the sweeps' search over all users (`sweep.oldest`). Raises
    LedgerUnavailable for throttles, timeouts and faults of the service, PermanentError for what it refuses.
    """

    def __init__(
        self, table_name: str, client: DynamoDBClient, pause: Callable[[float], None] = pause_in_time
    ) -> None:
        """`client` is boto3's low-level one; `pause` waits for that many seconds between attempts."""
        super().__init__(Table(table_name, client, pause))
