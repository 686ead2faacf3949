"""Word lists of Japanese, by meaning."""

from __future__ import annotations

from typing import Final

from cognis_local.extraction.patterns import by_word, word_set

FIRST_PERSON: Final = word_set(
    "私 わたし わたくし あたし 僕 ぼく ボク 俺 おれ オレ 自分 うち 我々 私たち 僕たち 俺たち 私達 僕ら"
)
LISTENER: Final = word_set("あなた 君 きみ お前 そちら あんた 貴方 皆さん みなさん")
DEICTIC: Final = word_set(
    "それ これ あれ そこ ここ そう こう どれ どちら どっち そっち こっち その この あの そちら なに 何 誰"
    " だれ いつ どこ"
)

RELATIONS: Final = by_word(
    {
        "mother": "母 お母さん 母親 ママ",
        "father": "父 お父さん 父親 パパ",
        "parents": "両親",
        "parent": "親",
        "older brother": "兄 お兄さん",
        "younger brother": "弟",
        "older sister": "姉 お姉さん",
        "younger sister": "妹",
        "siblings": "兄弟",
        "grandmother": "祖母 おばあちゃん",
        "grandfather": "祖父 おじいちゃん",
        "husband": "夫 旦那 主人",
        "wife": "妻 嫁 奥さん 家内",
        "partner": "パートナー 恋人",
        "girlfriend": "彼女",
        "boyfriend": "彼氏",
        "fiance": "婚約者",
        "son": "息子",
        "daughter": "娘",
        "twins": "双子",
        "eldest son": "長男",
        "eldest daughter": "長女",
        "second son": "次男",
        "second daughter": "次女",
        "child": "子供 子ども 子",
        "baby": "赤ちゃん",
        "grandchild": "孫",
        "nephew": "甥",
        "niece": "姪",
        "aunt": "叔母 伯母",
        "uncle": "叔父 伯父",
        "cousin": "いとこ 従兄弟",
        "family": "家族",
        "friend": "友達 友人",
        "best friend": "親友",
        "colleague": "同僚",
        "boss": "上司 店長 社長",
        "report": "部下",
        "senior": "先輩",
        "junior": "後輩",
        "teacher": "先生",
        "homeroom teacher": "担任",
        "landlord": "大家 大家さん",
        "neighbour": "隣人",
        "roommate": "ルームメイト",
        "classmate": "同級生",
        "childhood friend": "幼なじみ",
        "mother-in-law": "義母",
        "father-in-law": "義父",
        "ex": "元カレ 元カノ",
        "doctor": "主治医 かかりつけ医",
        "dentist": "歯科医",
        "coach": "コーチ",
    }
)
HONORIFICS: Final = word_set("さん くん 君 ちゃん 様 氏 先生 先輩")
PETS: Final = by_word(
    {
        "dog": "犬 いぬ イヌ 子犬 愛犬 保護犬 レトリバー プードル チワワ ダックスフンド コーギー"
        " ビーグル ポメラニアン",
        "cat": "猫 ねこ ネコ 子猫 愛猫 保護猫",
        "bird": "鳥 文鳥",
        "parrot": "インコ",
        "hamster": "ハムスター",
        "rabbit": "うさぎ ウサギ",
        "turtle": "亀 カメ",
        "goldfish": "金魚",
        "fish": "魚",
        "pet": "ペット",
        "horse": "馬",
    }
)
COUNTED: Final = by_word(
    {
        "child": "子供 子ども 息子 娘",
        "sibling": "兄弟 きょうだい",
        **{
            pet: " ".join(word for word, kind in PETS.items() if kind == pet)
            for pet in ("dog", "cat", "bird")
        },
    }
)
"""What people say how many they have of."""
ATTRIBUTES: Final = word_set(
    "趣味 出身 出身地 誕生日 名前 仕事 職業 年齢 身長 体重 血液型 星座 電話番号 住所 メール メールアドレス"
    " 連絡先 夢 目標 特技 専攻 専門 本業 副業 年収 給料 家賃 日課 実家 地元 職場 会社 勤務先 学校 大学 性格"
    " 苗字 名字 あだ名 ニックネーム 国籍 母国語 母語 携帯 最寄り駅 靴 視力 血圧 体質 愛車 好物"
    " 座右の銘 悩み"
    " 家族構成 部署 役職 担当 通勤 推し 得意料理 生きがい 抱負 習慣 記念日 結婚記念日 新居"
    " 住まい 居住地"
)
ATTRIBUTE_SLOTS: Final = by_word(
    {
        "name": "名前",
        "job": "仕事 職業",
        "age": "年齢",
        "birthday": "誕生日",
        "phone": "電話番号 携帯",
        "address": "住所",
        "email": "メール メールアドレス",
        "origin": "出身 出身地",
        "employer": "勤務先 会社",
        "salary": "年収",
        "major": "専攻",
        "nickname": "あだ名 ニックネーム",
        "car": "愛車",
        "home": "新居 住まい 居住地 自宅",
    }
)

