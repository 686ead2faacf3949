"""Fits what scores mean: the probability that a result answers the query, at even odds.

    python bench/calibration.py [--locomo PATH] [--aws]

For English and Japanese, a store of 150 facts in everyday words is asked what it knows and what it does not
(bench/data/embeddings, bench/data/unrelated_queries.jsonl). What two texts share because both are of one
person is no answer: Japanese is fitted on the same facts and questions told of one person as well, English,
with LoCoMo, on its turns and questions. Prints the constants of `cognis_local.calibrations`: a logistic
regression over cosine, lexical share and reranker, both classes weighing the same and no weight below zero,
and the threshold of the best result that keeps 99 % of the answerable queries, with the share of unrelated
ones that it turns away.

With `--aws`, of the models of a deployment, as its functions' variables name them (COGNIS_STAGE,
COGNIS_EMBEDDING_MODEL_ID, COGNIS_EMBEDDING_ENDPOINT, COGNIS_RERANK_ENDPOINT, COGNIS_RERANK_MODEL_ARN) and as
AWS charges for them: without LoCoMo some 1,800 embeddings of a sentence, and 450 rerankings. What is printed
goes into the stage's `calibrations`. A model that is busy or late is asked again for a minute or so, with
longer and longer pauses; one that fails for good ends it.
"""

from __future__ import annotations

import argparse
import json
import os
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cognis_local import Memory
from cognis_local.conversations import load
from cognis_memory.models.answers import SearchAnswer
from cognis_memory.ports import Extractor
from cognis_memory.runtime.aws_models import AwsModels
from cognis_memory.runtime.models import ModelSet
from cognis_memory.runtime.settings import Settings
from locomo import NoFacts, answerable, ingest
from patient_models import PatientEmbedder, PatientReranker

DATA = Path(__file__).parent / "data"
KEPT = 0.99
CALL_MS = "10000"
USER = "calibration"


@dataclass
class Samples:
    """Features of results, whether each is relevant, which query found it, and the queries without answer."""

    features: list[tuple[float, float, float]] = field(default_factory=list)
    relevant: list[bool] = field(default_factory=list)
    query: list[int] = field(default_factory=list)
    unanswerable: set[int] = field(default_factory=set)
    queries: int = 0

    def add(self, answer: SearchAnswer, relevant: Iterable[bool], *, answerable: bool) -> None:
        for result, is_relevant in zip(answer.results, relevant, strict=True):
            seen = result.score_breakdown
            if seen is None:
                raise ValueError("samples need searches with explain")
            self.features.append((seen.cosine or 0.0, seen.lexical or 0.0, seen.rerank or 0.0))
            self.relevant.append(is_relevant)
            self.query.append(self.queries)
        if not answerable:
            self.unanswerable.add(self.queries)
        self.queries += 1


def read_lines(path: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]


Ways = dict[bool, Samples]
"""Samples of searches with and without the reranker."""


def verbatim(text: str) -> str:
    return text


def of_one_person(text: str) -> str:
    """A Japanese fact or question as one of 杏, as topic or, before another topic, as whose it is."""
    return ("杏の" if "は" in text else "杏は") + text


@contextmanager
def opened(models: ModelSet | None, extractor: Extractor | None = None) -> Iterator[Memory]:
    """An empty store with these models, or with the local ones."""
    given: dict[str, Any] = {}
    if models is not None:
        reranker = None if models.reranker is None else PatientReranker(models.reranker)
        given = {"embedder": PatientEmbedder(models.embedder), "reranker": reranker}
    with tempfile.TemporaryDirectory() as folder, Memory(folder, extractor=extractor, **given) as memory:
        if models is not None:
            embedder = PatientEmbedder(models.query_embedder)
            memory.retrieval = replace(memory.retrieval, embedder=embedder)
        yield memory


def deployed_models() -> ModelSet:
    """Those that the environment names, with more time for each call than a search has."""
    settings = Settings.from_environment(os.environ)
    return AwsModels(replace(settings, query_embedding_ms=CALL_MS, rerank_ms=CALL_MS))


def searched(memory: Memory, user: str, query: str, **options: Any) -> SearchAnswer:
    """All that is found, with what it was judged by. A model that failed ends the bench."""
    answer = memory.search(user, query, top_k=20, min_relevance=0.0, explain=True, **options)
    if answer.degraded:
        raise SystemExit(f"no answer from a model: {', '.join(answer.degraded)}")
    return answer


def facts(language: str, ways: Ways, models: ModelSet | None, told: Callable[[str], str] = verbatim) -> None:
    """Everyday facts, kept verbatim, with questions that they answer and questions that nothing answers."""
    texts = read_lines(DATA / "embeddings" / "texts.jsonl")
    with opened(models) as memory:
        event = memory.add(USER, [told(str(text[language])) for text in texts], infer=False)
        if event.error is not None:
            raise SystemExit(f"the facts could not be kept: {event.error.type}: {event.error.detail}")
        ids = dict(zip(event.messages, (text["id"] for text in texts), strict=True))
        queries = read_lines(DATA / "embeddings" / "queries.jsonl")
        asked = [(told(str(q[language])), q["relevant"]) for q in queries]
        asked += [(str(q[language]), []) for q in read_lines(DATA / "unrelated_queries.jsonl")]
        for (query, wanted), (rerank, samples) in product(asked, ways.items()):
            answer = searched(memory, USER, query, include_messages=False, rerank=rerank)
            hits = [any(ids[m] in wanted for m in result.source_messages) for result in answer.results]
            samples.add(answer, hits, answerable=bool(wanted))


