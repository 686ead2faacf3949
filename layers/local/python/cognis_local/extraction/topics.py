"""The words by which a category is told, in both languages.

English words and phrases stand between commas, "*" for any ending; Japanese words are found anywhere.
A heavier topic is more telling: "allergic" says more about a content than "friend".
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from cognis_memory.models.values import Category


@dataclass(frozen=True, slots=True)
class Topic:
    """The words of one category, with the weight of each."""

    category: Category
    weight: int
    english: str
    japanese: str


TOPICS: Final = (
    Topic(
        Category.COMMUNICATION_STYLE,
        4,
        "wants the assistant to, wants * to always, wants * to never, wants * to answer, wants * to reply,"
        " wants * to keep, short answers, short messages, short replies, be called, emojis, tone,"
        " metric units, small talk, phone calls, talk on the phone, by email, by phone, texting, blunt,"
        " be interrupted, stutter, contacted, in writing, bullet points, being called",
        "タメ口 敬語 呼んで 呼ばれ 返事 返信 回答 話し方 口調 絵文字 短め 箇条書き 話してほしい"
        " 答えてほしい 電話のほう メールのほう 吃音 人見知り 人前",
    ),
    Topic(
        Category.DIETARY,
        3,
        "vegan, vegetarian, low-carb, diet, pescatarian, gluten*, dairy*, lactose, halal, kosher, keto,"
        " eat, eats, eaten, eating, ate, drink, drinks, drank, drinking, breakfast, lunch, dinner, brunch,"
        " recipe*, meat, pork, beef, chicken, fish, seafood, sugar, salt, coffee, espresso, matcha, tea,"
        " beer, wine, alcohol, cook, cooks, cooked, cooking, bake, bakes, baked, baking, meal, meals, food,"
        " tofu, ramen, udon, sushi, pizza, spicy, snack*, dessert*, ice cream, chocolate, cheese, fruit*,"
        " vegetables, mushrooms, cilantro, sourdough, tart, cake",
        "ベジタリアン ヴィーガン ビーガン 菜食 食べ 飲む 飲み 飲ん 食事 朝食 昼食 夕食 料理 コーヒー 抹茶"
        " お茶 紅茶 お酒 酒 肉 魚を 納豆 甘いもの 辛いもの ヨーグルト ラーメン うどん 寿司 パクチー 牛乳"
        " 糖質 野菜 果物 チョコレート 自炊 外食 レシピ",
    ),
    Topic(
        Category.HEALTH,
        4,
        "allerg*, diabet*, asthma*, migraine*, doctor, dentist, hospital*, surgery, medic*, mg, pill*,"
        " cholesterol, blood pressure, blood type, blood sugar, diagnos*, therap*, injur*, broke their,"
        " broke a, broke an, sprain*, pregnan*, smok*, gym, colour blind, color blind, insomnia, sleep*,"
        " illness, sick, flu, a cold, cancer, depression, disease, chronic, vision, hearing aid, weight,"
        " headache*, left-handed, GP, tablets, glasses, iron, teeth, tooth, root canal, dental, adhd,"
        " autis*, vaccin*, eye surgery, painkiller*, tumour*, tumor*, fever, ankle, knee, back pain,"
        " blood test, sober, health, healthy, workout*, exercise*, moon, stutter, check-up, latex,"
        " penicillin, intolerant, prescribed, physio*, clinic, vet says",
        "アレルギー 病 貧血 処方 眼科 歯医者 歯科医 親知らず 眠れ 眠り めまい 薬 手術 入院 通院 医者"
        " 整骨院 血圧 糖尿 腰痛 頭痛 喘息 花粉症 怪我 骨折 タバコ 禁煙 ジム 妊娠 健康 体調 睡眠 落ち込 うつ"
        " 風邪 熱が 吃音 恐怖症 癌 診断 検査 持病 お腹 めがね 眼鏡",
    ),
    Topic(
        Category.FINANCIAL,
        4,
        "save money, saves, saving for, is saving, saves up, savings, salary, mortgage, rent, loan, debt,"
        " owes, budget*, invest*, euro*, dollar*, pound*, *k a year, pension, taxes, insurance, earn*,"
        " bank account, credit card, credit union, stocks, treasurer, membership, payday, broke until,"
        " afford",
        "貯金 貯蓄 給料 年収 家賃 ローン 借金 投資 家計 支出 予算 保険 万円 円を 会計 年金 税金 株",
    ),
    Topic(
        Category.EDUCATIONAL,
        3,
        "study, studies, studied, studying, degree, university, college, school*, kindergarten, graduat*,"
        " exam, exams, course, courses, class, classes, certificate, thesis, phd, master's, major*, learn*,"
        " scholarship, lesson*, homework, apprentice*, programme, training, curriculum, diploma, tutor*,"
        " accepted into, black belt, workshop, seminar",
        "大学 小学 中学 高校 学校 専攻 勉強 留学 試験 合格 受かっ 卒業 入学 習い 習っ 資格 授業 講座 教室"
        " 研究 語学 部でした 部活 修業 黒帯 テスト 簿記 学生 塾",
    ),
    Topic(
        Category.TECHNICAL_SKILLS,
        3,
        "python, javascript, typescript, rust, haskell, java, golang, kotlin, elixir, swift, php, ruby,"
        " react, docker, kubernetes, tinkers, sql, linux, fedora, ubuntu, programming, coding, code, codes,"
        " software, excel, wifi, wi-fi, server*, iphone, android, laptop, macbook, fluent, speaks *,"
        " can drive, can't drive, can swim, can't swim, can code, can play, black belt, jira, git, aws",
        "プログラ エンジニア パソコン アプリ サーバ 話せ できます 得意 免許 パスワード Wi-Fi Python Java"
        " Kotlin Elixir Excel スマホ 黒帯",
    ),
    Topic(
        Category.TRAVEL,
        3,
        "travel*, trip*, flight*, flew, fly, flying, vacation, holiday*, visited, visit, visits, visiting,"
        " went to *, drove *, been to, airport, hotel*, passport, abroad, tour, camping, night train,"
        " moving to, ferry, train, cruise, road trip, backpack*, iceland, caravan, commut*, conference in",
        "旅行 旅 出張 飛行機 空港 ホテル 観光 海外 行きました 行ってき 行ったこと 一周 温泉 新幹線"
        " パスポート フェリー 通勤 留学",
    ),
    Topic(
        Category.HOBBIES,
        3,
        "hobb*, plays *, playing *, played *, guitar, piano, cello, trumpet, violin, ukulele, drum*, bass,"
        " band, paint*, pottery, ceramics, garden*, hik*, climb*, boulder*, swim*, runs marathons, running,"
        " ran, marathon*, yoga, chess, football, soccer, basketball, tennis, judo, karate, rowing, surf*,"
        " skat*, ski, skiing, danc*, sing, sings, singing, choir, photograph*, knit*, sew*, crochet*,"
        " fishing, cycl*, collects, collecting, reads, reading, novel*, bookshelf, books, podcast*, forum,"
        " club, opera, tickets, astronom*, star*gazing, volunteer*, film*, movie*, concert, festival,"
        " museum, game, games, gaming, music, draw*, woodwork*, bees, watched, spare time, repairs,"
        " restores, boat, parade, lego, puzzle*, theatre, instrument, kicks, trains",
        "趣味 登山 クラブ 部の 釣り ギター ピアノ サックス ドラム ボウリング 野球 サッカー テニス 柔道"
        " 将棋 読書 映画 音楽 写真 陶芸 家庭菜園 キャンプ ゲーム 走っ ランニング マラソン 水泳 ダンス 絵を"
        " 集め 吹い 習い事 弾 修理 編み物 歌舞伎 筋トレ 散歩 ボルダリング 休みの日 ライブ 推し チケット"
        " 運営 掲示板 オペラ 天文",
    ),
    Topic(
        Category.PROFESSIONAL,
        3,
        "work, works, working, worked, job, jobs, career, promot*, manager, boss, colleague*, company,"
        " startup, employ*, office, business, client*, interview, shift*, nurse, teach*, engineer, pilot,"
        " retire*, freelanc*, hired, fired, laid off, intern, internship, mill, shipped, team, concierge,"
        " driver, carpenter, treasurer, runs a, runs an, runs the, ferry to work, commut*, joined *,"
        " overtime, workshop, vineyard, is with * now",
        "経営 仕事 働 勤め 勤務 会社 転職 就職 退職 職場 上司 同僚 起業 独立 フリーランス 編集者 看護師"
        " 教師 教え 社員 エンジニア デザイナー 医師 転勤 衛生士 職業 夜勤 通勤 修業 農家 消防士 部署",
    ),
    Topic(
        Category.RELATIONSHIPS,
        3,
        "wife, husband, partner, girlfriend, boyfriend, married, wedding, divorc*, separating, proposed,"
        " anniversary, best friend, friend, friends, mother, father, mom, mum, dad, sister*, brother*,"
        " sibling*, son, sons, daughter*, children, kid, kids, baby, twin*, parent*, grand*, aunt, uncle,"
        " cousin*, neighbour*, neighbor*, roommate, dog, dogs, cat, cats, pet, pets, puppy, kitten, parrot,"
        " hamster, adopted, greyhound, tortoise, landlord, family, mother-in-law, eldest, youngest of,"
        " each other",
        "妻 夫 彼女 彼氏 結婚 離婚 別居 婚約 プロポーズ 友達 友人 親友 母 父 妹 姉 兄 弟 息子 娘 子供"
        " 子ども 家族 両親 祖母 祖父 孫 犬 猫 ペット 飼っ インコ 恋人 出産 さんは 上司 同僚 双子 義母 叔父"
        " いとこ",
    ),
    Topic(
        Category.GOALS,
        3,
        "wants to, would love to, would like to, hopes to, plan to, plans to, planning, dream*, goal*,"
        " aim*, aspir*, is going to, will, intends, someday, thinking about, thinking of, working towards,"
        " is saving, trying to, looking forward, considering, researching, one day, signed up",
        "たいです たい 目標 夢は 予定 つもり 目指し 将来 計画 に向けて ことにな ことにしま 開きたい",
    ),
    Topic(
        Category.EMOTIONAL,
        3,
        "feel, feels, feeling, felt, anxious, anxiety, lonely, stress*, overwhelm*, worr*, afraid, scared,"
        " nervous, proud, happy, sad, excited, thrilled, depress*, upset, angry, tough, grateful, thankful,"
        " misses, missing, exhaust*, swamped, relax*, unwind*, means a lot, mood, burned out, burnt out,"
        " accepted, hopeful, heartbroken, snores",
        "気分 気持ち 緊張 不安 寂し 悲し 嬉し うれし 楽しみ 怖 恐怖 ストレス イライラ 落ち込 落ち着 心配"
        " 疲れ",
    ),
    Topic(
        Category.BEHAVIORAL_PATTERNS,
        2,
        "usually, every day, every morning, every evening, every night, every week, every sunday,"
        " every monday, every friday, always, often, habit, routine, wakes up, wake up, goes to bed,"
        " tends to, rarely, never, mondays, night owl, morning person, daily, twice a, times a week,"
        " each day, each morning, each week, whenever, commut*, forgets, these days, spare time",
        "毎朝 毎日 毎週 毎晩 毎月 毎年 いつも 習慣 夜型 朝型 普段 だいたい 早起き 寝ます 起きます 週末は"
        " 休みの日 通勤 日課",
    ),
    Topic(
        Category.PREFERENCES,
        3,
        "prefer*, favourite*, favorite*, like, likes, love, loves, hate, hates, dislike*, enjoy*,"
        " can't stand, fan of, into, fond of, rather, keen on, instead of",
        "好き 嫌い 苦手 気に入 好み おすすめ ハマ はまっ ほうがいい 方がいい",
    ),
    Topic(
        Category.PERSONAL_DETAILS,
        2,
        "live, lives, born, grew up, moved, birthday, address, phone, email, years old, password, code,"
        " locker, own, owns, house, flat, apartment, home, size, tall, single, youngest, oldest, passport,"
        " car, bike, name, named",
        "住ん 引っ越 生まれ 出身 誕生日 住所 電話 名前 歳 身長 体重 血液型 左利き 右利き 一人暮らし 車"
        " 部屋 机 家",
    ),
)
"""From the more particular to the more general; of two that fit alike the first counts."""
