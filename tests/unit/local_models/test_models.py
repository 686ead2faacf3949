"""The models themselves, as installed."""

from collections.abc import Iterator

import numpy as np
import pytest
from threadpoolctl import threadpool_limits

from cognis_local.models.engine import Engine, Models, load_models
from cognis_local.models.identity import embedder_model_id, reranker_model_id
from cognis_local.models.minilm import MAX_TOKENS

ENGLISH = [
    "Ana lives in Osaka with her parents",
    "Ben has two dogs and a parrot",
    "Chloe is allergic to peanuts",
    "We fly to Lisbon next month",
    "My brother runs a bakery",
]
JAPANESE = [
    "アナは両親と大阪に住んでいる",
    "ベンは犬を二匹とオウムを飼っている",
    "クロエはピーナッツアレルギーだ",
    "来月リスボンに旅行する",
    "弟はパン屋をやっている",
]
QUESTIONS = {
    "en": [
        "Where does Ana live?",
        "What pets does Ben have?",
        "What must Chloe not eat?",
        "Where do we travel?",
    ],
    "ja": ["アナはどこで暮らす？", "ベンのペットは？", "クロエが食べられないのは？", "旅行の行き先は？"],
}
TEXTS = {"en": ENGLISH, "ja": JAPANESE}
ODD = [" ", "?!", "😀", "\n\t", "a" * 5_000, "あ" * 5_000, "word " * 3_000, "\u200b", "١٢٣", "\x00"]


@pytest.fixture(scope="module")
def models() -> Iterator[Models]:
    with threadpool_limits(1, user_api="blas"):
        yield load_models(threads=2)


@pytest.mark.parametrize("language", ["en", "ja"])
@pytest.mark.parametrize("components", [768, 256])
def test_the_nearest_text_answers_the_question(models: Models, language: str, components: int) -> None:
    texts = models.embedder.embed(TEXTS[language])[:, :components]
    questions = models.embedder.embed(QUESTIONS[language])[:, :components]
    texts /= np.linalg.norm(texts, axis=1, keepdims=True)
    assert np.argmax(questions @ texts.T, axis=1).tolist() == [0, 1, 2, 3]


@pytest.mark.parametrize(("asked", "told"), [("en", "en"), ("ja", "ja"), ("en", "ja"), ("ja", "en")])
def test_the_best_reranked_text_answers_the_question(models: Models, asked: str, told: str) -> None:
    best = [int(np.argmax(models.reranker.logits(question, TEXTS[told]))) for question in QUESTIONS[asked]]
    assert best == [0, 1, 2, 3]


def test_a_text_s_vector_depends_on_that_text_alone(models: Models) -> None:
    texts = [*ENGLISH, *JAPANESE, *ODD]
    together = models.embedder.embed(texts)
    alone = np.concatenate([models.embedder.embed([text]) for text in texts])
    np.testing.assert_allclose(together, alone, atol=2e-6)


def test_scores_depend_neither_on_the_cache_nor_on_the_other_texts(models: Models) -> None:
    texts = [*ENGLISH, *JAPANESE, *ODD]
    fresh = load_models(cache_bytes=0)
    for question in ("Where does Ana live?", "アナはどこで暮らしている？"):
        cached = models.reranker.logits(question, texts)
        one_by_one = [fresh.reranker.logits(question, [text])[0] for text in reversed(texts)]
        np.testing.assert_allclose(cached, one_by_one[::-1], atol=1e-4)


def test_odd_texts_have_unit_vectors_and_scores(models: Models) -> None:
    vectors = models.embedder.embed(ODD)
    assert vectors.shape == (len(ODD), 768)
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1.0, atol=1e-5)
    for odd in ODD:
        assert np.isfinite(models.reranker.logits(odd, [*ODD, *ENGLISH])).all()


def test_nothing_gives_nothing(models: Models) -> None:
    assert models.embedder.embed([]).shape == (0, 768)
    assert models.reranker.logits("question", []).shape == (0,)


def test_long_texts_are_cut_where_the_model_ends(models: Models) -> None:
    assert models.minilm.count_tokens("word " * 300) == 302
    cut = models.minilm.encode(["word " * 300])[0]
    assert len(cut.vectors) == len(cut.words) == MAX_TOKENS
    assert not cut.words[0]
    assert not cut.words[-1]


def test_the_engine_loads_once() -> None:
    loaded: list[Models] = []

    def load() -> Models:
        loaded.append(load_models())
        return loaded[-1]

    engine = Engine(load)
    assert loaded == []
    engine.warm_up()
    assert engine.embed(["a"]).shape == (1, 768)
    assert engine.rerank("a", ["b", "c"]).shape == (2,)
    assert engine.count_tokens("one word") == 4
    assert len(loaded) == 1


def test_ids_name_both_models_and_differ() -> None:
    for part in ("minilm", "use-m3"):
        assert part in embedder_model_id()
        assert part in reranker_model_id()
    assert embedder_model_id() != reranker_model_id()
