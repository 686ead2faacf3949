"""MiniStack as a child process, mended where AWS behaves otherwise.

`process` is the parent's side; `python -m cognis_local.stack.emulator` the child's, which applies the patches
of the other modules and serves. Each patch names what AWS does. They belong to one release of MiniStack,
which `patching` checks.
"""
