"""all-MiniLM-L6-v2 (Apache-2.0): English, 384 components, weights int8 and arithmetic float32."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
import onnxruntime as ort
from numpy.typing import NDArray
from tokenizers import Encoding, Tokenizer

from cognis_local.models.packages import minilm_path, tokenizer_path

DIMENSIONS = 384
MAX_TOKENS = 256
"""Where the model's authors cut a text, the marks of its begin and end included."""

_MAX_CHARACTERS = 16_384  # more never reach the first 256 tokens in any language
_BATCH_TOKENS = 512  # padded tokens of one run: enough to be quick, few enough to keep memory flat
_WORD = re.compile(r"\w")


@dataclass(frozen=True, slots=True)
class EncodedTokens:
    """The last layer's vectors of one text, shape (tokens, 384), begin and end mark included.

    `words`, shape (tokens,), is true for words and parts of words, false for marks and punctuation.
    """

    vectors: NDArray[np.float32]
    words: NDArray[np.bool_]


class MiniLM:
    """Loads the model once, and runs up to `threads` batches side by side, each on one core.

    Not for use from several threads at a time.
    """

    def __init__(self, threads: int = 1) -> None:
        options = ort.SessionOptions()
        options.intra_op_num_threads = 1  # short texts gain more from batches side by side
        options.inter_op_num_threads = 1
        options.enable_cpu_mem_arena = False  # the arena keeps what the largest batch ever took
        self._session = ort.InferenceSession(str(minilm_path()), options, providers=["CPUExecutionProvider"])
        self._tokenizer = Tokenizer.from_file(str(tokenizer_path()))
        self._tokenizer.no_padding()
        self._tokenizer.no_truncation()
        self._pool = ThreadPoolExecutor(max_workers=threads, thread_name_prefix="minilm")

    def count_tokens(self, text: str) -> int:
        """Tokens of the whole text, marks included."""
        return len(self._tokenizer.encode(text))

    def encode(self, texts: Sequence[str]) -> list[EncodedTokens]:
        """Token vectors of each text's first 256 tokens. What else is in the batch does not change them."""
        encodings = self._tokenizer.encode_batch([text[:_MAX_CHARACTERS] for text in texts])
        ids = [_cut(encoding.ids) for encoding in encodings]
        batches = list(_batches([len(row) for row in ids]))
        vectors: dict[int, NDArray[np.float32]] = {}
        runs = self._pool.map(self._run, [[ids[index] for index in batch] for batch in batches])
        for batch, run in zip(batches, runs, strict=True):
            vectors.update(zip(batch, run, strict=True))
        return [
            EncodedTokens(vectors[index], _words(encoding, len(vectors[index])))
            for index, encoding in enumerate(encodings)
        ]

    def _run(self, rows: Sequence[Sequence[int]]) -> list[NDArray[np.float32]]:
        ids = np.zeros((len(rows), max(map(len, rows))), dtype=np.int64)
        mask = np.zeros_like(ids)
        for index, row in enumerate(rows):
            ids[index, : len(row)] = row
            mask[index, : len(row)] = 1
        inputs = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
        hidden = self._session.run(["last_hidden_state"], inputs)[0]
        return [np.asarray(hidden[index, : len(row)], dtype=np.float32) for index, row in enumerate(rows)]


def sentence_vectors(encoded: Sequence[EncodedTokens]) -> NDArray[np.float32]:
    """The sentence embedding of each text, shape (n, 384), unit length: the mean of its token vectors."""
    means = np.stack([text.vectors.mean(axis=0) for text in encoded])
    return np.asarray(means / np.linalg.norm(means, axis=1, keepdims=True), dtype=np.float32)


def _cut(ids: list[int]) -> list[int]:
    return ids if len(ids) <= MAX_TOKENS else [*ids[: MAX_TOKENS - 1], ids[-1]]


def _words(encoding: Encoding, length: int) -> NDArray[np.bool_]:
    pairs = zip(encoding.tokens, encoding.special_tokens_mask, strict=True)
    words = np.array([not special and bool(_WORD.search(token)) for token, special in pairs], dtype=np.bool_)
    words = words[:length]
    words[-1] = False  # the end mark, also where the text was cut
    return words


def _batches(lengths: Sequence[int]) -> Iterator[list[int]]:
    """Indexes in groups of similar length whose padded size stays within the batch's tokens."""
    batch: list[int] = []
    for index in sorted(range(len(lengths)), key=lengths.__getitem__):
        if batch and (len(batch) + 1) * lengths[index] > _BATCH_TOKENS:
            yield batch
            batch = []
        batch.append(index)
    if batch:
        yield batch
