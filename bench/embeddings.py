"""The local models, measured: `python bench/embeddings.py [--locomo PATH] [--only quality candidates speed]`.

quality     Share of relevant texts among the first k, and mean of 1 / rank of the first one: each model
            alone, both interleaved, the first 256 components of that, and the first 50 reranked. Over
            `data/embeddings` (156 memories and 108 questions, the same in English and Japanese), questions
            in one language over memories in the other too, and with `--locomo` over the turns and the
            observations of a file in LoCoMo's format, each conversation by itself.
candidates  How much of the ten nearest by 768 components is among the 200 nearest by 256, at 5,000 memories
            written from templates.
speed       Texts a second of one core's time, a query's and a reranking's time, and the model process: from
            nothing to its first answer, and its memory.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import resource
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import threadpool_limits

from cognis_local.models.clients import LocalEmbedder, LocalReranker
from cognis_local.models.engine import Models, load_models
from cognis_local.models.minilm import sentence_vectors
from cognis_local.models.process import stop_model_process
from cognis_local.models.state import read_state

DATA = Path(__file__).parent / "data" / "embeddings"
LANGUAGES = ("en", "ja")
PREFIX = 256
CANDIDATES = 200
MEMORIES = 5_000
QUERIES = 500
RERANKED = 50

Matrix = NDArray[np.float32]


@dataclass(frozen=True)
class Task:
    """Texts, queries, and for each query the positions of the texts that answer it."""

    texts: list[str]
    queries: list[str]
    relevant: list[set[int]]


def own_task(language: str, asked_in: str | None = None) -> Task:
    texts = _json_lines("texts.jsonl")
    queries = _json_lines("queries.jsonl")
    position = {text["id"]: index for index, text in enumerate(texts)}
    return Task(
        [text[language] for text in texts],
        [query[asked_in or language] for query in queries],
        [{position[name] for name in query["relevant"]} for query in queries],
    )


def locomo_tasks(path: Path, observations: bool) -> Iterator[Task]:
    for sample in json.loads(path.read_text(encoding="utf-8")):
        documents = _observations(sample) if observations else _turns(sample)
        queries, relevant = [], []
        for question in sample["qa"]:
            evidence = {turn for item in question["evidence"] for turn in re.split(r"[;,\s]+", item)}
            found = {index for index, (_, turns) in enumerate(documents) if turns & evidence}
            if question["category"] != 5 and found:  # category 5 has no answer
                queries.append(question["question"])
                relevant.append(found)
        yield Task([text for text, _ in documents], queries, relevant)


def _turns(sample: dict) -> list[tuple[str, set[str]]]:
    sessions = [value for key, value in sample["conversation"].items() if re.fullmatch(r"session_\d+", key)]
    return [
        (f"{turn['speaker']}: {turn['text']}", {turn["dia_id"]}) for session in sessions for turn in session
    ]


def _observations(sample: dict) -> list[tuple[str, set[str]]]:
    facts = [fact for session in sample["observation"].values() for said in session.values() for fact in said]
    return [(text, {turns} if isinstance(turns, str) else set(turns)) for text, turns in facts]


def _json_lines(name: str) -> list[dict]:
    return [json.loads(line) for line in (DATA / name).read_text(encoding="utf-8").splitlines()]


def unit(vectors: Matrix) -> Matrix:
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def embed(models: Models, texts: Sequence[str]) -> Matrix:
    return np.concatenate([models.embedder.embed(texts[i : i + 64]) for i in range(0, len(texts), 64)])


def similarities(models: Models, task: Task) -> dict[str, Matrix]:
    """Cosine of every query to every text, by each way of embedding."""
    ways: dict[str, Callable[[Sequence[str]], Matrix]] = {
        "MiniLM alone, 384": lambda texts: sentence_vectors(models.minilm.encode(texts)),
        "USE alone, 512": models.universal.encode,
        "interleaved, 768": lambda texts: embed(models, texts),
    }
    cosines = {name: way(task.queries) @ way(task.texts).T for name, way in ways.items()}
    queries, texts = embed(models, task.queries), embed(models, task.texts)
    cosines["its first 256"] = unit(queries[:, :PREFIX]) @ unit(texts[:, :PREFIX]).T
    cosines["first 50 reranked"] = _reranked(models, task, cosines["interleaved, 768"])
    return cosines


def _reranked(models: Models, task: Task, cosines: Matrix) -> Matrix:
    scores = np.full_like(cosines, -np.inf)
    for row, query in enumerate(task.queries):
        first = np.argsort(-cosines[row], kind="stable")[:RERANKED]
        scores[row, first] = models.reranker.logits(query, [task.texts[index] for index in first])
    return scores


def metrics(scores: Matrix, task: Task) -> NDArray[np.float64]:
    """Recall at 1, 5 and 10, and MRR, summed over the queries."""
    total = np.zeros(4)
    for row, relevant in zip(scores, task.relevant, strict=True):
        order = np.argsort(-row, kind="stable").tolist()
        ranks = [rank for rank, index in enumerate(order, 1) if index in relevant and np.isfinite(row[index])]
        total[:3] += [sum(rank <= k for rank in ranks) / len(relevant) for k in (1, 5, 10)]
        total[3] += 1 / ranks[0] if ranks else 0
    return total


def report_quality(models: Models, locomo: Path | None) -> None:
    groups = {f"own, {language}": [own_task(language)] for language in LANGUAGES}
    groups |= {"own, ja asked in en": [own_task("ja", "en")], "own, en asked in ja": [own_task("en", "ja")]}
    if locomo is not None:
        groups["LoCoMo turns"] = list(locomo_tasks(locomo, observations=False))
        groups["LoCoMo observations"] = list(locomo_tasks(locomo, observations=True))
    for name, tasks in groups.items():
        totals: dict[str, NDArray[np.float64]] = {}
        for task in tasks:
            for way, cosines in similarities(models, task).items():
                totals[way] = totals.get(way, np.zeros(4)) + metrics(cosines, task)
        count = sum(len(task.queries) for task in tasks)
        print(f"\n{name}: {count} questions over {sum(len(task.texts) for task in tasks)} texts")
        for way, total in totals.items():
            r1, r5, r10, mrr = total / count
            print(f"  {way:20} R@1 {r1:.3f}  R@5 {r5:.3f}  R@10 {r10:.3f}  MRR {mrr:.3f}")


def synthetic(language: str, seed: int = 7) -> tuple[list[str], list[str]]:
    """Distinct memories and questions, their templates' slots filled at random."""
    source = json.loads((DATA / "templates.json").read_text(encoding="utf-8"))[language]
    chance = random.Random(seed)

    def fill(template: str) -> str:
        def choose(match: re.Match[str]) -> str:
            return chance.choice(source["slots"].get(match[1]) or source["slots"][match[1][:-1]])

        return re.sub(r"\{(\w+)\}", choose, template)

    def distinct(templates: list[str], count: int) -> list[str]:
        filled: dict[str, None] = {}
        while len(filled) < count:
            filled[fill(chance.choice(templates))] = None
        return list(filled)

    return distinct(source["templates"], MEMORIES), distinct(source["queries"], QUERIES)


