"""The parts of `bench/cold_start.py`."""
