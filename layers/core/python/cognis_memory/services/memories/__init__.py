"""Memories one by one: read, list, change, delete; and the erasure of a user."""
