"""The outline of a Japanese clause: its topics, which of them tells whom it is about, and its predicate."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from cognis_local.extraction.japanese import predicates, words
from cognis_local.extraction.japanese.morphology import Token, tokenize
from cognis_local.extraction.japanese.subjects import Phrase, Topic, phrases
from cognis_local.extraction.model import Speaker

_REASONS: Final = frozenset({"ので", "から", "のに", "ため"})
_KINDS: Final = words.PETS.keys() | {"人間", "人", "動物", "子供", "日本人"}


@dataclass(frozen=True, slots=True)
class Outline:
    """A clause with its words, its phrases before は, が, も, and the first that tells whom it is about."""

    text: str
    tokens: tuple[Token, ...]
    phrases: tuple[Phrase, ...]
    leading: Phrase | None
    main: tuple[Token, ...]
    """The words of the main clause: what follows a reason (「〜ので、」)."""

    @property
    def names_nobody(self) -> bool:
        """Whether no person or possession is the topic, so that the speaker may be meant."""
        return self.leading is None or self.leading.topic is Topic.THING or self._tells_of_having()

    @property
    def asks(self) -> bool:
        """A clause that ends in 〜て is left hanging, as a request: 「短くまとめて」."""
        return self.tokens[-1].pos[1] == "接続助詞" and self.tokens[-1].surface in {"て", "で"}

    @property
    def likes(self) -> bool:
        return any(token.surface in words.LIKING for token in self.tokens[-8:])

    @property
    def of_a_kind(self) -> bool:
        """「猫は一日に16時間寝ます」 speaks of cats in general."""
        if self.leading is None or self.leading.particle != "は" or self.likes:
            return False
        keeps = any(token.lemma in {"飼う", "飼える"} for token in self.tokens)
        return not keeps and self.tokens[self.leading.end - 1].surface in _KINDS

    @property
    def tells_of_family(self) -> bool:
        """「息子の運動会がありました」: what belongs to the family is part of the speaker's life."""
        inside = self.tokens[self.leading.start : self.leading.end] if self.leading else self.tokens
        return any(
            token.surface in words.RELATIONS or token.surface in words.FIRST_PERSON for token in inside
        )

    @property
    def has_content(self) -> bool:
        kept = [token for token in self.tokens if _carries_content(token)]
        return any(token.surface not in words.DEICTIC | words.FIRST_PERSON for token in kept)

    def _tells_of_having(self) -> bool:
        """「娘がいます」: that there is a daughter is the speaker's fact, not hers."""
        if self.leading is None or self.leading.topic is not Topic.RELATION:
            return False
        if predicates.counts(self.text):
            return True
        verb = predicates.main_verb(self.tokens)
        if verb is None or self.tokens[verb].lemma not in {"いる", "居る", "できる"}:
            return False
        if self.tokens[verb - 1].surface in {"て", "で", "に"}:
            return False
        return self.leading.particle == "が" or self.tokens[-1].lemma in {"ぬ", "ない"}


def outline(text: str, speaker: Speaker) -> Outline:
    """Reads a clause; a subject with が inside a reason (「母が入院しているので、」) is the reason's only."""
    tokens = tokenize(text)
    main = _main_start(tokens)
    found = phrases(tokens, speaker)
    telling = [
        phrase
        for phrase in found
        if phrase.topic is not Topic.TIME
        and (phrase.start >= main or phrase.particle in {"は", "、", "って"})
    ]
    return Outline(text, tuple(tokens), tuple(found), telling[0] if telling else None, tuple(tokens[main:]))


def _main_start(tokens: Sequence[Token]) -> int:
    """Where the main clause begins, after 「〜ので」, 「〜と」 and the like; 0 without a clause before it."""
    for i in range(len(tokens) - 2, 1, -1):
        pair = tokens[i - 1].surface + tokens[i].surface
        conditional = tokens[i].surface == "と" and tokens[i].pos[1] == "接続助詞"
        reason = tokens[i].surface in _REASONS or pair in _REASONS
        if conditional or (reason and tokens[i].pos[1] not in {"格助詞", "一般"}):
            return i + 1 + (tokens[i + 1].surface in {"、", ","})
    return 0


def _carries_content(token: Token) -> bool:
    kind = token.pos[0] in {"名詞", "動詞", "形容詞", "形状詞", "代名詞"}
    return kind and token.lemma not in {"する", "いる", "ある", "なる"}
