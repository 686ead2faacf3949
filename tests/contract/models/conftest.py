"""The model process of one machine, over HTTP, and an endpoint of SageMaker, through the API of AWS."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Thread
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server

import pytest
from aws_clients import client
from fakes import SentenceExtractor
from model_cloud import model_cloud
from text_models import HashTextModels

from cognis_local.models.app import Gate, ModelApp
from cognis_local.models.wire import ServerInfo
from cognis_memory.adapters.model_server import HttpTransport, Transport
from cognis_memory.adapters.sagemaker import SageMakerTransport

BATCH_SIZE = 32

_INFO = ServerInfo(
    model_id="hash",
    reranker_model_id="hash",
    max_concurrent_requests=4,
    max_input_length=512,
    max_client_batch_size=BATCH_SIZE,
    version="1",
    instance="contract",
)


@pytest.fixture(params=["model process", "sagemaker"])
def transport(request: pytest.FixtureRequest) -> Iterator[Transport]:
    with _model_process() if request.param == "model process" else _sagemaker() as opened:
        yield opened


@contextmanager
def _model_process() -> Iterator[Transport]:
    app = ModelApp(HashTextModels(), SentenceExtractor(), _INFO, Gate(4), Gate(4))
    server = make_server("127.0.0.1", 0, app, WSGIServer, _Quiet)
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield HttpTransport(f"http://127.0.0.1:{server.server_port}")
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@contextmanager
def _sagemaker() -> Iterator[Transport]:
    with model_cloud() as cloud:
        yield SageMakerTransport(client("sagemaker-runtime", cloud.url), "tei")


class _Quiet(WSGIRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        """The tests look at the answers."""
