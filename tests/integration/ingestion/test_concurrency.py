"""Many ingestions at once: those of one user take turns, those of different users do not meet."""

from __future__ import annotations

import random
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta
from pathlib import Path

from deployment import Deployment, MessageInput, owner_of
from engines import describe, open_deployment
from fakes import NOW

from cognis_memory.models.answers import EventAnswer
from cognis_memory.models.event import EventStatus
from cognis_memory.models.values import Operation
from cognis_memory.services.verification import verify


def _add_at_once(deployment: Deployment, requests: Sequence[tuple[str, MessageInput]]) -> list[EventAnswer]:
    """Accepts in the order given and runs all at once."""
    states = [deployment.accept(user, message) for user, message in requests]
    with ThreadPoolExecutor(max_workers=len(states)) as executor:
        return list(executor.map(deployment.run, states))


def test_ten_copies_of_one_fact_are_one_memory(deployment: Deployment) -> None:
    events = _add_at_once(deployment, [("ana", "Note: likes rain.")] * 10)

    assert {event.status for event in events} == {EventStatus.SUCCEEDED}
    operations = [operation.operation for event in events for operation in event.operations]
    assert sorted(operations) == [Operation.ADD] + [Operation.NONE] * 9
    (memory,) = deployment.list("ana").memories
    assert len(memory.source_messages) == 10


def test_eight_different_facts_are_eight_memories(deployment: Deployment) -> None:
    words = ["rain", "snow", "wind", "fog", "hail", "sun", "frost", "dew"]
    events = _add_at_once(deployment, [("ana", f"Note: likes {word}.") for word in words])

    assert {event.status for event in events} == {EventStatus.SUCCEEDED}
    assert sorted(deployment.texts("ana")) == sorted(f"likes {word}" for word in words)
    for word in words:
        assert f"likes {word}" in deployment.found("ana", f"who likes {word}?")


def test_eight_values_of_one_slot_are_one_chain_in_order_of_time(deployment: Deployment) -> None:
    towns = ["Tokyo", "Osaka", "Kyoto", "Nara", "Kobe", "Otsu", "Uji", "Sakai"]
    _add_at_once(deployment, [("ana", f"My home is {town}.") for town in towns])

    (current,) = deployment.list("ana").memories
    chain = deployment.history("ana", current.id).history
    assert [version.memory for version in chain] == [f"The home is {town}" for town in towns]


def test_users_do_not_meet(deployment: Deployment) -> None:
    users = [f"user-{number}" for number in range(6)]
    requests = [(user, f"My home is {town}{user}.") for town in ("Tokyo", "Osaka") for user in users]
    events = _add_at_once(deployment, requests)

    assert {event.status for event in events} == {EventStatus.SUCCEEDED}
    for user in users:
        assert deployment.texts(user) == [f"The home is Osaka{user}"]
        assert len(deployment.texts(user, include_history=True)) == 2


def test_fifty_ingestions_of_one_user_at_once_end_as_one_after_another(tmp_path: Path) -> None:
    """Told in any order, held as in order of time: the same versions, valid at the same times."""
    messages = [_said(f"My home is Town{n}.", n) for n in range(20)]
    messages += [_said(f"私の仕事は仕事{n}です。", n) for n in range(20, 40)]
    messages += [_said(f"Note: likes {word}.", 40) for word in ("rain", "snow", "wind", "fog", "hail")]
    messages += [_said("メモ：雨が好き。", n) for n in range(41, 46)]
    serial, parallel = open_deployment(describe(tmp_path / "1")), open_deployment(describe(tmp_path / "2"))
    for message in messages:
        serial.add("ana", message)
    random.Random(50).shuffle(messages)
    events = _add_at_once(parallel, [("ana", message) for message in messages])

    assert len(messages) == 50
    assert {event.status for event in events} == {EventStatus.SUCCEEDED}
    assert _held(parallel) == _held(serial)
    assert len([version for version in _held(serial) if version[2]]) == 2 + 5 + 1
    for deployment in (serial, parallel):
        assert verify(deployment.ledger, deployment.index).clean
        deployment.close()


def test_two_processes_on_one_folder(tmp_path: Path) -> None:
    """Two deployments, each with connections, caches and numbers of its own."""
    one, two = open_deployment(describe(tmp_path)), open_deployment(describe(tmp_path))
    states = [one.accept("ana", f"Note: likes {word}.") for word in ("rain", "snow", "wind", "fog")]
    states += [one.accept("ana", "Note: likes rain.") for _ in range(4)]
    with ThreadPoolExecutor(max_workers=8) as executor:
        events = list(executor.map(lambda run, state: run(state), [one.run, two.run] * 4, states))

    assert {event.status for event in events} == {EventStatus.SUCCEEDED}
    for deployment in (one, two):
        assert sorted(deployment.texts("ana")) == ["likes fog", "likes rain", "likes snow", "likes wind"]
        assert "likes fog" in deployment.found("ana", "likes fog")
        deployment.close()


def test_a_search_during_ingestions_sees_whole_states(deployment: Deployment) -> None:
    """Never two current homes, and never none once there was one."""
    deployment.add("ana", "My home is Town0.")
    states = [deployment.accept("ana", f"My home is Town{number}.") for number in range(1, 9)]
    seen = []
    with ThreadPoolExecutor(max_workers=1) as executor:
        running = executor.submit(lambda: [deployment.run(state) for state in states])
        while not running.done():
            results = deployment.search("ana", "where is the home", include_messages=False).results
            seen.append([result.memory for result in results])

    assert all(len(homes) <= 1 for homes in seen)
    assert sum(len(homes) for homes in seen) >= len(seen) / 2
    assert deployment.texts("ana") == ["The home is Town8"]


def _said(content: str, minute: int) -> dict[str, str]:
    moment = NOW - timedelta(days=1) + timedelta(minutes=minute)
    return {"role": "user", "content": content, "timestamp": moment.isoformat()}


def _held(deployment: Deployment) -> list[tuple[str, int, bool, datetime, datetime | None]]:
    """What every version says, its place in its chain, and when it holds."""
    memories = deployment.ledger.iterate_memories(owner_of("ana"))
    return sorted((m.content, m.version, m.is_current, m.valid_from, m.valid_until) for m in memories)
