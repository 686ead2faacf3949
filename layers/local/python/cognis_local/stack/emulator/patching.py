"""Changes MiniStack's modules in place, and refuses to where they are not what the patch was written for."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, version
from types import ModuleType
from typing import Any, Final

from cognis_local.stack.errors import StackError

MINISTACK_VERSION: Final = "1.5.33"

Function = Callable[..., Any]


def check_version() -> None:
    """Raises StackError unless the release that the patches were written for is installed."""
    try:
        installed = version("ministack")
    except PackageNotFoundError:
        installed = "none"
    if installed != MINISTACK_VERSION:
        raise StackError(
            f"The local stack needs ministack {MINISTACK_VERSION}, and {installed} is installed; "
            "`pip install 'cognis[emulator]'` installs it."
        )


def module(name: str) -> ModuleType:
    """The module `ministack.<name>`."""
    return importlib.import_module(f"ministack.{name}")


def wrap(owner: object, name: str, make: Callable[[Function], Function]) -> None:
    """Replaces the function `owner.name` by what `make` makes of it."""
    original = getattr(owner, name, None)
    if not callable(original):
        raise _changed(f"{owner!r} has no function {name}")
    setattr(owner, name, make(original))


def replace_text(owner: ModuleType, name: str, old: str, new: str) -> None:
    """Replaces a part of the text `owner.name`, which must hold it once."""
    text = getattr(owner, name, "")
    if text.count(old) != 1:
        raise _changed(f"{owner.__name__}.{name} holds other text")
    setattr(owner, name, text.replace(old, new))


def _changed(what: str) -> StackError:
    return StackError(f"ministack is not what its version {MINISTACK_VERSION} was: {what}; install it anew.")