def report_candidates(models: Models) -> None:
    print(f"\nten nearest of {MEMORIES} by 768 that are among the {CANDIDATES} nearest by {PREFIX}")
    for language in LANGUAGES:
        texts, queries = synthetic(language)
        memories, asked = embed(models, texts), embed(models, queries)
        nearest = np.argsort(-(asked @ memories.T), axis=1)[:, :10]
        prefix = unit(asked[:, :PREFIX]) @ unit(memories[:, :PREFIX]).T
        candidates = np.argsort(-prefix, axis=1)[:, :CANDIDATES]
        kept = [len(set(n) & set(c)) / 10 for n, c in zip(nearest.tolist(), candidates.tolist(), strict=True)]
        whole = sum(share == 1 for share in kept) / len(kept)
        print(f"  {language}: {np.mean(kept):.2%} of them; all ten for {whole:.1%} of {len(queries)} queries")


def report_speed(models: Models) -> None:
    print("\none core's time (CPU time, so that what else runs does not count)")
    for language in LANGUAGES:
        task = own_task(language)
        parts = {
            "MiniLM": models.minilm.encode,
            "USE": models.universal.encode,
            "both, as embedded": models.embedder.embed,
        }
        rates = [f"{name} {len(task.texts) / _cpu(part, task.texts):.0f}/s" for name, part in parts.items()]
        query = median(_cpu(models.embedder.embed, [text]) for text in task.queries)
        first, again = _rerank_times(task)
        print(f"  {language}: {', '.join(rates)}; a query {query * 1e3:.1f} ms")
        print(f"      {RERANKED} texts reranked {first * 1e3:.0f} ms, seen before {again * 1e3:.1f} ms (p50)")


