"""The ledger in one DynamoDB table."""

from cognis_memory.adapters.dynamodb.ledger import DynamoLedger
from cognis_memory.adapters.dynamodb.schema import TTL_ATTRIBUTE, table_definition

__all__ = ["TTL_ATTRIBUTE", "DynamoLedger", "table_definition"]
