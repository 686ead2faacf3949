"""The version of Cognis, as the API tells it: a deployed function has no package to ask."""

from typing import Final

VERSION: Final = "0.1.0"
