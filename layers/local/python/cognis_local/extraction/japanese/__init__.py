"""Statements of Japanese text."""
