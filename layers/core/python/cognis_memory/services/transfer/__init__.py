"""A user's memories as a file: taken away as an export, and brought back as an import."""
