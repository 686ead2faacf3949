"""Statements of English text."""
