"""The parts of `bench/opensearch.py`."""
