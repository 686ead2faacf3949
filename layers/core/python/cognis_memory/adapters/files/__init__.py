"""Payloads and transfer files in a folder, for in-process use."""

from cognis_memory.adapters.files.payloads import FolderPayloadStore
from cognis_memory.adapters.files.transfers import FolderTransferFiles

__all__ = ["FolderPayloadStore", "FolderTransferFiles"]