def locomo(path: Path, ways: Ways, models: ModelSet | None) -> None:
    """Turns of long conversations with their questions."""
    with opened(models, NoFacts()) as memory:
        for conversation in load(path):
            done = ingest(memory, conversation)
            for question, (rerank, samples) in product(answerable(conversation), ways.items()):
                answer = searched(memory, conversation.id, question.text, rerank=rerank)
                hits = [done.turns.get(result.id) in question.evidence for result in answer.results]
                samples.add(answer, hits, answerable=True)


def fit(features: NDArray[np.float64], relevant: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Weights of bias and features by Newton's method, classes balanced, a light ridge on the features."""
    rows = np.column_stack([np.ones(len(features)), features])
    weight = np.where(relevant, 0.5 / relevant.sum(), 0.5 / (~relevant).sum()) * len(relevant)
    ridge = np.diag([0.0, *[1.0] * features.shape[1]])
    beta = np.zeros(rows.shape[1])
    for _ in range(50):
        p = 1 / (1 + np.exp(-rows @ beta))
        gradient = rows.T @ (weight * (p - relevant)) + ridge @ beta
        hessian = rows.T @ (rows * (weight * p * (1 - p))[:, None]) + ridge
        step = np.linalg.solve(hessian, gradient)
        beta -= step
        if np.abs(step).max() < 1e-8:
            break
    return beta


def fit_above_zero(
    features: NDArray[np.float64], relevant: NDArray[np.bool_], columns: Sequence[int]
) -> NDArray[np.float64]:
    """Bias and a weight for each feature, 0 for those outside `columns` and those that would count against.

    Cosine, lexical share and reranker say much the same; fitted freely, one corrects another and a better
    match could score lower.
    """
    kept = list(columns)
    while True:
        beta = fit(features[:, kept], relevant)
        worst = int(np.argmin(beta[1:]))
        if beta[1 + worst] >= 0:
            break
        del kept[worst]
    weights = np.zeros(1 + features.shape[1])
    weights[[0, *(column + 1 for column in kept)]] = beta
    return weights


def area_under_curve(scores: NDArray[np.float64], relevant: NDArray[np.bool_]) -> float:
    """Of the ROC: how often a relevant result scores above an irrelevant one."""
    ranks = np.empty(len(scores))
    ranks[np.argsort(scores, kind="stable")] = np.arange(1, len(scores) + 1)
    positive = relevant.sum()
    return float((ranks[relevant].sum() - positive * (positive + 1) / 2) / (positive * (~relevant).sum()))


def report(name: str, samples: Samples, columns: Sequence[int]) -> None:
    features = np.array(samples.features)
    relevant = np.array(samples.relevant)
    query = np.array(samples.query)
    beta = fit_above_zero(features, relevant, columns)
    scores = 1 / (1 + np.exp(-(beta[0] + features @ beta[1:])))
    best = np.zeros(samples.queries)
    np.maximum.at(best, query, scores)
    unanswerable = np.array([number in samples.unanswerable for number in range(samples.queries)])
    threshold = float(np.floor(np.quantile(best[~unanswerable], 1 - KEPT) * 100) / 100)
    print(
        f"{name}=Calibration(bias={beta[0]:.2f}, cosine={beta[1]:.2f}, lexical={beta[2]:.2f}, "
        f"rerank={beta[3]:.2f}, threshold={threshold:.2f}),"
    )
    print(
        f"    # {samples.queries} queries, AUC {area_under_curve(scores, relevant):.3f}; "
        f"keeps {np.mean(best[~unanswerable] >= threshold):.3f} of the answerable, "
        f"turns away {np.mean(best[unanswerable] < threshold):.3f} of the unrelated",
        flush=True,
    )


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--locomo", type=Path, help="LoCoMo's JSON file, or a part of it")
    parser.add_argument("--aws", action="store_true", help="the models of a deployment's variables")
    arguments = parser.parse_args()
    models = deployed_models() if arguments.aws else None
    reranks = models is None or models.reranker is not None
    for name, language in (("spaced", "en"), ("cjk", "ja")):
        ways = {True: Samples(), False: Samples()} if reranks else {False: Samples()}
        facts(language, ways, models)
        if language == "ja":
            facts(language, ways, models, of_one_person)
        if arguments.locomo and language == "en":
            locomo(arguments.locomo, ways, models)
        if reranks:
            report(name, ways[True], (0, 1, 2))
        report(f"{name}_unranked", ways[False], (0, 1))


if __name__ == "__main__":
    main()
