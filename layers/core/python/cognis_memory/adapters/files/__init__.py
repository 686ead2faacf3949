"""Payloads in a folder, for in-process use."""

from cognis_memory.adapters.files.payloads import FolderPayloadStore

__all__ = ["FolderPayloadStore"]
