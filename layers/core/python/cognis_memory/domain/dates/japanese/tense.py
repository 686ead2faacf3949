"""Whether a Japanese clause speaks of the past or the future: the first predicate after the date tells."""

from __future__ import annotations

import re

from cognis_memory.domain.dates.japanese.numbers import half_width
from cognis_memory.domain.dates.japanese.patterns import DECIDED
from cognis_memory.domain.dates.scene import Tense
from cognis_memory.domain.lazy_patterns import lazy_pattern

# た after a verb stem, but not in たい, たくない, たがる, たら, たり, ため, した方がいい, いただく, したまま.
_TA = r"た(?!い|く|が[るっりら]|ら|り|め|ち|ま|だ|っ(?!け)|ほうが|方が)"
_CUE = lazy_pattern(
    rf"(?P<decided>{DECIDED})"
    r"|(?P<past>ました|ませんでした|でした|かった(?!ら)|(?:[一-鿿]|[しこす])んだ"
    rf"|(?:[っいしきぎえけげせてでねべめみじちりれ]|[見出来寝着得経似]){_TA})"
    r"|(?P<future>(?<!てい)(?<!でい)ます|ません|予定|つもり|(?<!み)たい|ましょう|ください|下さい|だろう|でしょう|べき|はず"
    r"|(?:[よろこそともご])う(?=[。!?と、\s]|$)"
    r"|(?<!てい)(?<!でい)[うくぐすつぬぶむる](?=[。!?\s]|から|ので|けど|よ|ね|の[か。?]|$))"
)
# 9月からの勤務が決まりました: what was settled starts later.
_STARTS = re.compile(r"から|より|スタート|開始")
_SETTLED = lazy_pattern(r"(?:決ま(?:っ|りまし)|決定し(?:まし)?|内定し(?:まし)?|採用され(?:まし)?)た$")
_SENTENCE_END = re.compile(r"[。!?\n]")
_REACH = 120  # characters looked at after the date


def tense_at(text: str, start: int, end: int) -> Tense | None:
    """The tense of the first predicate after `text[start:end]` in its sentence, or None."""
    rest = half_width(text[end : end + _REACH])
    ending = _SENTENCE_END.search(rest)
    match = _CUE().search(rest, 0, ending.end() if ending else len(rest))
    if match is None:
        return None
    if match["past"] and _STARTS.match(rest) and _SETTLED().search(rest, 0, match.end()):
        return Tense.FUTURE
    return Tense.PAST if match["past"] else Tense.FUTURE
