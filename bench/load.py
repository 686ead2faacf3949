"""Many clients at once on a running stack: what fails, how much goes through, whether memory stays flat.

    make run                                   # in another terminal
    python bench/load.py [--clients 20] [--seconds 180] [--run .local/run.json]

Each client has a user of its own and takes turns: one request of three messages, then three searches. An
answer of 429 is waited out as its Retry-After says and counted apart; every other answer but 200 and 202 is
an error, and so is an event that does not end as SUCCEEDED. Afterwards each user's memories are listed: none
may be held twice. `GET /v1/health` in the same run, which does no work, gives the share of the emulator and
of HTTP. Resident memory is summed over all processes of the stack.
"""

from __future__ import annotations

import argparse
import json
import threading
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from statistics import mean, quantiles
from typing import Any
from uuid import uuid4

import urllib3

SEARCHES_PER_WRITE = 3
EVENT_SECONDS = 300
SAMPLE_SECONDS = 5
GOODS = ("kayak", "telescope", "accordion", "microscope", "sewing machine", "tent", "printer", "canoe")
PLACES = ("Bergen", "Porto", "Kyoto", "Tartu", "Galway", "Trieste", "Otaru", "Ghent")


@dataclass
class Tally:
    """What the clients saw; `seconds` by kind of request."""

    seconds: dict[str, list[float]] = field(default_factory=dict)
    statuses: Counter[str] = field(default_factory=Counter)
    events: list[str] = field(default_factory=list)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def add(self, kind: str, status: int, seconds: float) -> None:
        with self.lock:
            self.statuses[f"{kind} {status}"] += 1
            if status in (200, 202):
                self.seconds.setdefault(kind, []).append(seconds)

    @property
    def errors(self) -> int:
        return sum(n for name, n in self.statuses.items() if name.split()[1] not in ("200", "202", "429"))


