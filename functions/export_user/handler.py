"""ExportUser: one file of everything that is held of a user."""

from cognis_memory.models.event import EventReference
from cognis_memory.runtime.transfers import transfer_handler
from cognis_memory.services.transfer.exporting import STAGE, export_user

handle = transfer_handler(STAGE, EventReference, export_user)
