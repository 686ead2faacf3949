"""FindUpload: whether an import's file is there yet, or how long to wait."""

from cognis_memory.runtime.transfers import transfer_handler
from cognis_memory.services.transfer.state import UploadState
from cognis_memory.services.transfer.uploads import FIND, find_upload

handle = transfer_handler(FIND, UploadState, find_upload)
