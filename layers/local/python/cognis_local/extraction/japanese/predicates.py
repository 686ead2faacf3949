"""Whether what a Japanese clause says can be said of its speaker when it names no subject."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from cognis_local.extraction.japanese import words
from cognis_local.extraction.japanese.morphology import Token
from cognis_local.extraction.patterns import any_of, word_set, words_of

_PERSONAL_NOUN: Final = re.compile(
    any_of(
        r"[\d０-９一二三四五六七八九十]+(?:歳|才)(?:に(?:なり|なっ).*)?",
        r"師|士|員|者|手|医|官|大生|学生|高生|係|屋|マン|エンジニア|デザイナー|プログラマー|ライター|ナース",
        r"フリーランス(?:の.+)?|フリーター|主婦|主夫|無職|アルバイト|パート|教授|教師|シェフ|マネージャー",
        r"コンサルタント|アナリスト|作家|画家|音楽家|建築家|農家|起業家|社長|ベジタリアン|ヴィーガン|ビーガン",
        r"菜食主義者?|利き|夜型|朝型|[^、]派|[ＡＢＯABO]型|通勤|猫舌|音痴|人見知り|心配性|[^、]がり|飽き性",
        r"甘党|下戸|テスト|試験|面接|会議|結婚式|出張|手術|デート|飲み会|締め切り|引っ越し|卒業式|入学式",
        r"発表会|アレルギー|不耐症|病|喘息|貧血|血圧|体質|出身|独身|既婚|バツイチ|育ち|生まれ|っ子|長男|長女|次男|次女|末っ子|双子",
        r"[本国米]人|部|ファン|一人暮らし|持ち|好き|症|予定|つもり",
    )
    + any_of(
        r"です|でした|だ|だった|なので.*|(?:では|じゃ)ありません(?:でした)?",
        r"(?:では|じゃ)な(?:い|かった)(?:みたい)?(?:です|だ)?|(?:では|じゃ)なくなりました",
    )
    + "?$"
)
_WISH: Final = re.compile(
    r"(?:(?<!み)たい|たく|ほしい|欲しい)(?:です|と(?:思|考え)(?:って|て)?(?:い)?(?:ます|る)?)?$"
    r"|(?:うと|たいと)(?:思って|考えて)(?:い)?(?:ます|る)$|(?:予定|つもり|計画)(?:です|だ)?$"
)
_PREFERS: Final = re.compile(r"より.{1,30}?(?:ほう|方)が(?:いい|良い|楽|好き)(?:です)?$")
_VAGUE_END: Final = re.compile(r"(?:こと|わけ|よう|はず|もの|感じ|気)(?:です|だ|がします|がする)$")
_IS_HABIT: Final = re.compile(
    r"(?:が|は)(?:日課|趣味|夢|目標|特技|習慣|楽しみ|得意料理|好物|悩み|生きがい|仕事)(?:です|だ|でした)?$"
)
_PLAN: Final = re.compile(r"(?:^|の)予定は.{2,40}(?:です|だ)$")
_POSTED: Final = re.compile(r"[^、はが]{1,8}勤務(?:です|だ|にな(?:りました|った|ります|る))$")
_COUNTS: Final = re.compile(
    rf"(?:{words_of(words.COUNTED)})(?:は|が)[\d０-９一二三四五六七八九十]+(?:人|匹|頭|羽|名)(?:です|だ)?$"
)
_LACKS: Final = re.compile(
    rf"(?:{words_of(words.PETS)}|アレルギー|子供|子ども|兄弟|姉妹|免許|経験|車|貯金|借金|恋人|持病|資格|家族|彼氏|彼女|ペット)は"
    r"(?:もう|まだ)?(?:い|あり|持ってい|飼ってい)?(?:ません|ない)(?:です)?$"
)
_GIVES_UP: Final = re.compile(
    r"^(?:(?:もう|今は)(?!営業|販売|受付|配達|提供|取り扱い)[^、はが]{1,20}は"
    r"|(?!営業|販売|受付|配達|提供|取り扱い)[^、はが]{1,20}は(?:もう|今は))(?:し|やっ)て(?:い)?(?:ません|ない)(?:です)?$"
)
_TOLERATES: Final = re.compile(
    rf"{words_of(words.ALLERGENS)}(?:[はがもを]|、)(?:もう|実は|全然|普通に|今は|ちゃんと)*"
    r"(?:食べられ|食べれ|飲め|大丈夫|平気|問題な)"
)
_INTRODUCTION: Final = re.compile(r"^(?:[^、]{1,12})(?:と申します|といいます|と言います)$")
_AUXILIARY_VERBS: Final = word_set("いる おる くる いく しまう みる おく ある なる")
_LIGHT_VERBS: Final = word_set("する できる 出来る いたす 為る")
_NOUN_LIKE_ENDS: Final = word_set("つもり 予定 こと よう そう")
_POTENTIALS: Final = word_set(
    "話せる 飲める 行ける 泳げる 弾ける 読める 書ける 乗れる 歌える 食べれる 眠れる 走れる"
)
_CASES: Final = word_set("を に で と へ から")


def of_speaker(tokens: Sequence[Token], *, topical: bool) -> bool:
    """Whether a predicate without a subject is the speaker's: a personal verb, wish, liking or description.

    `topical` is set where the clause has another topic ("コーヒーは"), which makes general truths likely:
    only verbs of personal doing count then.
    """
    text = _text(tokens)
    if _INTRODUCTION.match(text) or _PLAN.search(text) or _is_wish_or_liking(text, tokens):
        return True
    verb = main_verb(tokens)
    if verb is None:
        return bool(_PERSONAL_NOUN.search(text)) or _is_name_alone(text, tokens)
    word = _verb_word(tokens, verb)
    if topical and tokens[verb].lemma in words.INTRANSITIVE:
        return False  # the topic itself does it: 「コウモリは逆さまに眠ります」
    opinion = word in words.OPINION_VERBS and says_little(tokens)
    if opinion or (word in words.IMPERSONAL and not _acts(tokens[:verb], word)) or _VAGUE_END.search(text):
        return False
    near = {form for token in tokens[max(0, verb - 4) : verb + 1] for form in (token.surface, token.lemma)}
    if (near | {word}) & words.PERSONAL_VERBS:
        return True
    return not topical and any(t.pos[1] == "格助詞" and t.surface in _CASES for t in tokens[:verb])


def _acts(before: Sequence[Token], word: str) -> bool:
    """Whether a verb that mostly happens by itself is done here: 家を出る, 大会に出る, 会議で発表する."""
    cases = {token.surface for token in before if token.pos[1] == "格助詞"}
    return "を" in cases or (word == "出る" and "に" in cases) or (word == "発表" and "で" in cases)


def state_of_speaker(tokens: Sequence[Token]) -> bool:
    """Whether 「〜が」 with this predicate is somebody's having, ability, pain or liking (予約があります)."""
    if _is_wish_or_liking(_text(tokens), tokens):
        return True
    verb = main_verb(tokens)
    if verb is None:
        forms = {form for token in tokens[-4:] for form in (token.lemma, token.normal)}
        return bool(forms & words.STATE_OF_SPEAKER)
    if any(token.surface.startswith("られ") or token.lemma in _POTENTIALS for token in tokens[-6:]):
        return True
    word = _verb_word(tokens, verb)
    forms = {word, tokens[verb].lemma, tokens[verb].normal}
    if tokens[verb].lemma == "なる":  # 怖くなりました, 怖くなくなりました
        forms |= {token.lemma for token in tokens[:verb] if token.pos[0] == "形容詞"} - {"ない"}
    return word not in words.IMPERSONAL and bool(forms & words.STATE_OF_SPEAKER)


