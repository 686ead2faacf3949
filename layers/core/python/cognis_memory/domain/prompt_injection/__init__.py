"""Texts that instruct whoever stores or recalls them, in place of telling something."""

from cognis_memory.domain.prompt_injection.detection import is_injection

__all__ = ["is_injection"]
