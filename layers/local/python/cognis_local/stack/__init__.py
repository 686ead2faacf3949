"""The whole application on one machine: the synthesised stacks on MiniStack, an AWS emulator without Docker.

`python -m cognis_local.stack run` brings it up; see `docs/local-stack.md`.
"""