def _rerank_times(task: Task) -> tuple[float, float]:
    """Median time of reranking texts never seen, and seen before, by fresh models."""
    models = load_models()
    texts = [task.texts[i : i + RERANKED] for i in range(0, len(task.texts) - RERANKED + 1, RERANKED)]
    cold = [
        _cpu(models.reranker.logits, query, batch) for query, batch in zip(task.queries, texts, strict=False)
    ]
    warm = [_cpu(models.reranker.logits, query, texts[0]) for query in task.queries]
    return median(cold), median(warm)


def _cpu(call: Callable[..., object], *arguments: object) -> float:
    started = time.process_time()
    call(*arguments)
    return time.process_time() - started


def report_process() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        embedder, reranker = LocalEmbedder(folder), LocalReranker(folder)
        first = _wall(embedder.embed, ["Where does Ana live?"])
        tasks = [own_task(language) for language in LANGUAGES]
        embedded = median(_wall(embedder.embed, [query]) for task in tasks for query in task.queries)
        ranked = median(
            _wall(reranker.rerank, query, t.texts[:RERANKED]) for t in tasks for query in t.queries
        )
        resident = [_resident(folder)]
        for language in LANGUAGES:
            embedder.embed(synthetic(language)[0])
            resident.append(_resident(folder))
        stop_model_process(folder)
    print(f"\nprocess, by the clock: {first:.1f} s from nothing to the first answer; then a query "
          f"{embedded * 1e3:.1f} ms, {RERANKED} texts reranked {ranked * 1e3:.1f} ms (p50)")  # fmt: skip
    print(f"  MB resident: {resident[0]:.0f}, and after {MEMORIES} memories more each: {resident[1:]}")


def _wall(call: Callable[..., object], *arguments: object) -> float:
    started = time.perf_counter()
    call(*arguments)
    return time.perf_counter() - started


def _resident(folder: Path) -> int:
    """Megabytes that the folder's model process holds, as /proc tells."""
    state = read_state(folder / "models.json")
    if state is None:
        raise SystemExit("the model process has ended")
    pages = int(Path(f"/proc/{state.pid}/statm").read_text(encoding="ascii").split()[1])
    return round(pages * resource.getpagesize() / 1e6)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--locomo", type=Path, help="a file in LoCoMo's format, for English")
    parser.add_argument("--only", nargs="+", choices=("quality", "candidates", "speed"))
    options = parser.parse_args()
    chosen = set(options.only or ("quality", "candidates", "speed"))
    threadpool_limits(1, user_api="blas")
    models = load_models()
    if "quality" in chosen:
        report_quality(models, options.locomo)
    if "candidates" in chosen:
        report_candidates(models)
    if "speed" in chosen:
        report_speed(models)
        report_process()


if __name__ == "__main__":
    main()
