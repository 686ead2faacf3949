"""Secrets in AWS Secrets Manager."""

from cognis_memory.adapters.secretsmanager.secrets import read_secret

__all__ = ["read_secret"]
