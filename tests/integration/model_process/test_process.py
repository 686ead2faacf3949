"""The model process: one a folder, whoever asks and whatever happened before."""

import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, replace
from pathlib import Path

import numpy as np
import pytest
import urllib3

from cognis_local.models.clients import LocalEmbedder, LocalReranker
from cognis_local.models.errors import ModelProcessFailed
from cognis_local.models.process import ensure_model_process, stop_model_process
from cognis_local.models.state import ServerState, read_state

_ENSURE = "import sys, pathlib; from cognis_local.models.process import ensure_model_process as ensure; "

_LIVE_THROUGH_AN_UPDATE = """
import pathlib, sys
import cognis_local
from cognis_local.models.process import ensure_model_process as ensure
folder, package = pathlib.Path(sys.argv[1]), pathlib.Path(cognis_local.__file__).parent
code = package / "extraction" / "timing.py"
before = ensure(folder)
code.write_text(code.read_text(encoding="utf-8") + "# changed", encoding="utf-8")
print(before, ensure(folder), ensure(folder))
"""


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    yield tmp_path
    stop_model_process(tmp_path)


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder whose process has its models loaded."""
    folder = tmp_path_factory.mktemp("models")
    LocalEmbedder(folder).embed(["warm", "up"])
    yield folder
    stop_model_process(folder)


def state_of(folder: Path) -> ServerState:
    state = read_state(folder / "models.json")
    assert state is not None
    return state


def log_of(folder: Path) -> str:
    return (folder / "models.log").read_text(encoding="utf-8")


def starts(folder: Path) -> int:
    return log_of(folder).count("listening on")


def ask(url: str, path: str, payload: object) -> urllib3.BaseHTTPResponse:
    with urllib3.PoolManager(retries=False, timeout=60) as pool:
        return pool.request("POST", url + path, json=payload)


def is_listening(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def wait_until_gone(port: int, seconds: float = 20.0) -> bool:
    deadline = time.monotonic() + seconds
    while is_listening(port) and time.monotonic() < deadline:
        time.sleep(0.05)
    return not is_listening(port)


def test_clients_embed_and_rerank_through_the_process(running: Path) -> None:
    embedder, reranker = LocalEmbedder(running), LocalReranker(running)
    texts = [f"Memory number {n} about Ana" for n in range(100)] + ["東京に住んでいます"]
    vectors = embedder.embed(texts)
    assert vectors.shape == (101, 768)
    assert vectors.dtype == np.float32
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1.0, atol=1e-5)
    scores = reranker.rerank("どこに住んでいますか？", texts)
    assert len(scores) == 101
    assert int(np.argmax(scores)) == 100
    assert all(0 <= score <= 1 for score in scores)


def test_many_processes_at_once_share_one(folder: Path) -> None:
    command = [sys.executable, "-c", _ENSURE + "print(ensure(pathlib.Path(sys.argv[1])))", str(folder)]
    with ThreadPoolExecutor(max_workers=6) as pool:
        urls = list(pool.map(lambda _: subprocess.check_output(command, text=True).strip(), range(6)))
    assert set(urls) == {state_of(folder).url}
    assert starts(folder) == 1


def test_threads_share_one(folder: Path) -> None:
    with ThreadPoolExecutor(max_workers=4) as pool:
        urls = set(pool.map(lambda _: ensure_model_process(folder), range(8)))
    assert len(urls) == 1
    assert starts(folder) == 1


def test_folders_have_their_own(running: Path, folder: Path) -> None:
    assert ensure_model_process(folder) != ensure_model_process(running)


def test_outlives_the_process_that_started_it(folder: Path) -> None:
    subprocess.run(
        [sys.executable, "-c", _ENSURE + "ensure(pathlib.Path(sys.argv[1]))", str(folder)], check=True
    )
    assert ask(state_of(folder).url, "/embed", {"inputs": "x"}).status == 200


def test_a_killed_one_is_replaced_under_its_clients(folder: Path) -> None:
    embedder = LocalEmbedder(folder)
    before = embedder.embed(["one", "two"])
    os.kill(state_of(folder).pid, signal.SIGKILL)
    np.testing.assert_allclose(embedder.embed(["one", "two"]), before, atol=1e-6)
    assert starts(folder) == 2


def test_another_program_with_its_pid_or_port_is_left_alone(folder: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as stranger:
        port = stranger.getsockname()[1]
        stranger.listen()
        accepting = threading.Thread(target=_answer_nonsense, args=(stranger,), daemon=True)
        accepting.start()
        state = ServerState(pid=os.getpid(), port=port, instance="gone", version="0")
        (folder / "models.json").write_text(json.dumps(asdict(state)), encoding="utf-8")
        assert ensure_model_process(folder) != state.url
        stop_model_process(folder)
    accepting.join(timeout=10)


def _answer_nonsense(stranger: socket.socket) -> None:
    stranger.settimeout(5)
    try:
        while True:
            connection, _ = stranger.accept()
            with connection:
                connection.recv(4096)
                connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n[]")
    except OSError:
        return


@pytest.mark.parametrize("content", ["", "{", "[]", '{"pid": 1}', '{"pid": 1, "port": 2, "what": 3}'])
def test_a_broken_state_file_is_written_anew(folder: Path, content: str) -> None:
    (folder / "models.json").write_text(content, encoding="utf-8")
    assert ensure_model_process(folder) == state_of(folder).url


def test_one_of_another_version_is_replaced_and_ends(folder: Path) -> None:
    ensure_model_process(folder)
    old = state_of(folder)
    other = replace(old, version="0.0.1+other")
    (folder / "models.json").write_text(json.dumps(asdict(other)), encoding="utf-8")
    assert ensure_model_process(folder) != old.url
    assert wait_until_gone(old.port)
    assert starts(folder) == 2


def test_a_caller_that_lives_through_an_update_gets_one_new_process(folder: Path, unpacked: Path) -> None:
    command = [sys.executable, "-c", _LIVE_THROUGH_AN_UPDATE, str(folder)]
    environment = {**os.environ, "PYTHONPATH": str(unpacked)}
    before, after, again = subprocess.check_output(command, env=environment, text=True).split()
    assert before != after == again
    assert starts(folder) == 2


def test_ends_when_idle_and_starts_again(folder: Path) -> None:
    ensure_model_process(folder, idle_seconds=0.1)
    port = state_of(folder).port
    assert wait_until_gone(port)
    assert not (folder / "models.json").exists()
    assert LocalEmbedder(folder).embed(["again"]).shape == (1, 768)


def test_ends_when_its_folder_goes(tmp_path: Path) -> None:
    ensure_model_process(tmp_path)
    port = state_of(tmp_path).port
    (tmp_path / "models.json").unlink()
    assert wait_until_gone(port)


def test_answers_what_is_under_way_before_it_ends(folder: Path) -> None:
    url = ensure_model_process(folder)
    assert ask(url, "/embed", {"inputs": "load"}).status == 200
    long = [f"{n} " + "many different words stand here and there " * 40 for n in range(20)]
    with ThreadPoolExecutor(max_workers=1) as pool:
        answer = pool.submit(ask, url, "/embed", {"inputs": long})
        time.sleep(0.3)
        os.kill(state_of(folder).pid, signal.SIGTERM)
        assert answer.result().status == 200
        assert len(answer.result().json()) == 20
    assert wait_until_gone(int(url.rpartition(":")[2]))


def test_refuses_more_than_it_can_hold_and_stays_well(running: Path) -> None:
    url = ensure_model_process(running)
    long = ["many different words stand here and there " * 40] * 2
    with ThreadPoolExecutor(max_workers=30) as pool:
        statuses = list(pool.map(lambda _: ask(url, "/embed", {"inputs": long}).status, range(30)))
    assert set(statuses) <= {200, 429}
    assert 429 in statuses
    assert ask(url, "/embed", {"inputs": "x"}).status == 200


def test_speaks_json_when_a_request_is_too_large(running: Path) -> None:
    answer = ask(ensure_model_process(running), "/embed", {"inputs": "x" * 2_100_000})
    assert (answer.status, answer.json()["error_type"]) == (413, "Validation")


def test_keeps_connections_alive(running: Path) -> None:
    with urllib3.PoolManager(retries=False) as pool:
        url = ensure_model_process(running)
        for _ in range(3):
            assert pool.request("POST", f"{url}/embed", json={"inputs": "x"}).status == 200
        connections = pool.connection_from_url(url).num_connections
    assert connections == 1


def test_listens_on_this_machine_alone(running: Path) -> None:
    port = state_of(running).port
    with socket.socket(socket.AF_INET) as probe:
        assert probe.connect_ex(("127.0.0.2", port)) != 0


def test_logs_no_text(running: Path) -> None:
    url = ensure_model_process(running)
    for payload in ({"inputs": "zebra"}, {"inputs": ["zebra"] * 65}, {"inputs": {"zebra": 1}}):
        ask(url, "/embed", payload)
    ask(url, "/rerank", {"query": "zebra", "texts": ["zebra"], "raw_scores": "zebra"})
    assert "422" in log_of(running)
    assert "zebra" not in log_of(running)


def test_says_where_the_log_is_when_it_cannot_start(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    broken = folder / "path" / "waitress"
    broken.mkdir(parents=True)
    (broken / "__init__.py").write_text("raise SystemExit(3)", encoding="utf-8")
    monkeypatch.setenv("PYTHONPATH", str(broken.parent))
    with pytest.raises(ModelProcessFailed, match=r"code 3.*models\.log"):
        ensure_model_process(folder)


def test_says_where_the_log_is_when_it_takes_too_long(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    slow = folder / "path" / "waitress"
    slow.mkdir(parents=True)
    (slow / "__init__.py").write_text("import time; time.sleep(60)", encoding="utf-8")
    monkeypatch.setenv("PYTHONPATH", str(slow.parent))
    with pytest.raises(ModelProcessFailed, match=r"within 1 s.*models\.log"):
        ensure_model_process(folder, start_seconds=1)


def test_stopping_where_none_runs_is_no_fault(tmp_path: Path) -> None:
    stop_model_process(tmp_path)
    assert not list(tmp_path.iterdir())
