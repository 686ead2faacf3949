import pytest
from hypothesis import given
from hypothesis import strategies as st

from cognis_local.models.phrase_vectors import phrases


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("美咲は小学校で音楽を教えている", ["美咲は", "小学校で", "音楽を", "教えている"]),
        ("JR西日本の株を3株買った。", ["JR西日本の", "株を", "3株買った"]),
        ("コーヒーは、もう飲まない", ["コーヒーは", "もう", "飲まない"]),
        ("where does Ana live?", ["where", "does", "Ana", "live"]),
        ("!?", ["!?"]),
        ("", [""]),
    ],
)
def test_cuts_at_particles_and_blanks(text: str, expected: list[str]) -> None:
    assert phrases(text) == expected


@given(st.text(max_size=300))
def test_no_letter_is_lost_or_invented(text: str) -> None:
    kept = "".join(phrases(text))
    letters = "".join(character for character in text if character.isalnum())
    assert "".join(character for character in kept if character.isalnum()) == letters
