"""Small files in the formats of LoCoMo and LongMemEval, of sentences of our own."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

CITIES = ("Osaka", "Bergen", "Lisbon", "Quito", "Turin", "Accra")
THINGS = ("a red bicycle", "two concert tickets", "a jar of plum jam", "a wooden boat", "a green kettle")
ANIMALS = ("hedgehog", "heron", "otter", "magpie", "badger", "lizard")
STARTED = datetime(2026, 3, 2, 18, 5, tzinfo=UTC)


def write_locomo(path: Path, conversations: int = 1, sessions: int = 2, repeats: int = 1) -> int:
    """Conversations of Mika and Jonas with questions of all five categories; returns how many there are.

    `repeats` asks the same again, as questions of their own.
    """
    samples = [_sample(number, sessions, repeats) for number in range(conversations)]
    path.write_text(json.dumps(samples), encoding="utf-8")
    return sum(len(sample["qa"]) for sample in samples)


def _sample(number: int, sessions: int, repeats: int) -> dict[str, Any]:
    conversation: dict[str, Any] = {"speaker_a": "Mika", "speaker_b": "Jonas"}
    questions: list[dict[str, Any]] = []
    for session in range(1, sessions + 1):
        place = number * sessions + session
        city, thing = CITIES[place % len(CITIES)], THINGS[place % len(THINGS)]
        animal = ANIMALS[place % len(ANIMALS)]
        began = STARTED + timedelta(days=9 * place)
        conversation[f"session_{session}_date_time"] = f"{began:%I:%M %p on %d %B, %Y}".lower()
        conversation[f"session_{session}"] = [
            _turn("Mika", session, 1, f"I moved to {city} last week."),
            _turn("Jonas", session, 2, f"I bought {thing} at the market in {city}."),
            _turn("Mika", session, 3, f"私は{city}で{thing}を見ました。"),
            _turn("Jonas", session, 4, f"There was a {animal} in my garden, then a dog."),
        ]
        questions += [
            _asked(4, f"What did Jonas buy at the market in {city}?", thing, f"D{session}:2"),
            _asked(1, "Which animals were in Jonas's garden?", f"{animal}, dog", f"D{session}:4"),
            _asked(2, f"When did Mika move to {city}?", f"{began:%B %Y}", f"D{session}:1"),
            _asked(3, f"Does Mika like {city}?", "Likely yes; she moved there", f"D{session}:1"),
            _asked(5, f"Why did Jonas sell his boat in {city}?", None, f"D{session}:2"),
        ]
    return {"sample_id": f"conv-{number}", "conversation": conversation, "qa": questions * repeats}


def _turn(speaker: str, session: int, position: int, text: str) -> dict[str, str]:
    return {"speaker": speaker, "dia_id": f"D{session}:{position}", "text": text}


def _asked(category: int, question: str, answer: str | None, evidence: str) -> dict[str, Any]:
    asked: dict[str, Any] = {"question": question, "evidence": [evidence], "category": category}
    return asked | ({"adversarial_answer": "no reason"} if answer is None else {"answer": answer})


def longmemeval_instance(**changes: Any) -> dict[str, Any]:
    """A question whose history has its evidence in the older of two sessions, which stands second."""
    return {
        "question_id": "q1",
        "question_type": "single-session-user",
        "question": "Which instrument do I play?",
        "answer": "the cello",
        "question_date": "2023/05/30 (Tue) 23:40",
        "haystack_session_ids": ["filler_1", "answer_1"],
        "haystack_dates": ["2023/05/25 (Thu) 09:15", "2023/05/20 (Sat) 02:21"],
        "haystack_sessions": [
            [
                {"role": "user", "content": "How long does rice take?"},
                {"role": "assistant", "content": "About twelve minutes."},
            ],
            [
                {"role": "user", "content": "I play the cello in an orchestra.", "has_answer": True},
                {"role": "assistant", "content": "That sounds wonderful!"},
                {"role": "user", "content": "  "},
            ],
        ],
        "answer_session_ids": ["answer_1"],
    } | changes


def write_longmemeval(path: Path) -> None:
    """Three questions: one that the history answers, one in Japanese, and one without an answer."""
    japanese = [
        [
            {"role": "user", "content": "私は京都で陶芸を習っています。"},
            {"role": "assistant", "content": "いいですね。"},
        ]
    ]
    instances = [
        longmemeval_instance(),
        longmemeval_instance(
            question_id="q2",
            question_type="knowledge-update",
            question="私は京都で何を習っていますか？",
            answer="陶芸",
            haystack_dates=["2023/05/20 (Sat) 02:21"],
            haystack_sessions=japanese,
        ),
        longmemeval_instance(
            question_id="q3_abs",
            question_type="multi-session",
            question="Which language does my violin teacher speak?",
            answer="A violin teacher was never mentioned.",
        ),
    ]
    path.write_text(json.dumps(instances, ensure_ascii=False), encoding="utf-8")
