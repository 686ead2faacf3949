"""Secrets in texts, found by their form, their check digits and the words around them."""

from cognis_memory.domain.secrets.masking import mask_secrets

__all__ = ["mask_secrets"]
