"""The gateway's authorizer: from a request's credential to the tenant and user it stands for.

Nothing heavy is imported here: every request to the API waits for what this module loads.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, Final

from cognis_memory.domain.api_keys import digest, is_api_key
from cognis_memory.models.credential import Credential
from cognis_memory.runtime.wiring import deployment
from cognis_memory.services.credentials import authenticate

if TYPE_CHECKING:
    from cognis_memory.ports import CredentialStore

CACHE_SECONDS: Final = 30.0
"""So long, at most, a process goes on accepting a key that was revoked."""

CACHE_SIZE: Final = 1_000


class Authorizer:
    """Answers the gateway's REQUEST authorizer events."""

    def __init__(self, credentials: CredentialStore, monotonic: Callable[[], float] = time.monotonic) -> None:
        """`monotonic` counts seconds."""
        self._credentials = credentials
        self._accepted = _Accepted(monotonic)

    def __call__(self, event: Mapping[str, Any]) -> dict[str, Any]:
        """A policy that allows the whole stage, with tenant, key and bound user in its context.

        Raises Exception("Unauthorized"), by which the gateway knows a 401, for a request without exactly one
        credential that is good; CredentialsUnavailable while that cannot be found out.
        """
        key = _api_key(event)
        credential = self._credential(key) if key is not None else None
        if credential is None:
            raise Exception("Unauthorized")
        return _policy(credential, event["methodArn"])

    def _credential(self, key: str) -> Credential | None:
        """Only good keys are remembered, so that a new key works at once."""
        if not is_api_key(key):
            return None
        hashed = digest(key)
        credential = self._accepted.get(hashed)
        if credential is None:
            credential = authenticate(self._credentials, key)
            if credential is not None:
                self._accepted.put(hashed, credential)
        return credential


@cache
def authorizer() -> Authorizer:
    """This process's authorizer, with the credentials that it remembers."""
    return Authorizer(deployment().credentials)


class _Accepted:
    """Credentials by the digest of their key, for CACHE_SECONDS each, the last CACHE_SIZE of them."""

    def __init__(self, monotonic: Callable[[], float]) -> None:
        self._monotonic = monotonic
        self._held: OrderedDict[str, tuple[float, Credential]] = OrderedDict()

    def get(self, hashed: str) -> Credential | None:
        until, credential = self._held.get(hashed, (0.0, None))
        return credential if self._monotonic() < until else None

    def put(self, hashed: str, credential: Credential) -> None:
        self._held[hashed] = (self._monotonic() + CACHE_SECONDS, credential)
        self._held.move_to_end(hashed)
        while len(self._held) > CACHE_SIZE:
            self._held.popitem(last=False)


def _api_key(event: Mapping[str, Any]) -> str | None:
    """The value of `X-Api-Key`; None where there is none, several, or a credential of another kind."""
    keys = _header_values(event, "x-api-key")
    if len(keys) != 1 or _header_values(event, "authorization"):
        return None
    return keys[0]


def _header_values(event: Mapping[str, Any], name: str) -> Sequence[str]:
    """Every value of a header, whatever the case of its name."""
    several: Mapping[str, Sequence[str]] = event.get("multiValueHeaders") or {
        key: [value] for key, value in (event.get("headers") or {}).items()
    }
    return [value for key, values in several.items() if key.lower() == name for value in values]


def _policy(credential: Credential, method_arn: str) -> dict[str, Any]:
    """For every method of the stage: a policy for one alone would refuse the next, were it ever cached."""
    stage_arn = "/".join(method_arn.split("/")[:2])
    context = {"tenant_id": credential.tenant_id, "key_id": credential.key_id}
    if credential.user_id is not None:
        context["user_id"] = credential.user_id
    return {
        "principalId": credential.key_id,
        "policyDocument": {
            "Version": "2012-10-17",
            "Statement": [{"Action": "execute-api:Invoke", "Effect": "Allow", "Resource": f"{stage_arn}/*"}],
        },
        "context": context,
    }