class Client:
    """One user's requests over one keep-alive connection."""

    def __init__(self, url: str, key: str, tally: Tally) -> None:
        self._url, self._tally = url, tally
        self._pool = urllib3.PoolManager(headers={"X-Api-Key": key, "Content-Type": "application/json"})
        self.user = f"load-{uuid4().hex[:12]}"

    def call(self, kind: str, method: str, path: str, body: Any = None) -> Any:
        """The decoded answer; None where there was none. Waits while it is throttled."""
        data = None if body is None else json.dumps(body)
        while True:
            started = time.perf_counter()
            try:
                answer = self._pool.request(method, self._url + path, body=data, timeout=60, retries=False)
            except urllib3.exceptions.HTTPError:
                self._tally.add(kind, 0, 0)
                return None
            self._tally.add(kind, answer.status, time.perf_counter() - started)
            if answer.status == 429:
                time.sleep(float(answer.headers.get("Retry-After", 1)))
                continue
            return answer.json() if answer.status in (200, 202) else None

    def write(self, turn: int) -> None:
        good, place = GOODS[turn % len(GOODS)], PLACES[turn // len(GOODS) % len(PLACES)]
        messages = [
            {"role": "user", "content": f"My cousin number {turn} bought a {good} in {place}."},
            {"role": "assistant", "content": "How nice!"},
            {"role": "user", "content": f"いとこが{turn}月の旅行で{place}に行きました。"},
        ]
        accepted = self.call("write", "POST", "/v1/memories", {"user_id": self.user, "messages": messages})
        if accepted:
            with self._tally.lock:
                self._tally.events.append(accepted["event_id"])

    def search(self, turn: int) -> None:
        query = (f"Who bought a {GOODS[turn % len(GOODS)]}?", "いとこはどこに行きましたか")[turn % 2]
        self.call("search", "POST", "/v1/memories/search", {"user_id": self.user, "query": query})


def work(client: Client, until: float) -> int:
    turn = 0
    while time.monotonic() < until:
        client.write(turn)
        for number in range(SEARCHES_PER_WRITE):
            client.search(turn + number)
        client.call("health", "GET", "/v1/health")
        turn += 1
    return turn


def settle(client: Client, events: Sequence[str]) -> Counter[str]:
    """The statuses at their end of all events; one that does not end in time counts as it stands."""
    ends: Counter[str] = Counter()
    deadline = time.monotonic() + EVENT_SECONDS
    for event_id in events:
        while True:
            event = client.call("event", "GET", f"/v1/events/{event_id}") or {}
            if event.get("status") in ("SUCCEEDED", "FAILED") or time.monotonic() > deadline:
                break
            time.sleep(0.2)
        ends[event.get("status", "LOST")] += 1
    return ends


def doubled(client: Client) -> int:
    """How many current memories of the user say the same as another one."""
    texts: Counter[str] = Counter()
    cursor = ""
    while True:
        page = client.call("list", "GET", f"/v1/memories?user_id={client.user}&limit=100{cursor}") or {}
        texts.update(memory["memory"] for memory in page.get("memories", ()))
        if not page.get("next_cursor"):
            return sum(texts.values()) - len(texts)
        cursor = f"&cursor={page['next_cursor']}"


def processes(root: int) -> Iterator[int]:
    """The process and all below it."""
    yield root
    for task in Path(f"/proc/{root}/task").glob("*/children"):
        for child in task.read_text().split():
            yield from processes(int(child))


def resident(pid: int) -> float:
    """MB of memory that the process holds; 0 when it has ended."""
    try:
        status = Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return 0.0
    return next((int(line.split()[1]) / 1024 for line in status.splitlines() if line.startswith("VmRSS")), 0)


def watch(root: int, done: threading.Event) -> list[tuple[int, float, float]]:
    """Every few seconds: how many processes there are, their memory in all, and the largest one's."""
    samples = []
    while not done.wait(SAMPLE_SECONDS):
        sizes = [size for pid in list(processes(root)) if (size := resident(pid))]
        samples.append((len(sizes), sum(sizes), max(sizes, default=0)))
    return samples


def times(tally: Tally, kind: str) -> tuple[float, float]:
    """p50 and p95 in ms."""
    cuts = quantiles((seconds * 1000 for seconds in tally.seconds[kind]), n=20)
    return cuts[9], cuts[18]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--clients", type=int, default=20)
    parser.add_argument("--seconds", type=float, default=180)
    parser.add_argument("--run", type=Path, default=Path(".local/run.json"))
    arguments = parser.parse_args()
    stack = json.loads(arguments.run.read_text())
    tally, done = Tally(), threading.Event()
    clients = [Client(stack["url"], stack["api_key"], tally) for _ in range(arguments.clients)]
    with ThreadPoolExecutor(arguments.clients + 1) as pool:
        memory = pool.submit(watch, stack["pid"], done)
        started = time.monotonic()
        turns = list(pool.map(lambda client: work(client, started + arguments.seconds), clients))
        passed = time.monotonic() - started
        ends = settle(clients[0], tally.events)
        settled = time.monotonic() - started
        done.set()
    answered = sum(len(tally.seconds[kind]) for kind in ("write", "search"))
    messages = 3 * sum(turns)
    print(f"{arguments.clients} clients, {passed:.0f} s: {answered / passed:.1f} requests/s")
    print(f"{messages / settled:.1f} messages/s until the last event had ended ({settled:.0f} s)")
    for kind in ("write", "search", "health"):
        p50, p95 = times(tally, kind)
        print(f"{kind:<8} p50 {p50:7.1f} ms  p95 {p95:7.1f} ms")
    print(f"search to health: {times(tally, 'search')[0] / times(tally, 'health')[0]:.2f} times, p50")
    samples = memory.result()
    quarter = max(len(samples) // 4, 1)
    print("processes, MB in all, MB of the largest:")
    for count, total, largest in samples[:: max(len(samples) // 8, 1)]:
        print(f"  {count:>4} {total:8.0f} {largest:8.0f}")
    flat = mean(s[1] for s in samples[-quarter:]) / mean(s[1] for s in samples[quarter : 2 * quarter])
    print(f"memory of the last quarter to that of the second: {flat:.2f}")
    print("answers:", dict(sorted(tally.statuses.items())))
    print(f"errors={tally.errors} events={dict(ends)} doubled={sum(map(doubled, clients))}")


if __name__ == "__main__":
    main()
