"""The machines that wheels are chosen for."""

from __future__ import annotations

import sys
import sysconfig
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, cast

from packaging.markers import default_environment

LAMBDA_PYTHON: Final = "3.13"
_LAMBDA_GLIBC: Final = 34
"""Minor version of the C library in Amazon Linux 2023, which python3.13 runs on."""
_OLDEST_GLIBC: Final = 17


@dataclass(frozen=True, slots=True)
class Platform:
    """`markers` decide which requirements apply, `pip_options` which of their wheels fit.

    `name` is part of a folder's name, in which the CDK would take a dot for the begin of an extension.
    """

    name: str
    markers: Mapping[str, str]
    pip_options: tuple[str, ...] = ()


def _lambda_tags() -> tuple[str, ...]:
    newest_first = range(_LAMBDA_GLIBC, _OLDEST_GLIBC - 1, -1)
    return (*(f"manylinux_2_{minor}_aarch64" for minor in newest_first), "manylinux2014_aarch64")


LAMBDA: Final = Platform(
    name="lambda-python313-arm64",
    markers={
        "implementation_name": "cpython",
        "implementation_version": f"{LAMBDA_PYTHON}.0",
        "os_name": "posix",
        "platform_machine": "aarch64",
        "platform_python_implementation": "CPython",
        "platform_release": "",
        "platform_system": "Linux",
        "platform_version": "",
        "python_full_version": f"{LAMBDA_PYTHON}.0",
        "python_version": LAMBDA_PYTHON,
        "sys_platform": "linux",
    },
    pip_options=(
        "--implementation=cp",
        f"--python-version={LAMBDA_PYTHON}",
        "--ignore-requires-python",  # pip would compare with the Python that it runs on
        *(f"--platform={tag}" for tag in _lambda_tags()),
    ),
)
"""Python 3.13 on arm64, where the deployed functions run."""


def host() -> Platform:
    """This machine and the interpreter that runs."""
    name = f"{sys.implementation.cache_tag}-{sysconfig.get_platform()}"
    return Platform(
        name=name.replace(".", "_"),
        markers=cast("Mapping[str, str]", default_environment()),
    )
