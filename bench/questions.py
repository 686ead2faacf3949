"""What comes first when a question was asked before: a fact that answers it, or the earlier question.

    python bench/questions.py

In English and Japanese, the 156 facts of bench/data/embeddings are told as messages and all its questions
asked as messages; then each question is asked again. Prints, for several `question_share`, how often a fact
that answers it is first, how often any message that only asks, and the mean reciprocal rank of the first
such fact.
"""

from __future__ import annotations

import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import mean

from calibration import DATA, USER, read_lines
from cognis_local import Memory
from cognis_memory.domain.settings import DEFAULT, RetrievalSettings
from locomo import NoFacts

SHARES = (1.0, 0.7, 0.5, 0.3)


@dataclass(frozen=True, slots=True)
class Told:
    """Which fact each message told, and what is asked with the facts that answer it."""

    facts: Mapping[str, str]
    asked: Sequence[tuple[str, frozenset[str]]]


def tell(folder: Path, language: str) -> Told:
    texts = read_lines(DATA / "embeddings" / "texts.jsonl")
    queries = read_lines(DATA / "embeddings" / "queries.jsonl")
    with Memory(folder, extractor=NoFacts()) as memory:
        event = memory.add(USER, [str(text[language]) for text in texts])
        memory.add(USER, [str(query[language]) for query in queries], context_id="asked before")
    facts = dict(zip(event.messages, (str(text["id"]) for text in texts), strict=True))
    return Told(facts, [(str(q[language]), frozenset(q["relevant"])) for q in queries])


def ranks(folder: Path, told: Told, settings: RetrievalSettings) -> list[tuple[bool, bool, float]]:
    """Of each question: whether an answer is first, whether a question is, and the answer's 1 / rank."""
    outcomes = []
    with Memory(folder, settings=settings) as memory:
        for query, relevant in told.asked:
            results = memory.search(USER, query, top_k=20, min_relevance=0.0).results
            found = [told.facts.get(result.id) for result in results]
            first = next((rank for rank, fact in enumerate(found, start=1) if fact in relevant), None)
            outcomes.append((first == 1, found[0] is None, 1 / first if first else 0.0))
    return outcomes


def main() -> None:
    for language in ("en", "ja"):
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            told = tell(folder, language)
            for share in SHARES:
                answers, questions, reciprocals = zip(
                    *ranks(folder, told, replace(DEFAULT, question_share=share)), strict=True
                )
                print(
                    f"{language} question_share={share}: answer first {mean(answers):.3f}, "
                    f"question first {mean(questions):.3f}, MRR {mean(reciprocals):.3f}",
                    flush=True,
                )


if __name__ == "__main__":
    main()
