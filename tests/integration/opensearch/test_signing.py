"""Requests to a domain are signed as the process's role, over TLS that is verified."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from ipaddress import IPv4Address
from itertools import count
from pathlib import Path

import boto3
import pytest
from aws_account import forget_account
from botocore.auth import SigV4Auth
from botocore.awsrequest import AWSRequest
from botocore.credentials import Credentials, ReadOnlyCredentials
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from requests import PreparedRequest
from scripted_node import Request, ScriptedNode, answering, scripted
from search_indexes import ANA, NodeIndex, documents, found, ids

from cognis_memory.adapters.opensearch.signing import signer_of
from cognis_memory.errors import ConfigurationError, IndexUnavailable
from cognis_memory.runtime.settings import Settings
from cognis_memory.runtime.wiring import Deployment

REGION = "eu-central-1"
PARTS = re.compile(
    r"AWS4-HMAC-SHA256 Credential=(?P<key>\w+)/\d{8}/(?P<region>[\w-]+)/(?P<service>\w+)/aws4_request, "
    r"SignedHeaders=(?P<headers>[\w;-]+), Signature=(?P<signature>[0-9a-f]{64})"
)


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A certificate for this machine that only who is given it trusts, with its key."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "domain")])
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(IPv4Address("127.0.0.1"))]), False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), True)
        .sign(key, hashes.SHA256())
    )
    private = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    path = tmp_path_factory.mktemp("tls") / "domain.pem"
    path.write_bytes(private + made.public_bytes(serialization.Encoding.PEM))
    return path


@pytest.fixture
def domain(opensearch_node: str, certificate: Path) -> Iterator[tuple[ScriptedNode, str]]:
    """The run's node behind TLS."""
    with scripted(opensearch_node, certificate) as running:
        yield running


@pytest.fixture
def role(monkeypatch: pytest.MonkeyPatch) -> Iterator[ScriptedNode]:
    """Where this process gets the credentials of its role, which last five minutes: new ones every time."""
    with scripted("http://127.0.0.1") as (server, url):
        server.plan("/role", *(answering(200, _credentials(number)) for number in range(20)))
        for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN", "AWS_PROFILE"):
            monkeypatch.delenv(name, raising=False)
        monkeypatch.setenv("AWS_CONTAINER_CREDENTIALS_FULL_URI", f"{url}/role")
        monkeypatch.setenv("AWS_DEFAULT_REGION", REGION)
        yield server


def _credentials(number: int) -> dict[str, str]:
    return {
        "AccessKeyId": f"AKIA{number}",
        "SecretAccessKey": f"secret-{number}",
        "Token": f"token-{number}",
        "Expiration": (datetime.now(UTC) + timedelta(minutes=5)).strftime("%Y-%m-%dT%H:%M:%SZ"),
    }


def deployed(endpoint: str) -> Deployment:
    return Deployment(Settings(stage="test", search="opensearch", opensearch_endpoint=endpoint))


def signed_by(request: Request) -> int:
    """The number of the credentials that the request was signed with, after its signature was checked."""
    parts = PARTS.fullmatch(request.headers["Authorization"])
    assert parts is not None
    assert (parts["region"], parts["service"]) == (REGION, "es")
    signed = parts["headers"].split(";")
    assert {"host", "x-amz-date", "x-amz-content-sha256", "x-amz-security-token"} <= set(signed)

    number = int(parts["key"].removeprefix("AKIA"))
    given = {name.lower(): value for name, value in request.headers.items()}
    expected = AWSRequest(
        request.method,
        f"https://{given['host']}{request.target}",
        headers={name: given[name] for name in signed},
        data=request.body,
    )
    expected.context["timestamp"] = given["x-amz-date"]
    auth = SigV4Auth(Credentials(f"AKIA{number}", f"secret-{number}", f"token-{number}"), "es", REGION)
    text = auth.string_to_sign(expected, auth.canonical_request(expected))
    assert parts["signature"] == auth.signature(text, expected)
    assert given["x-amz-security-token"] == f"token-{number}"
    return number


def test_every_request_is_signed_with_the_credentials_of_the_moment(
    node_index: NodeIndex,
    domain: tuple[ScriptedNode, str],
    role: ScriptedNode,
    certificate: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("REQUESTS_CA_BUNDLE", str(certificate))
    connection = deployed(domain[1]).opensearch_connection
    index = node_index.through(connection)
    index.apply(ANA, documents(1, 2, 3), [])
    assert found(index, 'place 京都 "*"') == ids(1, 2, 3)
    connection.close()

    numbers = [signed_by(request) for request in domain[0].requests]
    assert len(numbers) > 2
    assert numbers == sorted(set(numbers)), "a request was signed with credentials of an earlier one"


class RotatingSession:
    """A session whose credentials change every third time that they are asked for."""

    region_name = REGION

    def __init__(self) -> None:
        self._asked = count()

    def get_credentials(self) -> RotatingSession:
        return self

    def get_frozen_credentials(self) -> ReadOnlyCredentials:
        number = next(self._asked) // 3
        return ReadOnlyCredentials(f"AKIA{number}", f"secret-{number}", f"token-{number}")


def test_credentials_that_change_between_threads_are_never_mixed() -> None:
    signer = signer_of(RotatingSession())  # type: ignore[arg-type]

    def sign(_: int) -> Request:
        signed = PreparedRequest()
        signed.prepare("POST", "https://domain/_bulk", {"Host": "domain"}, data=b"x" * 2_000, auth=signer)
        return Request("POST", "/_bulk", dict(signed.headers), b"x" * 2_000)

    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)  # so that threads meet within a signature
    try:
        with ThreadPoolExecutor(8) as threads:
            requests = list(threads.map(sign, range(1_000)))
    finally:
        sys.setswitchinterval(interval)
    assert len({signed_by(request) for request in requests}) > 300


def test_a_certificate_that_nobody_vouches_for_is_refused(
    domain: tuple[ScriptedNode, str], role: ScriptedNode, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("REQUESTS_CA_BUNDLE", raising=False)
    connection = deployed(domain[1]).opensearch_connection
    with pytest.raises(IndexUnavailable):
        connection.request("GET", "/")
    connection.close()

    assert domain[0].requests == []


def test_without_credentials_or_region_nothing_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    forget_account(monkeypatch)
    with pytest.raises(ConfigurationError, match="credentials"):
        signer_of(boto3.Session(region_name=REGION))
    with pytest.raises(ConfigurationError, match="region"):
        signer_of(boto3.Session("key", "secret"))


def test_a_role_that_gives_no_credentials_is_an_error_that_may_be_repeated(
    domain: tuple[ScriptedNode, str], role: ScriptedNode
) -> None:
    """They were there when the process began and cannot be renewed now."""
    role.plan("/role", answering(200, _credentials(0)), *[answering(500)] * 20)
    connection = deployed(domain[1]).opensearch_connection
    with pytest.raises(IndexUnavailable):
        connection.request("GET", "/")
    connection.close()
