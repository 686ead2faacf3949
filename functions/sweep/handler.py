"""Sweep: starts and ends what a crash left over, and finishes pending projections."""

from cognis_memory.runtime.upkeep import sweep

handle = sweep
