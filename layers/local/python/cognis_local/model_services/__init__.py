"""A server that speaks the wire formats of AWS' models on one machine, and misbehaves as it is told.

`ModelServices` answers Converse, InvokeModel, Rerank and InvokeEndpoint; `serving` listens. Clients of boto3
reach it by `endpoint_url`, or by the environment variable `AWS_ENDPOINT_URL_BEDROCK_RUNTIME` and its like.
"""

from cognis_local.model_services.calls import Call, Operation
from cognis_local.model_services.replies import Reply
from cognis_local.model_services.server import ModelServices, Responder, Step, serving

__all__ = ["Call", "ModelServices", "Operation", "Reply", "Responder", "Step", "serving"]
