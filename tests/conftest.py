"""What holds for every test."""

from __future__ import annotations

from hypothesis import HealthCheck, settings

# Shared machines stall at times: a slow example says nothing about the code, and pytest bounds each test.
settings.register_profile("cognis", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("cognis")
