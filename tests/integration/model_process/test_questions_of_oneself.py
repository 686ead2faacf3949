"""Questions that say "I", on the models of one machine: whose facts answer them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from cognis_local.memory import Memory
from cognis_local.models.process import stop_model_process
from cognis_memory.services.retrieval.relevance import ANSWERS


@pytest.fixture(scope="module")
def memory(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Memory]:
    models: Path = tmp_path_factory.mktemp("models")
    with Memory(tmp_path_factory.mktemp("memory"), models_folder=models) as memory:
        yield memory
    stop_model_process(models)


@pytest.mark.parametrize(
    ("user", "said", "query"),
    [
        ("bo-1", "I live in Reykjavik.", "Where do I live?"),
        ("bo-2", "I live in Chennai.", "Where do I live?"),
        ("bo-3", "千葉に住んでいます。", "どこに住んでいますか？"),
    ],
)
def test_what_a_named_speaker_told_is_found(memory: Memory, user: str, said: str, query: str) -> None:
    memory.add(user, {"role": "user", "content": said, "speaker": "Bo"})

    answer = memory.search(user, query, include_messages=False)
    assert [result.speaker for result in answer.results] == ["Bo"]


@pytest.mark.parametrize(
    ("user", "facts", "query", "own"),
    [
        ("ana-1", ["My brother lives in Vienna.", "I live in Rome."], "Where do I live?", "Rome"),
        ("ana-2", ["弟は仙台に住んでいます。", "札幌に住んでいます。"], "どこに住んでいますか？", "札幌"),
    ],
)
def test_ones_own_comes_before_a_relatives(
    memory: Memory, user: str, facts: list[str], query: str, own: str
) -> None:
    for fact in facts:
        memory.add(user, fact)

    answer = memory.search(user, query, include_messages=False)
    assert own in answer.results[0].memory


@pytest.mark.parametrize(
    ("user", "said", "query", "answer"),
    [
        ("cy-1", "I joined Nokia last week.", "Which company do I work for?", "Nokia"),
        ("cy-2", "I switched to a Fairphone 5.", "What phone do I have?", "Fairphone"),
        ("cy-3", "今はアプリを作る会社で働いています。", "仕事は何ですか", "アプリ"),
    ],
)
def test_an_attribute_is_found_by_what_fills_it(
    memory: Memory, user: str, said: str, query: str, answer: str
) -> None:
    memory.add(user, [said, "My sister works at a bank.", "妹は銀行で働いています。"])

    assert answer in memory.search(user, query, include_messages=False).results[0].memory


@pytest.mark.parametrize(
    ("user", "told", "query"),
    [
        ("di-1", ["My friend Petra lives in Lyon.", "My cousin lives in Bergen."], "Where do I live?"),
        ("di-2", ["友達の直美はトヨタで働いています。"], "私の勤務先は？"),
        ("di-3", ["I joined Nokia."], "What is my work email?"),
        ("di-4", ["ソニーで働いています。"], "勤務先の電話番号は？"),
    ],
)
def test_what_answers_another_question_is_not_lifted(
    memory: Memory, user: str, told: list[str], query: str
) -> None:
    for text in told:
        memory.add(user, text)

    found = memory.search(user, query, include_messages=False, min_relevance=0.0).results
    assert all(result.score < ANSWERS for result in found)


def test_of_several_speakers_nobody_knows_who_asks(memory: Memory) -> None:
    for speaker, town in (("Anna", "Rome"), ("Ben", "Oslo")):
        memory.add("eve", {"role": "user", "content": f"I live in {town}.", "speaker": speaker})
    results = memory.search("eve", "Where do I live?", include_messages=False, min_relevance=0.0).results

    assert len({result.score for result in results}) == 2


@pytest.mark.parametrize(
    ("user", "said", "query"),
    [
        ("fay-1", "I live in Rome.", "Where do I live?"),
        ("fay-2", "京都に住んでいます。", "どこに住んでいますか"),
    ],
)
def test_a_lifted_answer_holds_no_likelier_result_down(
    memory: Memory, user: str, said: str, query: str
) -> None:
    memory.add(user, said)

    assert memory.search(user, query, min_relevance=0.6).results
