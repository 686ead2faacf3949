"""What an author hands over to be worked on or played with, and does not state: fiction, texts, examples.

"Translate this into French: I have two brothers", 「物語を書いて：私は海賊」 say nothing of their author.
Such material runs from the request to the end of the message, or to where the author speaks as themselves
again ("by the way"). A request that points back ("… Can you correct this?") is about what stands before it.
"""

from __future__ import annotations

import re
from typing import Final

from cognis_local.extraction.own_words import QUOTATION
from cognis_local.extraction.patterns import any_of, ignoring_case

_OPENS: Final = (
    r"(?:(?<=^)|(?<=[.!?\n:;,)—–]\s)|(?<=\n))"
    r"(?:(?:hi|hey|hello|ok|okay|now|so|and|then|please|pls|kindly|just|can you|could you|would you|will you"
    r"|i want you to|i need you to|i'd like you to|i would like you to|help me|let's|let"
    r" us)\b,?\s{0,3}(?:to\s)?){0,4}"
)
_FICTION: Final = (
    r"(?:[\w-]{1,30} ){0,3}?(?:stor(?:y|ies)|tale|poem|haiku|limerick|sonnet|song|lyrics|rap"
    r"|ballad|novel|fable"
    r"|scene|script|screenplay|dialogues?|monologue|sketch|joke|riddle|role[- ]?play|fan ?fic\w*"
    r"|character)s?\b"
)
_TEXT_WORK: Final = any_of(
    "translate|correct|proofread|proof-read|fix|rewrite|reword|rephrase|paraphrase|summari[sz]e|sum up|edit"
    "|improve|polish|shorten|simplify|check|review|analy[sz]e|punctuate|spell-?check|transcribe|convert"
)
_TEXT: Final = (
    r"(?:(?:[\w'-]{1,30} ){0,4}?(?:text|sentences?|paragraphs?|passage|essay|e-?mail|letter"
    r"|message|article|phrase"
    r"|grammar|spelling|wording|english|translation|summary|quote|words?|draft|bio|lines?)\b"
    r"|(?:this|these|that|the following|the above|the below|it)\b"
    r"|(?=(?:in)?to (?-i:[A-Z])\w+|:))"
)
_BEGINS_EN: Final = ignoring_case(
    _OPENS,
    any_of(
        r"(?:write|tell|compose|make up|create|invent|continue|draft|imagine|give|start|play|do)"
        rf" (?:me |us |out )?(?:an? |the |some |my |our |this )?{_FICTION}",
        r"role[- ]?play\b|pretend\b|act (?:as|like)\b|imagine\b|suppose\b|supposing\b|assume\b|say i\b",
        r"(?:you are|you're|you play|you'll be|be) (?:now )?(?:a|an|the|my) [^.!?\n]{0,60}"
        r"(?:and|;|,) (?:i am|i'm|i play|i'll be)\b",
        r"what if i\b|in (?:this|the|my|our) (?:story|game|scenario|role[- ]?play|novel|campaign)\b",
        rf"{_TEXT_WORK}(?: {_TEXT}|\s*:)",
        r"play (?:an? |the |this |our )?(?:[\w-]{1,30} ){0,2}?game\b",
        r"(?:is|are) (?:this|the following|these)(?: \w{1,30}){0,2} (?:correct|right|ok|okay|grammatical)\b",
        r"(?:here(?:'s| is) )?(?:an? |some |my |the )?(?:(?:\w{1,30} )?example|sample|quote|lyrics|draft|text"
        r"|transcript|original|sentences?)s?\s*:",
        r"for (?:example|instance)\s*:|e\.g\.\s*:",
    ),
)
_RESUMES_EN: Final = ignoring_case(
    r"(?:^|(?<=[.!?\n]))\s*(?=(?:by the way|btw|in real life|in reality|irl|on another note|out"
    r" of character|ooc|anyway)\b)",
)

