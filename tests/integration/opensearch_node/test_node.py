"""A node for a folder: one, whoever asks and whatever happened before."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
import urllib3
from click.testing import CliRunner
from opensearch_node import HEAP, QUICK, OwnNode, own_node, wait_until_ended

from cognis_local.opensearch.cli import opensearch
from cognis_local.opensearch.errors import NodeError, NodeFailed, PortTaken
from cognis_local.opensearch.node import ensure_node, is_running, running_node, stop_node

pytestmark = pytest.mark.xdist_group("opensearch_launcher")

START = f"""
import pathlib, sys
from cognis_local.opensearch.node import ensure_node
folder, keeper = pathlib.Path(sys.argv[1]), int(sys.argv[2])
print(ensure_node(folder, heap={HEAP!r}, java_options={QUICK!r}, end_with=keeper).pid)
"""

VECTORS = {
    "settings": {"index.knn": True},
    "mappings": {
        "properties": {
            "vector": {
                "type": "knn_vector",
                "dimension": 2,
                "method": {"name": "hnsw", "engine": "lucene", "space_type": "cosinesimil"},
            }
        }
    },
}


def ask(method: str, url: str, body: object = None) -> Any:
    answer = urllib3.request(method, url, json=body, retries=False, timeout=60)
    assert answer.status < 300, answer.data
    return answer.json()


def store(url: str, index: str, count: int) -> None:
    """Makes an index of `count` vectors, the n-th of which is (1, n)."""
    ask("PUT", f"{url}/{index}", VECTORS)
    for n in range(count):
        ask("PUT", f"{url}/{index}/_doc/{n}?refresh=true", {"vector": [1, n]})


def nearest(url: str, index: str, vector: list[float]) -> str:
    query = {"knn": {"vector": {"vector": vector, "k": 3, "method_parameters": {"ef_search": 100}}}}
    hits = ask("POST", f"{url}/{index}/_search", {"query": query})["hits"]["hits"]
    return str(hits[0]["_id"])


def test_it_searches_vectors(node: OwnNode) -> None:
    store(node.url, "vectors", 5)
    assert nearest(node.url, "vectors", [1.0, 3.1]) == "3"


def test_it_is_found_running(node: OwnNode) -> None:
    assert ensure_node(node.folder) == ensure_node(node.folder) == running_node(node.folder) == node.node


def test_it_listens_on_this_machine_alone(node: OwnNode) -> None:
    with socket.socket() as probe:
        assert probe.connect_ex(("127.0.0.2", int(node.url.rpartition(":")[2]))) != 0


def test_nobody_else_can_read_its_folder(node: OwnNode) -> None:
    assert node.folder.stat().st_mode & 0o077 == 0


def test_a_running_one_is_at_one_port_and_of_one_line(node: OwnNode) -> None:
    with pytest.raises(PortTaken, match="already; stop it first"):
        ensure_node(node.folder, port=1)
    with pytest.raises(NodeError, match=r"OpenSearch 2\.19 is running .* stop it first"):
        ensure_node(node.folder, line="3.5")


def test_snapshots_lie_in_its_folder(node: OwnNode) -> None:
    location = {"type": "fs", "settings": {"location": "backups"}}
    assert ask("PUT", f"{node.url}/_snapshot/backups", location) == {"acknowledged": True}
    assert (node.folder / "repo" / "backups").is_dir()


def test_the_command_line_finds_it(node: OwnNode, tmp_path: Path) -> None:
    runner = CliRunner()
    started = runner.invoke(opensearch, ["start", "--folder", str(node.folder)])
    assert started.stdout == f"{node.url}\n"
    assert "make opensearch-stop" in started.stderr
    status = runner.invoke(opensearch, ["status", "--folder", str(node.folder)])
    assert status.stdout == f"{node.url} (process {node.node.pid})\n"
    nothing = runner.invoke(opensearch, ["status", "--folder", str(tmp_path)])
    assert (nothing.exit_code, nothing.stdout) == (3, "Not running.\n")
    stopped = runner.invoke(opensearch, ["stop", "--folder", str(tmp_path)])
    assert (stopped.exit_code, stopped.stdout) == (0, "Nothing was running.\n")


def test_a_killed_one_comes_back_at_its_port_with_all_it_was_told(own_opensearch_node: OwnNode) -> None:
    url, pid = own_opensearch_node.url, own_opensearch_node.node.pid
    store(url, "kept", 5)
    own_opensearch_node.kill()
    assert running_node(own_opensearch_node.folder) is None
    assert own_opensearch_node.start().pid != pid
    assert own_opensearch_node.url == url
    assert nearest(url, "kept", [1.0, 1.9]) == "2"


def test_starters_at_once_share_one_which_ends_with_its_process(folder: Path) -> None:
    with subprocess.Popen(["sleep", "600"]) as keeper:
        command = [sys.executable, "-c", START, str(folder), str(keeper.pid)]
        with ThreadPoolExecutor(max_workers=3) as pool:
            pids = set(pool.map(lambda _: int(subprocess.check_output(command, text=True)), range(3)))
        assert len(pids) == 1
        assert os.getsid(pids.pop()) != os.getsid(0)  # Ctrl-C in a starter's terminal is not for it
        keeper.kill()
    wait_until_ended(folder)


def test_a_taken_port_is_named(folder: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as stranger:
        port = stranger.getsockname()[1]
        with pytest.raises(PortTaken, match=f"Port {port} cannot be used"):
            ensure_node(folder, port=port, heap=HEAP)
    assert not is_running(folder)


def test_one_that_ends_while_starting_tells_its_last_words(folder: Path) -> None:
    with pytest.raises(NodeFailed, match=r"has ended(?s:.*)opensearch\.log(?s:.*)no\.such\.setting"):
        ensure_node(folder, heap=HEAP, config=["no.such.setting: 1"])
    assert not is_running(folder)


def test_one_that_takes_too_long_is_ended(folder: Path) -> None:
    with pytest.raises(NodeFailed, match=r"did not answer .* in 0 s(?s:.*)opensearch\.log"):
        ensure_node(folder, heap=HEAP, start_seconds=0.1)
    assert not is_running(folder)


def test_a_starter_killed_on_the_way_leaves_a_node_that_can_be_found_and_ended(folder: Path) -> None:
    command = [sys.executable, "-c", START, str(folder), str(os.getpid())]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as starter:
        while not is_running(folder):
            assert starter.poll() is None
        starter.send_signal(signal.SIGKILL)
    assert ensure_node(folder, heap=HEAP, java_options=QUICK) == running_node(folder)
    assert stop_node(folder, wipe=True)
    assert not folder.exists()


def test_a_folder_of_something_else_is_not_wiped(tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("years of work", encoding="utf-8")
    with pytest.raises(NodeError, match="not the folder of a node"):
        stop_node(tmp_path, wipe=True)
    assert (tmp_path / "thesis.txt").exists()


def test_an_unknown_line_is_refused(tmp_path: Path) -> None:
    with pytest.raises(NodeError, match=r"no line '1\.0' .* there are 2\.19, 3\.5"):
        ensure_node(tmp_path, line="1.0")


@pytest.mark.long
def test_the_newer_line_searches_vectors_too(tmp_path: Path) -> None:
    with own_node(tmp_path / "node", line="3.5") as node:
        assert ask("GET", node.url)["version"]["number"] == "3.5.0"
        store(node.url, "vectors", 5)
        assert nearest(node.url, "vectors", [1.0, 3.1]) == "3"
