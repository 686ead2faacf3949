"""What a statement does to the memories that are held."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from cognis_memory.models.extraction import ExtractedFact, ExtractionRequest, LabelledMemory
from cognis_memory.models.values import Category, Operation

from .builders import message


def done(facts: list[ExtractedFact]) -> list[tuple[Operation, int | None]]:
    return [(fact.operation, fact.label) for fact in facts]


@pytest.mark.parametrize(
    ("held", "said"),
    [
        ("User lives in Tokyo", "I moved to Osaka last month."),
        ("User works as a welder", "I'm a teacher now."),
        ("User works at ASML", "I work for Philips."),
        ("User is 40 years old", "I turned 41 yesterday."),
        ("User is vegetarian", "I'm vegan now."),
        ("User loves ramen", "I hate ramen now."),
        ("User likes tea", "I don't like tea any more."),
        ("User's favourite colour is teal", "My favorite color is green."),
        ("User's dog is called Biscuit", "My dog is called Rex, not Biscuit."),
        ("User's phone number is 555-0147", "My new phone number is 555-0182."),
        ("User drives a blue Skoda", "I drive a red pickup."),
        ("User is in a relationship with Marek", "We broke up."),
        ("User has two cats", "I have three cats now."),
        ("User's bike is a blue Trek", "My bike is a green Trek."),
        ("User does not eat meat", "I eat meat."),
        ("ユーザーは東京に住んでいます", "大阪に引っ越しました。"),
        ("ユーザーはコーヒーが好きです", "コーヒーは嫌いになりました。"),
        ("ユーザーは35歳です", "36歳になりました。"),
        ("ユーザーは保険会社に勤めています", "今は銀行に勤めています。"),
        ("ユーザーの好きな色は青です", "好きな色は緑です。"),
        ("User lives near the old harbour", "I've moved to Ghent."),
        ("Userは港の近くに住んでいます", "今は神戸に住んでる。"),
        ("ユーザーは港の近くに住んでる", "神戸に引っ越したよ。"),
        ("ユーザーは広島に引っ越した（今はそこに住んでいます）", "引っ越して今は神戸。"),
        ("ユーザーは広島に住んでいます", "今住んでるのは神戸です。"),
        ("ユーザーは広島に住んでいます", "先月神戸へ引っ越しまして、今は一人暮らしです。"),
        ("User moved to Porto, where User lives now", "神戸に越した。"),
        ("ユーザーは結婚しています", "離婚しました。"),
        ("User is dating Priya", "I'm dating Marek now."),
        ("User is engaged to Priya", "I got engaged to Marek."),
        ("User is dating Priya", "I'm married to Marek now."),
        ("User's phone number is 555-0147", "My phone number has changed to 555-0182."),
        ("User's email is ana@example.org", "I changed my email address to ana@example.com."),
        ("ユーザーは恵美と付き合っています", "今は沙織と付き合っています。"),
        ("ユーザーは太郎と婚約しています", "健二と結婚しました。"),
        ("ユーザーは太郎と結婚しています", "健二と結婚しました。"),
        ("ユーザーの電話番号は090-1234-0147です", "電話番号が090-1234-0182に変わりました。"),
        ("ユーザーの電話番号は090-1234-0147です", "私の電話番号が090-1234-0182に変わったよ。"),
        ("ユーザーの電話番号は090-1234-0147です", "電話番号を090-1234-0182に変えました。"),
    ],
)
def test_a_new_value_of_a_slot_replaces(extract, held, said):
    assert done(extract(said, similar=["User plays chess", held])) == [(Operation.UPDATE, 2)]


@pytest.mark.parametrize(
    ("held", "said"),
    [
        ("User's dog is called Biscuit", "My dog's name is Biscuit."),
        ("User's dog is called Biscuit", "I have a dog named Biscuit."),
        ("User plays the cello on Sundays", "I play the cello every Sunday."),
        ("User is allergic to shellfish", "Like I said, I'm allergic to shellfish."),
        ("User moved to Osaka (February 2026)", "I live in Osaka."),
        ("The user lives in Porto", "I live in Porto."),
        ("User is married to Marek", "I'm married."),
        ("User is dating Marek", "I'm dating Marek."),
        ("ユーザーは太郎と結婚しています", "結婚しています。"),
        ("ユーザーは太郎と付き合っています", "太郎と付き合っています。"),
        ("ユーザーの電話番号は090-1234-0182です", "電話番号が090-1234-0182に変わりました。"),
        ("ユーザーの犬はチョコという名前です", "犬の名前はチョコです。"),
        ("ユーザーは大阪に引っ越しました", "今も大阪に住んでいます。"),
        ("ユーザーは卵アレルギーです", "卵アレルギーがあります。"),
    ],
)
def test_what_is_held_is_not_held_twice(extract, held, said):
    assert done(extract(said, similar=["User plays chess", held])) == [(Operation.NONE, 2)]


@pytest.mark.parametrize(
    ("held", "said"),
    [
        ("User has a dog", "I no longer have a dog."),
        ("User drives a blue Skoda", "I sold my car."),
        ("User plays the cello on Sundays", "I don't play the cello any more."),
        ("User goes to the gym three times a week", "I stopped going to the gym."),
        ("User works at Google", "I left Google last week."),
        ("User bought a folding bike", "I sold my bike yesterday."),
        ("User bought a Toyota last year (2025)", "I sold my car."),
        ("User owns a velvet sofa", "I finally got rid of my old sofa."),
        ("User has a Canon camera", "I returned the camera to the shop."),
        ("User is learning the harp", "I gave up the harp because of my wrist."),
        ("ユーザーは折りたたみ自転車を買いました", "自転車を弟に譲った。"),
        ("ユーザーはホンダのバイクを買いました", "先週、バイクを売ったよ。"),
        ("ユーザーはキヤノンのカメラを買いました", "カメラを返品した。"),
        ("ユーザーは来年（2027年）、神戸マラソンを走るつもり", "膝を痛めて、マラソンはやめることにした。"),
        ("User is a nurse", "I quit my job."),
        ("User is vegetarian", "I'm no longer vegetarian."),
        ("User is dating Marek", "I'm not dating Marek anymore."),
        ("User is dating Marek", "I'm not dating anyone anymore."),
        ("User collects stamps", "Forget that I collect stamps."),
        ("User's phone number is 555-0147", "Please forget my phone number."),
        ("ユーザーはピアノを習っています", "ピアノをやめました。"),
        ("ユーザーは犬を飼っています", "もう犬は飼っていません。"),
        ("ユーザーは赤い車に乗っています", "車を売りました。"),
        ("ユーザーは切手を集めています", "切手を集めていることは忘れてください。"),
        ("ユーザーの電話番号は090です", "電話番号を忘れてください。"),
    ],
)
def test_a_retraction_retracts(extract, held, said):
    assert done(extract(said, similar=["User plays chess", held])) == [(Operation.DELETE, 2)]


@pytest.mark.parametrize(
    ("held", "said"),
    [
        ("User lives in Tokyo", "I was born in Lima."),
        ("User lives in Tokyo", "I used to live in Seville."),
        ("User lives in Tokyo", "I lived in Seville from 2010 to 2015."),
        ("User speaks French", "I speak Dutch."),
        ("User visited Osaka", "I visited Kyoto."),
        ("User has a dog called Rex", "I also have a parrot called Kiki."),
        ("User loves hiking", "My friend Ken loves hiking."),
        ("User is allergic to peanuts", "I'm allergic to cats."),
        ("User likes tea", "I love green tea."),
        ("User's item number 2 is stored on shelf 202", "My item number 3 is stored on shelf 203."),
        (
            "User tasted tea number 7 from the village 1049 on day 7",
            "On day 8 I tasted tea number 8 from the village 1056.",
        ),
        ("User plays the guitar", "I gave away my guitar."),
        ("User drives a red Skoda", "I sold my bike."),
        ("ユーザーは赤い車に乗っています", "自転車を売りました。"),
        ("ユーザーは自転車に乗っています", "車を売りました。"),
        ("ユーザーは広島に住んでいます", "来月、神戸に引っ越したいです。"),
        ("User had lunch with Priya at the harbour", "I had lunch with Priya in the old town."),
        ("User went to Paris last week (6–12 April 2026)", "I went to Paris last week."),
        ("ユーザーは週末に夜食を食べるのが好きです", "世界中を旅したいです。"),
        ("ユーザーは猫を飼っています", "犬も飼っています。"),
        ("ユーザーは東京に住んでいます", "以前は広島に住んでいました。"),
        ("ユーザーは棚番号7には7番の箱を置いています", "棚番号8には8番の箱を置いています。"),
    ],
)
def test_other_facts_come_beside(extract, held, said):
    assert done(extract(said, similar=[held])) == [(Operation.ADD, None)]


def test_a_retraction_of_what_is_not_held_is_a_fact_or_a_tombstone(extract):
    assert done(extract("I no longer eat meat.")) == [(Operation.ADD, None)]
    assert done(extract("Forget that I collect stamps.")) == [(Operation.DELETE, None)]


@pytest.mark.parametrize(
    ("held", "said"),
    [
        ("User lives in Osaka", "I no longer live in Tokyo."),
        ("User works at Globex", "I no longer work at Acme."),
        ("User visited Tokyo", "I left Tokyo."),
        ("User is in the chess club", "I left my umbrella at the club."),
        ("ユーザーは大阪に住んでいます", "もう東京には住んでいません。"),
        ("ユーザーはグロベックスで働いています", "アクメを辞めました。"),
        ("ユーザーは会議があります", "今日は会議を抜けました。"),
    ],
)
def test_an_end_of_something_else_changes_nothing(extract, held, said):
    assert done(extract(said, similar=[held])) == [(Operation.ADD, None)]


@pytest.mark.parametrize(
    ("held", "said"),
    [
        ("User is assigned to Project Alpha", "I left Project Alpha."),
        ("User is assigned to the Alpha project", "I was taken off the Alpha project."),
        ("User is in the chess club", "I left the chess club."),
        ("User works at Acme", "I was laid off from Acme."),
        ("ユーザーはプロジェクトAを担当しています", "プロジェクトAの担当を外れました。"),
        ("ユーザーは野球チームに入っています", "チームを抜けました。"),
        ("ユーザーはアクメで働いています", "アクメを退職しました。"),
        ("ユーザーはテニスをしています", "もうテニスはしていません。"),
        ("ユーザーはテニスをしています", "テニスはもうやっていません。"),
    ],
)
def test_leaving_what_one_belonged_to_retracts(extract, held, said):
    (fact,) = extract(said, similar=["User plays chess", held])
    assert (fact.operation, fact.label, fact.retracts) == (Operation.DELETE, 2, True)


ENDED = [
    ("User quit their job at Acme", "I work at Acme."),
    ("User no longer plays tennis", "I play tennis."),
    ("User left Project Alpha", "I'm back on Project Alpha."),
    ("User's phone number", "My phone number is 555-0147."),
    ("ユーザーはアクメを辞めました", "アクメで働いています。"),
    ("ユーザーはもうテニスはしていません", "テニスをしています。"),
    ("ユーザーの電話番号", "電話番号は555-0147です。"),
]


def ended(content: str, **fields: object) -> LabelledMemory:
    return LabelledMemory(7, content, Category.PERSONAL_DETAILS, **fields)


def operations(extractor, said: str, *similar: LabelledMemory) -> list[tuple[Operation, int | None]]:
    return done(list(extractor.extract(ExtractionRequest((message(said),), (), similar)).facts))


@pytest.mark.parametrize("kind", ["retracts", "retracted"])
@pytest.mark.parametrize(("end", "said"), ENDED)
def test_what_ended_goes_to_what_ended_it(extractor, end, said, kind):
    assert operations(extractor, said, ended(end, **{kind: True})) == [(Operation.UPDATE, 7)]


@pytest.mark.parametrize(
    ("end", "said"),
    [
        ("User left Acme", "I work at Globex."),
        ("User no longer plays tennis", "I play chess."),
        ("User's sister no longer plays tennis", "I play tennis."),
        ("ユーザーはアクメを辞めました", "グロベックスで働いています。"),
    ],
)
def test_what_ended_something_else_is_left_alone(extractor, end, said):
    for kind in ("retracts", "retracted"):
        assert operations(extractor, said, ended(end, **{kind: True})) == [(Operation.ADD, None)]


def test_the_slot_of_an_end_does_not_tell_what_it_ended(extractor):
    end = LabelledMemory(
        7, "ユーザーはアクメを辞めました", Category.PROFESSIONAL, "User", "employer", retracted=True
    )
    assert operations(extractor, "グロベックスで働いています。", end) == [(Operation.ADD, None)]
    assert operations(extractor, "アクメで働いています。", end) == [(Operation.UPDATE, 7)]


@pytest.mark.parametrize(
    ("end", "said"),
    [
        ("User no longer plays tennis", "I no longer play tennis."),
        ("User quit smoking", "I gave up smoking."),
        ("ユーザーはアクメを辞めました", "アクメを辞めました。"),
        ("User's phone number", "Forget my phone number."),
    ],
)
def test_an_end_is_told_once(extractor, end, said):
    for kind in ("retracts", "retracted"):
        assert operations(extractor, said, ended(end, **{kind: True})) == [(Operation.NONE, 7)]


def test_a_late_message_goes_by_what_was_so_at_its_time(extractor):
    def held(label: int, content: str, month: int, **fields: bool) -> LabelledMemory:
        moment = datetime(2026, month, 1, tzinfo=UTC)
        return LabelledMemory(label, content, Category.PERSONAL_DETAILS, "User", timestamp=moment, **fields)

    tokyo, osaka = held(1, "User lives in Tokyo", 1), held(2, "User lives in Osaka", 6)
    left = held(3, "User no longer lives in Tokyo", 5, retracted=True)
    assert operations(extractor, "I live in Tokyo.", osaka, tokyo) == [(Operation.NONE, 1)]
    assert operations(extractor, "I no longer live in Tokyo.", osaka, tokyo) == [(Operation.DELETE, 1)]
    assert operations(extractor, "I live in Tokyo.", osaka, left) == [(Operation.UPDATE, 3)]
    assert operations(extractor, "I live in Kyoto.", osaka, left) == [(Operation.UPDATE, 2)]


def test_a_retraction_may_end_several_memories(extract):
    facts = extract(
        "I no longer have a dog.", similar=["User has a dog", "User likes tea", "User's dog is called Rex"]
    )
    assert done(facts) == [(Operation.DELETE, 1), (Operation.DELETE, 3)]


def test_a_replacement_stands_before_a_retraction_of_the_same_memory(extract):
    facts = extract("I don't live in Perth any more, I live in Hobart.", similar=["User lives in Perth"])
    assert done(facts) == [(Operation.UPDATE, 1)]


def test_one_message_does_not_state_a_fact_twice(extract):
    assert len(extract("I live in Rome. Yes, I live in Rome! As I said, I live in Rome.")) == 1


def test_the_slot_goes_by_the_subject(extract):
    held = ["User lives in Utrecht", "User's friend Ana lives in Delft"]
    assert done(extract("Ana lives in Leiden now.", similar=held)) == [(Operation.UPDATE, 2)]


@pytest.mark.parametrize(
    ("held", "said"),
    [
        ("Marta lives in Turin", "大阪に引っ越したよ。"),
        ("Martaはトリノの駅の近くに住んでる", "大阪に引っ越したよ。"),
        ("Martaはトリノに引っ越した（今はそこに住んでいます）", "I moved to Osaka."),
    ],
)
def test_a_named_speakers_home_changes_across_languages(extract, held, said):
    assert done(extract(said, similar=[held], speaker="Marta")) == [(Operation.UPDATE, 1)]


def test_a_move_without_a_place_is_no_home(extract):
    facts = extract("引っ越しました！新居は神戸です。", similar=["ユーザーは広島に住んでいます"])
    assert done(facts) == [(Operation.ADD, None), (Operation.UPDATE, 1)]


def test_a_stored_slot_counts_where_the_words_tell_none(extractor):
    held = LabelledMemory(4, "User has Tokyo as a base", Category.PERSONAL_DETAILS, "User", "home")
    request = ExtractionRequest((message("I live in Osaka."),), (), (held,))
    assert done(list(extractor.extract(request).facts)) == [(Operation.UPDATE, 4)]
