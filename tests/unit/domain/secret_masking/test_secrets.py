"""Each kind of secret is masked in English and Japanese, and what only looks like one is not."""

from __future__ import annotations

import pytest

from cognis_memory.domain.secrets import mask_secrets

from .builders import full_width, in_groups, web_token, with_luhn, with_my_number_check

CARD = with_luhn("453914880343646")
MY_NUMBER = with_my_number_check("12345678901")
KEY = "-----BEGIN RSA PRIVATE KEY-----\nMIIEowIBAAKCAQEA1x\n-----END RSA PRIVATE KEY-----"
RANDOM = "q7Zp2Lk9Xw4Rt6Yb1Nc8Vd3Fg5Hj0M"


def test_luhn_agrees_with_known_numbers() -> None:
    """The numbers that payment services publish for tests."""
    for number in ("4111111111111111", "5555555555554444", "378282246310005", "30569309025904"):
        assert mask_secrets(number) == "[card number]"


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        (f"My card is {CARD}.", "My card is [card number]."),
        (f"Pay with {in_groups(CARD, ' ')} 04/29", "Pay with [card number] 04/29"),
        (f"card {in_groups(CARD, ' - ')}", "card [card number]"),
        (f"カードは{CARD}です。", "カードは[card number]です。"),
        (f"カードは{full_width(CARD)}です。", "カードは[card number]です。"),
        (f"カードは{in_groups(CARD, '　')}です。", "カードは[card number]です。"),
        (f"since 2024 {in_groups(CARD, ' ')} 123", "since 2024 [card number]"),
        (f"credit card no {with_luhn('123456781234567')}", "credit card no [card number]"),
        (f"マイナンバーは{MY_NUMBER}です。", "マイナンバーは[My Number]です。"),
        (f"{in_groups(MY_NUMBER, '-')}が個人番号です。", "[My Number]が個人番号です。"),
        (f"My My Number is {full_width(MY_NUMBER)}", "My My Number is [My Number]"),
        ("My SSN is 536-22-1849.", "My SSN is [SSN]."),
        ("米国のSSN 536221849 です", "米国のSSN [SSN] です"),
        ("It was 536-22-1849", "It was [SSN]"),
        (f"Here:\n{KEY}\nkeep it", "Here:\n[private key]\nkeep it"),
        (KEY.replace("\n", "\\n"), "[private key]"),
        (KEY.rsplit("\n", 1)[0], "[private key]"),
        (f"{KEY}ghp_{RANDOM}", "[private key][access token]"),
        ("my key id AKIA" + "IOSFODNN7EXAMPLE", "my key id [access token]"),
        (f"aws_secret_access_key = {RANDOM}", "aws_secret_access_key = [access token]"),
        (f"GitHubのトークンはghp_{RANDOM}です", "GitHubのトークンは[access token]です"),
        (f"Authorization: Bearer {RANDOM}", "Authorization: Bearer [access token]"),
        (f"セッションは{web_token()}でした", "セッションは[access token]でした"),
        (f"postgres://ana:{RANDOM}@db:5432/app", "postgres://ana:[access token]@db:5432/app"),
        ("postgres://ana:s3cr3t@db:5432/app", "postgres://ana:****@db:5432/app"),
        (f"APIキー：{RANDOM}", "APIキー：[access token]"),
        ("My password is hunter2.", "My password is ****."),
        ("password: swordfish", "password: ****"),
        ("I changed my password to Winter2026!", "I changed my password to ****"),
        ("The password to my bank is hunter2", "The password to my bank is ****"),
        ("hunter2 is my password", "**** is my password"),
        ("My PIN is 4821.", "My PIN is ****."),
        ("パスワードはhunter2です。", "パスワードは****です。"),
        ("パスワードは「さくら123」です。", "パスワードは「****」です。"),
        ("パスワードは、ｈｕｎｔｅｒ２です。", "パスワードは、****です。"),
        ("暗証番号は4821です。", "暗証番号は****です。"),
        ("暗証番号：４８２１", "暗証番号：****"),
    ],
)
def test_secrets_are_masked_and_the_rest_stays(text: str, masked: str) -> None:
    assert mask_secrets(text) == masked


@pytest.mark.parametrize(
    "text",
    [
        f"My order is {CARD[:-1]}{(int(CARD[-1]) + 1) % 10}.",
        f"The commit is a{CARD} and the ratio 0.{CARD}",
        "The timestamp was 1752570000000.",
        f"The parcel {MY_NUMBER} arrived.",
        "My number is 090-1234-5678.",
        f"マイナンバーの例 {MY_NUMBER[:-1]}{(int(MY_NUMBER[-1]) + 3) % 10} は違います。",
        "Part no. 123-45-6789 fits.",
        "品番は123-45-6789です。",
        "666-12-3456, 000-12-3456, 900-12-3456, 123-00-4567 and 123-45-0000",
        "-----BEGIN PUBLIC KEY-----\nMFwwDQYJKoZIhvcNAQEBBQAD\n-----END PUBLIC KEY-----",
        "My commit was 3f2a9c1b7d8e4f5061728394a5b6c7d8e9f0a1b2.",
        "I use sk-learn-contrib-extension-tools-for-python.",
        "She is the bearer of good news and tokens of love.",
        "My password is too long to remember.",
        "My password is stored in 1Password.",
        "The password is case-sensitive.",
        "Password: (hidden)",
        "I pass 3 bakeries on my way to work.",
        "パスワードは1Passwordで管理しています。",
        "パスワードは変更しました。",
        "暗証番号は4桁です。",
        "コンパス：123abc",
    ],
)
def test_look_alikes_stay(text: str) -> None:
    assert mask_secrets(text) == text


@pytest.mark.parametrize(
    ("asked", "text", "masked"),
    [
        ("What is your social security number?", "536221849", "[SSN]"),
        ("マイナンバーを教えてください。", f"{MY_NUMBER}です", "[My Number]です"),
    ],
)
def test_a_question_tells_what_the_answer_is(asked: str, text: str, masked: str) -> None:
    assert mask_secrets(text, asked) == masked
    assert mask_secrets(text) == text
