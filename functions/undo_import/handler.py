"""UndoImport: takes back what an import wrote that cannot be finished."""

from cognis_memory.models.event import EventReference
from cognis_memory.runtime.transfers import transfer_handler
from cognis_memory.services.transfer.undoing import STAGE, undo_import

handle = transfer_handler(STAGE, EventReference, undo_import)
