"""Every request is signed, for the service and region that it goes to."""

from __future__ import annotations

import re

import pytest
from aws_clients import ACCESS_KEY, REGION, SECRET_KEY, client
from botocore.auth import SigV4Auth
from botocore.awsrequest import AWSRequest
from botocore.credentials import Credentials
from model_cloud import ModelCloud
from model_operations import WAYS

from cognis_local.model_services import Operation

AUTHORIZATION = re.compile(
    r"AWS4-HMAC-SHA256 Credential=(?P<key>\w+)/\d{8}/(?P<region>[\w-]+)/(?P<service>\w+)/aws4_request, "
    r"SignedHeaders=(?P<headers>[\w;-]+), Signature=(?P<signature>[0-9a-f]{64})"
)
SIGNED_AS = {
    Operation.CONVERSE: ("bedrock", "/model/model/converse"),
    Operation.INVOKE_MODEL: ("bedrock", "/model/amazon.titan-embed-text-v2%3A0/invoke"),
    Operation.RERANK: ("bedrock", "/rerank"),
    Operation.INVOKE_ENDPOINT: ("sagemaker", "/endpoints/tei/invocations"),
}


@pytest.mark.parametrize("operation", Operation)
def test_a_request_bears_the_signature_of_its_own_content(cloud: ModelCloud, operation: Operation) -> None:
    way = WAYS[operation]

    way.call(client(way.service, cloud.url))

    (call,) = cloud.services.calls
    headers = {name.lower(): value for name, value in call.headers.items()}
    found = AUTHORIZATION.fullmatch(headers["authorization"])
    assert found is not None
    service, path = SIGNED_AS[operation]
    assert (found["key"], found["region"], found["service"]) == (ACCESS_KEY, REGION, service)
    signed = {name: headers[name] for name in found["headers"].split(";")}
    request = AWSRequest("POST", f"http://{headers['host']}{path}", headers=signed, data=call.body)
    request.context["timestamp"] = headers["x-amz-date"]
    auth = SigV4Auth(Credentials(ACCESS_KEY, SECRET_KEY), service, REGION)
    expected = auth.signature(auth.string_to_sign(request, auth.canonical_request(request)), request)
    assert found["signature"] == expected