PERSONAL_VERBS: Final = word_set(
    "飲む 食べる 吸う 見る 観る 読む 買う 作る 使う 住む 働く 勤める 通う 習う 飼う 乗る 持つ 話す 話せる"
    " やめる 辞める 始める 会う 走る 泳ぐ 寝る 起きる 引っ越す 行く 来る 帰る 教える 学ぶ 書く"
    " 描く 歌う 弾く"
    " 吹く 踊る 聴く 着る 履く 払う 売る 借りる 育てる 送る 過ごす 暮らす 集める 登る 釣る"
    " 受ける 目指す 悩む"
    " 疲れる 生まれる 育つ 付き合う 別れる 転ぶ 太る 痩せる 治す 打つ 撮る 編む 焼く 入れる"
    " 置く しまう 保管"
    " 歩く 乗れる 泳げる 弾ける 食べれる 食べられる 飲める 行ける 運転 眠る 眠れる 泣く 笑う 怒る 困る 迷う"
    " 経営 控える 避ける 減らす 増やす 続ける 気をつける 楽しむ 忘れる もらう 貰う 失くす 遭う"
    " 結婚 離婚 婚約"
    " 転職 退職 就職 卒業 入学 合格 引っ越し 引越し 旅行 留学 勉強 練習 運動 貯金 料理 掃除 登録 購入 予約"
    " 解約 退会 加入 契約 克服 完治 治る 進学 転校 異動 配属"
    " 通院 入院 手術 出産 妊娠 独立 起業 転勤 勤務 所属 担当 専攻 研究 経験 参加 利用 管理"
    " 散歩 筋トレ 早起き"
    " 夜更かし 自炊 外食 禁煙"
)
INTRANSITIVE: Final = word_set(
    "寝る 眠る 走る 泳ぐ 働く 起きる 歩く 泣く 笑う 怒る 生まれる 育つ 転ぶ 帰る 住む 暮らす 飛ぶ 死ぬ"
)
OPINION_VERBS: Final = word_set(
    "思う 考える わかる 分かる 知る 存じる 言う 申す 待つ 願う 感じる 信じる 聞く 伺う 尋ねる"
    " 質問 確認 了解"
    " 承知 理解 賛成 同意 感謝 失礼 期待 助かる 違う"
)
CONVERSATION_NOUNS: Final = word_set(
    "質問 疑問 お願い 相談 提案 話 意見 返事 回答 答え 案 例 意味 件 話題 要望 不明点 考え アイデア 問題"
    " 時間 エラー 地震 台風 事件 ニュース 用事"
)
LIKING: Final = word_set("好き 大好き 嫌い 大嫌い 苦手 得意 お気に入り 気に入る")
STATE_OF_SPEAKER: Final = word_set(
    "ある 有る いる 居る 出来る できる 話せる 欲しい ほしい 痛い ひどい 酷い 悪い 弱い 強い 下手 上手 苦手"
    " 得意 好き 嫌い 多い 必要 不安 心配 落ち着く 終わる 届く 生まれる 決まる 治る 変わる 怖い"
    " 困る 落ち込む"
    " 痛む 腫れる 足りる 残る"
)
IMPERSONAL: Final = word_set(
    "工事 セール イベント 渋滞 降る 晴れる 曇る 咲く 冷える 沸騰 下落 上昇 値上がり 値下がり 発売 発表 開催"
    " 冷凍 故障 停電 拒否 出る 表示 鳴る 動く 止まる 壊れる 進む 流行る 続く 増す"
)
STOP: Final = word_set(
    "する 為る 居る 有る 成る 出来る 言う よう 此れ 其れ もの 物 こと 事 ところ 所 時 頃 今"
    " もう 最近 ます です"
    " だ た て 的 さん くん ちゃん 私 僕 俺 自分 様 という 方 位 くらい 中 いる ある なる いう ユーザー"
    " アシスタント 現在 以前 昔 昨日 今日 明日 先週 来週 今週 先月 来月 今月 去年 来年 今年"
    " おる 居る 名前 迄"
    " 等 其の 此の 下さる 始める 遣る 相変わらず まだ 引き続き とても 凄い かなり ちょっと 少し 本当 本当に"
    " やはり やっぱり 実は 結構 中々 勿論 普段"
)
BELONGINGS: Final = word_set(
    "パスポート 免許証 スマホ スマートフォン 携帯 部屋 アパート マンション 眼鏡 めがね メガネ 財布 靴 服 腰"
    " 膝 肩 首 目 歯 胃 足 手 髪 体調 体力 フライト 便 自転車 愛犬 愛猫 通帳 口座 鍵 荷物 ロッカー バイク"
    " 車 家 自宅 机 メモ 書類 保険証 印鑑 カメラ 時計 腕時計 カバン かばん バッグ 傘 コート"
    " ギター パソコン タブレット"
)
ALLERGENS: Final = word_set(
    "牛乳 乳製品 ミルク 卵 玉子 たまご そば 蕎麦 小麦 ピーナッツ ナッツ くるみ アーモンド えび"
    " エビ 海老 かに"
    " カニ 蟹 甲殻類 貝 魚 生魚 さば 鯖 肉 豚肉 牛肉 大豆 豆乳 チーズ ヨーグルト グルテン パン 果物 キウイ"
    " マンゴー 桃 メロン バナナ りんご トマト パクチー 納豆 辛いもの 辛い物 甘いもの 甘い物"
    " 生もの 生物 コーヒー お酒 アルコール"
    " カフェイン 犬 猫 花粉"
)
CAR_MAKES: Final = word_set(
    "トヨタ ホンダ 日産 マツダ スバル スズキ ダイハツ レクサス テスラ ベンツ ボルボ アウディ プジョー"
    " ワーゲン プリウス フィット アクア ヤリス カローラ ミニクーパー ジムニー"
)
NO_CARS: Final = word_set("電車 自転車 列車 汽車 馬車 三輪車 乳母車 バス 飛行機 新幹線 地下鉄 タクシー 船 馬")