_TEXT_JA: Final = (
    r"(?:文章?|文法|英文|和文|作文|原稿|本文|テキスト|段落|手紙|メール|記事|文面|例文|台詞|以下|下記|上記|次[をは：:]|これ[をは]"
    r"|(?:英|日本|フランス|ドイツ|中国|韓国|スペイン|イタリア|ポルトガル)語)"
)
_WORK_JA: Final = (
    r"(?:訳し|翻訳し|添削し|校正し|直し|修正し|訂正し|要約し|まとめ|言い換え|言いかえ|書き換え|書き直し|推敲し|チェックし"
    r"|確認し|短くし|英訳し|和訳し|英語にし|日本語にし|分析し|校閲し|リライトし)"
)
_ASKS_JA: Final = r"(?:て|で)" + any_of(
    r"ください|下さい|くださ|くれ|ほしい|欲しい|もらえ|いただけ|ちょうだい|頂戴|ね|よ|[。！!？?：:\s]|$"
)
_BEGINS_JA: Final = re.compile(
    r"(?:^|(?<=[。！？!?\n]))[^。！？!?\n]{0,120}?"
    + any_of(
        r"(?:物語|小説|お話|話|童話|昔話|詩|ポエム|俳句|短歌|歌詞|歌|曲|脚本|台本|シナリオ|セリフ|台詞|会話文?|寸劇|コント"
        rf"|ストーリー|怪談|冗談|なぞなぞ)を[^。、！？\n]{{0,12}}?(?:書い|作っ|考え|聞かせ|語っ|続け|創作し){_ASKS_JA}",
        rf"(?:(?:ふり|振り|フリ|真似)を?し|役を?(?:し|やっ|演じ)|役になっ|なりきっ|演じ|として(?:振る舞っ|ふるまっ|答え)){_ASKS_JA}",
        r"(?:ロール(?:プレイ|プレー)|ごっこ(?:遊び)?)(?:を|し|で)|ゲームを?(?:しよう|しましょう|始めよう)|遊(?:ぼう|びましょう)",
        rf"(?:想像し|仮定し){_ASKS_JA}|(?:だ|る|た|い)と(?:しよう|しましょう|します|仮定)|(?:という|って)設定(?:で|だ)",
        rf"{_TEXT_JA}[^。！？!?\n]{{0,40}}?{_WORK_JA}{_ASKS_JA}|{_WORK_JA}(?:て|で)(?:ください|下さい)?[：:]",
        r"(?:例文|例|原文|本文|歌詞|引用|下書き)[：:]|(?:例えば|たとえば)[：:]",
        rf"{_TEXT_JA}[^。！？\n]{{0,12}}(?:正しい|合ってい|あってい)(?:です|ます)?か",
    )
)
_RESUMES_JA: Final = re.compile(
    r"(?:(?<=[。！？!?\n])|^)(?=(?:ところで|ちなみに|話は変わ|話が変わ|現実では|実生活では|本当の(?:私|僕|俺))(?:[、は]|り))"
)
_SENTENCE_END: Final = re.compile(r"[.!?。！？\n]")
_BRINGS_TEXT: Final = re.compile(r"[:：]\s*\S")
_POINTS_BACK: Final = ignoring_case(
    r"\b(?:translate|correct|proofread|fix|rewrite|rephrase|paraphrase|summari[sz]e|edit|check)\b[^.!?\n]{0,80}"
    r"\b(?:this|that|above|these)\b",
    rf"|(?:この|これ|上の|上記|今の){_TEXT_JA}?[^。！？\n]{{0,40}}{_WORK_JA}",
)


def without_material(text: str) -> str:
    """The text without what its author only hands over."""
    kept = _without(text, _BEGINS_EN, _RESUMES_EN)
    return _without(kept, _BEGINS_JA, _RESUMES_JA)


def _without(text: str, begins: re.Pattern[str], resumes: re.Pattern[str]) -> str:
    match = begins.search(text)
    if match is None:
        return text
    before = text[: match.start()]
    end = _SENTENCE_END.search(text, max(match.start(), match.end() - 1))
    sentence_end = end.end() if end else len(text)
    request, rest = text[match.start() : sentence_end], text[sentence_end:]
    if QUOTATION in request:
        return f"{before}\n{_without(rest, begins, resumes)}"
    if not rest.strip() and not _BRINGS_TEXT.search(request) and _POINTS_BACK.search(request):
        return ""
    resumed = resumes.search(rest)
    return f"{before}\n{_without(rest[resumed.end() :], begins, resumes)}" if resumed else before
