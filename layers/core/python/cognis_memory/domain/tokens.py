"""How many tokens of a language model a text takes, without the model's tokenizer."""

from __future__ import annotations

import math

from cognis_memory.domain.lazy_patterns import lazy_pattern

_CJK = lazy_pattern(r"[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff]")

CHARACTERS_PER_TOKEN = 4
"""Of alphabetic text in the vocabularies of current models; a CJK character counts as one token."""


def estimate_tokens(text: str) -> int:
    """An estimate that errs on the high side for Chinese, Japanese and Korean."""
    cjk = 0 if text.isascii() else len(_CJK().findall(text))
    return cjk + math.ceil((len(text) - cjk) / CHARACTERS_PER_TOKEN)
