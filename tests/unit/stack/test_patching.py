"""Patches belong to one release of the emulator and refuse any other."""

from __future__ import annotations

from types import ModuleType

import pytest

from cognis_local.stack.emulator import patching
from cognis_local.stack.errors import StackError


@pytest.fixture
def patched() -> ModuleType:
    module = ModuleType("patched")
    vars(module).update(SCRIPT="one two two", double=lambda n: 2 * n)
    return module


def test_the_installed_release_is_the_one_that_was_patched() -> None:
    patching.check_version()


def test_another_release_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(patching, "MINISTACK_VERSION", "0.0.1")
    with pytest.raises(StackError, match=r"needs ministack 0\.0\.1"):
        patching.check_version()


def test_a_text_that_stands_once_is_replaced(patched: ModuleType) -> None:
    patching.replace_text(patched, "SCRIPT", "one", "three")
    assert patched.SCRIPT == "three two two"


@pytest.mark.parametrize(("name", "old"), [("SCRIPT", "two"), ("SCRIPT", "four"), ("NONE", "one")])
def test_a_text_that_is_not_there_or_not_alone_is_refused(patched: ModuleType, name: str, old: str) -> None:
    with pytest.raises(StackError, match=f"patched.{name} holds other text"):
        patching.replace_text(patched, name, old, "new")


def test_a_function_is_wrapped_and_a_missing_one_refused(patched: ModuleType) -> None:
    patching.wrap(patched, "double", lambda double: lambda n: double(n) + 1)
    assert patched.double(3) == 7
    with pytest.raises(StackError, match="no function triple"):
        patching.wrap(patched, "triple", lambda triple: triple)
