import pytest
from hypothesis import given
from hypothesis import strategies as st

from cognis_local.models.script import is_latin, other_script_share


@pytest.mark.parametrize(
    ("text", "latin"),
    [
        ("Where does Ana live?", True),
        ("Où habite Ana ? À l’île d’Yeu.", True),
        ("2026-07-15, 18:30", True),
        ("", True),
        ("東京に住んでいます", False),
        ("PythonとRustを仕事で使っている", False),
        ("서울에 살아요", False),
        ("Она живёт в Осаке", False),
    ],
)
def test_tells_the_script(text: str, latin: bool) -> None:
    assert is_latin(text) is latin


@given(st.text())
def test_share_is_within_bounds_and_saturates_at_half(text: str) -> None:
    share = other_script_share(text)
    assert 0.0 <= share <= 1.0
    assert other_script_share(text + "あ" * (len(text) + 1)) >= share


@given(st.text(alphabet=st.characters(max_codepoint=0x7F)))
def test_ascii_is_latin(text: str) -> None:
    assert other_script_share(text) == 0.0


def test_a_foreign_name_does_not_change_the_script() -> None:
    assert is_latin("My friend 美咲 from university teaches music at a primary school")
