"""Parts of `bench/qa.py`."""
