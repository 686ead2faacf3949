"""CheckUpload: every line of the file, before anything is written."""

from cognis_memory.runtime.transfers import transfer_handler
from cognis_memory.services.transfer.state import UploadState
from cognis_memory.services.transfer.uploads import CHECK, check_upload

handle = transfer_handler(CHECK, UploadState, check_upload)
