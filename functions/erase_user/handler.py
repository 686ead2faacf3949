"""EraseUser: everything of a user goes."""

from cognis_memory.runtime.states import erase_user

handle = erase_user