def lacks(text: str) -> bool:
    """Whether somebody does not have what people have or not: 子供はいません, 免許は持っていません."""
    return bool(_LACKS.search(text))


def counts(text: str) -> bool:
    """Whether it tells how many somebody has: 子供は二人です."""
    return bool(_COUNTS.search(text))


def is_posted(text: str) -> bool:
    """Whether it tells where somebody is posted: 来月から大阪勤務になった."""
    return bool(_POSTED.search(text))


def gives_up(text: str) -> bool:
    """Whether it tells that somebody no longer does something: もうテニスはしていません."""
    return bool(_GIVES_UP.search(text))


def tolerates(text: str) -> bool:
    """Whether it tells that somebody can have what many cannot: 牛乳は大丈夫だった."""
    return bool(_TOLERATES.search(text))


def says_little(tokens: Sequence[Token]) -> bool:
    """Whether a clause about its speaker is talk about the talk: 私もそう思います, 質問があります."""
    verb = main_verb(tokens)
    if verb is None:
        return False
    does_more = any(token.is_verb and not _is_auxiliary(tokens, i) for i, token in enumerate(tokens[:verb]))
    opinion = _verb_word(tokens, verb) in words.OPINION_VERBS
    return opinion and not does_more and not _WISH.search(_text(tokens))


def main_verb(tokens: Sequence[Token]) -> int | None:
    """The index of the verb that the predicate ends in; None for a noun or an adjective as predicate."""
    for i in range(len(tokens) - 1, -1, -1):
        token = tokens[i]
        if token.is_verb and not _is_auxiliary(tokens, i):
            return i
        described = token.pos[0] in {"名詞", "接尾辞", "形状詞", "形容詞"}
        if described and token.surface not in _NOUN_LIKE_ENDS:
            return None
    return None


def _is_auxiliary(tokens: Sequence[Token], i: int) -> bool:
    return i > 0 and tokens[i].lemma in _AUXILIARY_VERBS and tokens[i - 1].surface in {"て", "で"}


def _verb_word(tokens: Sequence[Token], verb: int) -> str:
    """The verb's dictionary form; for する the noun before it: 結婚 of 結婚する."""
    if verb > 0 and tokens[verb].lemma in _LIGHT_VERBS and tokens[verb - 1].is_nominal:
        return tokens[verb - 1].surface
    return tokens[verb].lemma


def _is_wish_or_liking(text: str, tokens: Sequence[Token]) -> bool:
    liking = any(token.surface in words.LIKING or token.lemma in words.LIKING for token in tokens[-8:])
    return liking or bool(_WISH.search(text) or _IS_HABIT.search(text) or _PREFERS.search(text))


def _is_name_alone(text: str, tokens: Sequence[Token]) -> bool:
    bare = [token for token in tokens if token.pos[0] != "助動詞"]
    return bool(bare) and all(token.is_name for token in bare) and text.endswith(("です", "だ"))


def _text(tokens: Sequence[Token]) -> str:
    return "".join(token.surface for token in tokens)
