"""ImportUser: the lines become the user's memories and messages."""

from cognis_memory.runtime.transfers import transfer_handler
from cognis_memory.services.ingestion.state import IngestionState
from cognis_memory.services.transfer.importing import STAGE, import_user

handle = transfer_handler(STAGE, IngestionState, import_user)
