"""Questions about a time, as of a time, and about how things were before."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from deployment import Deployment

from cognis_memory.domain.settings import DEFAULT, PAPER, RetrievalSettings
from cognis_memory.models.answers import SearchResult
from cognis_memory.models.values import Operation


def _said(day: str, content: str) -> dict[str, Any]:
    return {"role": "user", "content": content, "timestamp": f"{day}T10:00:00Z"}


MOVES = {"2026-01-10": "Tokyo", "2026-03-10": "Osaka", "2026-05-10": "Kyoto"}


@pytest.fixture(scope="module")
def moved(shared_deployment: Deployment) -> Deployment:
    """A home that changed twice, each time in words that do not name the one before."""
    _move(shared_deployment)
    return shared_deployment


def _move(deployment: Deployment) -> None:
    for day, town in MOVES.items():
        deployment.add("ana", _said(day, f"My home is {town}."))
    deployment.add("ana", _said("2026-05-11", "Note: likes rain."))


@pytest.mark.parametrize(
    ("as_of", "expected"),
    [
        ("2026-01-10T09:59:59Z", []),
        ("2026-01-10T10:00:00Z", ["The home is Tokyo"]),
        ("2026-03-10T09:59:59Z", ["The home is Tokyo"]),
        ("2026-03-10T19:00:00+09:00", ["The home is Osaka"]),
        ("2026-05-10T10:00:00Z", ["The home is Kyoto"]),
        ("2030-01-01T00:00:00Z", ["The home is Kyoto"]),
    ],
)
def test_as_of_answers_with_what_was_true_then(moved: Deployment, as_of: str, expected: list[str]) -> None:
    homes = [
        text for text in moved.found("ana", "home", as_of=as_of, include_messages=False) if "home" in text
    ]
    assert homes == expected


def test_as_of_a_time_of_nothing_known(deployment: Deployment) -> None:
    moved = deployment
    _move(moved)
    moved.add("ana", _said("2026-06-01", "Forget my home."))
    moved.add("ana", _said("2026-07-01", "My home is Nara."))

    options: dict[str, Any] = {"include_messages": False, "filters": {"category": {"eq": "personal_details"}}}
    assert moved.found("ana", "home", as_of="2026-06-15T00:00:00Z", **options) == []
    assert moved.found("ana", "home", as_of="2026-05-15T00:00:00Z", **options) == ["The home is Kyoto"]
    assert moved.found("ana", "home", **options) == ["The home is Nara"]


def _home(deployment: Deployment, query: str, **options: Any) -> SearchResult:
    results = deployment.search("ana", query, include_messages=False, **options).results
    (home,) = [result for result in results if "home" in result.memory or "家" in result.memory]
    return home


@pytest.mark.parametrize(
    "query", ["Where was my home before?", "What was my previous home?", "How did my home change over time?"]
)
def test_a_question_about_the_past_brings_the_chain(moved: Deployment, query: str) -> None:
    home = _home(moved, query)

    assert home.memory == "The home is Kyoto"
    assert home.history is not None
    assert [version.memory for version in home.history] == ["The home is Tokyo", "The home is Osaka"]
    assert [version.operation for version in home.history] == [Operation.ADD, Operation.UPDATE]
    assert home.history[0].valid_until == home.history[1].valid_from
    assert home.history[1].valid_until == home.timestamp


def test_other_questions_do_not(moved: Deployment) -> None:
    assert _home(moved, "Where is my home?").history is None


def test_history_can_be_asked_for_and_declined(moved: Deployment) -> None:
    always = _home(moved, "Where is my home?", history="always").history
    assert always is not None
    assert len(always) == 2
    assert _home(moved, "Where was my home before?", history="never").history is None


def test_a_question_about_the_past_in_japanese(deployment: Deployment) -> None:
    deployment.add("ana", _said("2026-01-10", "私の家は東京です。"))
    deployment.add("ana", _said("2026-03-10", "私の家は大阪です。"))
    home = _home(deployment, "私の家は以前どこでしたか？")

    assert home.memory == "家は大阪です"
    assert [version.memory for version in home.history or []] == ["家は東京です"]
    assert _home(deployment, "私の家はどこですか？").history is None


def test_a_question_that_names_only_what_was_finds_what_is(moved: Deployment) -> None:
    """No current memory names Tokyo."""
    assert _home(moved, "Was it Tokyo before?").memory == "The home is Kyoto"


def test_what_was_retracted_is_shown_as_it_was_last(deployment: Deployment) -> None:
    _move(deployment)
    deployment.add("ana", _said("2026-06-01", "Forget my home."))
    home = _home(deployment, "Where was my home before?")

    assert (home.memory, home.is_current) == ("The home is Kyoto", False)
    assert [version.operation for version in home.history or []] == [
        Operation.ADD,
        Operation.UPDATE,
        Operation.UPDATE,
        Operation.DELETE,
    ]
    (shown,) = [version for version in home.history or [] if version.id == home.id]
    assert (shown.valid_from.isoformat(), (shown.valid_until or shown.valid_from).isoformat()) == (
        "2026-05-10T10:00:00+00:00",
        "2026-06-01T10:00:00+00:00",
    )


def test_what_was_retracted_is_shown_for_questions_about_the_past_alone(deployment: Deployment) -> None:
    _move(deployment)
    deployment.add("ana", _said("2026-06-01", "Forget my home."))
    questions = {"Where is my home?": "auto", "Where was my home before?": "never"}

    for question, history in questions.items():
        texts = deployment.found("ana", question, history=history, include_messages=False)
        assert not any("home" in text for text in texts)


def test_what_was_retracted_and_stated_anew_is_shown_as_it_is(deployment: Deployment) -> None:
    _move(deployment)
    deployment.add("ana", _said("2026-06-01", "Forget my home."))
    deployment.add("ana", _said("2026-07-01", "My home is Nara."))
    home = _home(deployment, "Where was my home before?")

    assert (home.memory, home.is_current) == ("The home is Nara", True)
    assert [(version.memory, version.operation) for version in (home.history or [])[-2:]] == [
        ("The home is Kyoto", Operation.UPDATE),
        ("Forget my home.", Operation.DELETE),
    ]


def test_what_was_retracted_stays_hidden_once_it_expires(deployment: Deployment) -> None:
    deployment.add("ana", _said("2026-06-01", "My home is Tokyo."), expires_at="2026-07-15T13:00:00Z")
    deployment.add("ana", _said("2026-06-02", "Forget my home."))
    assert _home(deployment, "Where was my home before?").memory == "The home is Tokyo"

    deployment.clock.advance(timedelta(hours=1))
    assert deployment.found("ana", "Where was my home before?", include_messages=False) == []


def test_what_was_retracted_in_japanese(deployment: Deployment) -> None:
    deployment.add("ana", _said("2026-01-10", "私の家は東京です。"))
    deployment.add("ana", _said("2026-03-10", "私の家は忘れて。"))
    home = _home(deployment, "私の家が東京だったことはありますか？")

    assert (home.memory, home.is_current) == ("家は東京です", False)
    assert deployment.found("ana", "私の家はどこですか？", include_messages=False) == []


ATE = {"2026-01-12": "soup", "2026-03-12": "fish", "2026-05-12": "rice", "2026-07-08": "cake"}
ATE_IN_JAPANESE = {"2026-01-12": "うどん", "2026-03-12": "寿司", "2026-05-12": "天ぷら", "2026-07-08": "蕎麦"}


@pytest.mark.parametrize("settings", [DEFAULT, PAPER], ids=["default", "paper"])
@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("What did I eat at the restaurant in March?", "2026-03-12"),
        ("What did I eat at the restaurant last week?", "2026-07-08"),
        ("三月に食堂で何を食べましたか？", "2026-03-12"),
        ("先週食堂で何を食べましたか？", "2026-07-08"),
    ],
)
def test_what_happened_at_the_time_asked_about_comes_first(
    deployment: Deployment, settings: RetrievalSettings, query: str, expected: str
) -> None:
    deployment.settings = settings
    for day, dish in (ATE if query.isascii() else ATE_IN_JAPANESE).items():
        text = (
            f"At the restaurant we got to eat {dish}." if query.isascii() else f"食堂で{dish}を食べました。"
        )
        deployment.add("ana", _said(day, text))
    answer = deployment.search("ana", query, explain=True, reference_time="2026-07-15T12:00:00Z")

    assert answer.query.temporal
    assert answer.query.window is not None
    assert answer.results[0].timestamp.date().isoformat() == expected
    temporal = [result.score_breakdown.temporal or 0 for result in answer.results if result.score_breakdown]
    assert temporal[0] == max(temporal) > 0


def test_a_date_in_the_text_counts_more_than_the_day_it_was_told(deployment: Deployment) -> None:
    deployment.add("ana", _said("2026-07-10", "In the spring of 2019 I sailed a boat to Crete."))
    deployment.add("ana", _said("2026-07-10", "I sailed a boat to Malta."))

    assert "2019" in deployment.found("ana", "Where did I sail a boat in April 2019?")[0]


def test_without_a_time_nothing_is_boosted(moved: Deployment) -> None:
    answer = moved.search("ana", "Where is my home?", explain=True)

    assert (answer.query.temporal, answer.query.window) == (False, None)
    assert all(
        result.score_breakdown and result.score_breakdown.temporal is None for result in answer.results
    )


def test_words_of_time_count_from_the_reference_on_the_users_clock(deployment: Deployment) -> None:
    """At 20:00 UTC on the 14th it is the 15th in Tokyo; its yesterday is the 14th, begun at 15:00 UTC."""
    answer = deployment.search(
        "ana", "What did I do yesterday?", reference_time="2026-07-14T20:00:00Z", timezone="Asia/Tokyo"
    )

    assert answer.query.window is not None
    start, end = (moment.isoformat() for moment in answer.query.window)
    assert (start, end) == ("2026-07-13T15:00:00+00:00", "2026-07-14T15:00:00+00:00")


@pytest.mark.parametrize(("query", "language"), [("Where is it?", "en"), ("どこにありますか？", "ja")])
def test_the_query_is_described(deployment: Deployment, query: str, language: str) -> None:
    assert deployment.search("ana", query).query.language == language
