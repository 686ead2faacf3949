"""New values of what one has, does or is, in other words than the old: one stays current."""

from __future__ import annotations

import pytest

from cognis_memory.models.values import Operation

OTHER = {"en": "User plays chess", "ja": "ユーザーは将棋を指しています"}


def _updated(facts):
    return [(fact.label, fact.content) for fact in facts if fact.operation is Operation.UPDATE]


@pytest.mark.parametrize(
    ("held", "said", "new"),
    [
        ("User's boss is Ms. Okafor", "My boss is Mr. Lund now.", "Lund"),
        ("User's piano teacher is Mr. Fox", "My piano teacher was replaced by Ms. Lee.", "Lee"),
        ("User's landlord is Greg", "Our new landlord is Petra.", "Petra"),
        ("User's sister lives in Turin", "My sister moved to Zagreb.", "Zagreb"),
        ("User's hat size is 56", "My hat size is actually 57.", "57"),
        ("User's subscription is 9 dollars", "My subscription went up to 12 dollars.", "12 dollars"),
        ("User's French is at A1 level", "My French is A2 now.", "A2"),
        ("User's favorite park is Hyde Park", "My favourite park these days is Regent's Park.", "Regent"),
        ("User's phone number is 555-0100", "My number changed, it's 555-0199 now.", "555-0199"),
        ("User's home is in Derby", "I live in Hull now.", "Hull"),
        ("User's son goes to Elm Primary School", "My son goes to Birch Academy now.", "Birch"),
        ("User is on the sales team", "I was transferred to the legal department.", "legal"),
        ("User's parrot's name is Kiwi", "We renamed the parrot to Mango.", "Mango"),
        ("User wakes up at eight every day", "These days I wake up at six.", "six"),
        ("User goes rowing on Mondays", "I go rowing on Fridays now.", "Fridays"),
        ("User weighs 91 kilos", "I weigh 85 kilos now.", "85"),
        ("User commutes by bus", "I commute by bike now.", "bike"),
        ("User prefers trains to planes", "I prefer planes to trains these days.", "planes to trains"),
        ("User lives with their cousin", "I live alone now.", "alone"),
        ("User does payroll at a shipping firm", "I switched jobs and I'm a translator now.", "translator"),
        ("User drives a Fiat Panda", "I traded in the Panda for a Volvo.", "Volvo"),
        ("User is planning to buy a boat", "We bought a boat!", "bought a boat"),
        ("ユーザーの上司は山田さんです", "上司が中村さんに代わりました。", "中村"),
        ("ユーザーのピアノの先生は加藤先生です", "ピアノの先生が小林先生に代わりました。", "小林"),
        ("ユーザーの主治医は林先生です", "主治医が森先生になりました。", "森"),
        ("ユーザーの駐車場代は1万円です", "駐車場代が1万2千円に上がりました。", "1万2千円"),
        ("ユーザーの好きな花は百合です", "好きな花が桜に変わりました。", "桜"),
        ("ユーザーの息子は梅小学校に通っています", "息子は西中学校に進学しました。", "西中学校"),
        ("ユーザーは広報部に所属しています", "法務部に異動しました。", "法務部"),
        ("ユーザーは毎朝8時に起きています", "最近は毎朝6時に起きています。", "6時"),
        ("ユーザーは月曜日に茶道をしています", "今は金曜日に茶道をしています。", "金曜"),
        ("ユーザーはバスで通勤しています", "今は電車で通勤しています。", "電車"),
        ("ユーザーは夜型です", "最近は朝型になりました。", "朝型"),
        ("ユーザーは米よりパンが好きです", "最近はパンより米が好きです。", "パンより米"),
        ("ユーザーは弟と住んでいます", "今は一人で住んでいます。", "一人"),
        ("ユーザーはアクアに乗っています", "車をヤリスに買い替えました。", "ヤリス"),
        ("ユーザーは子供が二人います", "今は子供が三人います。", "三人"),
        ("ユーザーは来月、沖縄に行く予定です", "先週、沖縄に行ってきました。", "行ってきました"),
        ("ユーザーは朝ごはんは食べません", "最近は朝ごはんを食べるようになりました。", "食べるように"),
    ],
)
def test_the_new_value_takes_the_place_of_the_old(extract, held, said, new):
    facts = extract(said, similar=[OTHER["ja" if "ユーザー" in held else "en"], held])
    ((label, content),) = _updated(facts)
    assert label == 2
    assert new in content


@pytest.mark.parametrize(
    ("held", "said"),
    [
        ("User's wife is Nora", "My wife is Polish."),
        ("User's friend is Ken", "My friend is Tom."),
        ("User is on the football team", "I've moved to the data team."),
        ("User goes rowing on Mondays", "I go rowing on Fridays."),
        ("User lives in Rome", "I live with my brother."),
        ("User wants to see Lima", "I saw a film about Lima."),
        ("User works as a nurse", "My sister works as a vet."),
        ("ユーザーの弟の名前は隆です", "弟はパイロットです。"),
        ("ユーザーは大阪に住んでいます", "妻と住んでいます。"),
        ("ユーザーは卵と牛乳のアレルギーがあります", "牛乳のアレルギーは治りました。"),
    ],
)
def test_what_fills_another_place_stands_beside_it(extract, held, said):
    assert [fact.operation for fact in extract(said, similar=[held])] == [Operation.ADD]


@pytest.mark.parametrize(
    ("held", "said"),
    [
        ("User lives in Cork", "My home is in Cork."),
        ("User is vegan", "I follow a vegan diet."),
        ("User's wife's name is Nora", "Nora is my wife."),
        ("ユーザーは子供が二人います", "子どもは2人です。"),
        ("ユーザーの弟は運転手をしています", "弟は運転手です。"),
    ],
)
def test_the_same_value_in_other_words_is_known(extract, held, said):
    assert [(fact.operation, fact.label) for fact in extract(said, similar=[held])] == [(Operation.NONE, 1)]


@pytest.mark.parametrize(
    ("said", "state"),
    [
        ("I started at Nokia this week.", "where User works now"),
        ("任天堂に転職しました。", "今はそこで働いています"),
        ("法務部に異動しました。", "今はそこに所属しています"),
        ("車をヤリスに買い替えました。", "今はその車に乗っています"),
    ],
)
def test_a_change_tells_the_state_it_leads_to(extract, said, state):
    (fact,) = extract(said)
    assert state in fact.content
    assert [again.operation for again in extract(said, similar=[fact.content])] == [Operation.NONE]


@pytest.mark.parametrize(
    ("held", "said", "left"),
    [
        ("User plays chess and tennis", "I stopped playing chess.", "User plays tennis"),
        (
            "User has an Audible and a Spotify account",
            "I cancelled my Spotify account.",
            "User has an Audible account",
        ),
        (
            "ユーザーは犬のハチと猫のタマを飼っています",
            "ハチを叔父に譲りました。",
            "ユーザーは猫のタマを飼っています",
        ),
        ("ユーザーは車とバイクを持っています", "バイクを売りました。", "ユーザーは車を持っています"),
        ("User speaks Thai, Lao and Khmer", "I don't speak Lao any more.", "User speaks Thai and Khmer"),
        ("ユーザーはギターとドラムをやっています", "ドラムはやめました。", "ユーザーはギターをやっています"),
    ],
)
def test_one_thing_of_several_ends_alone(extract, held, said, left):
    assert _updated(extract(said, similar=[held])) == [(1, left)]


@pytest.mark.parametrize(
    "said", ["We moved to a larger office in Turin.", "I moved to the corner table in Turin."]
)
def test_a_move_of_an_office_is_none_of_a_home(extract, said):
    facts = extract(said, similar=["User lives in Pisa"])
    assert [fact.label for fact in facts] == [None] * len(facts)
