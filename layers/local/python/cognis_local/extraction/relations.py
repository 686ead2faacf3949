"""Relations by the English names that subjects use in both languages ("User's girlfriend")."""

from __future__ import annotations

from typing import Final

from cognis_local.extraction.patterns import word_set

PARTNERS: Final = word_set("girlfriend boyfriend partner fiance wife husband spouse")
ONE_OF_A_KIND: Final = (
    PARTNERS
    | word_set(
        "mother father boss manager supervisor landlord landlady doctor dentist therapist lawyer accountant"
        " nanny coach mentor trainer"
    )
    | {"homeroom teacher"}
)
"""Relations that one person fills at a time: another name is somebody else in their place."""


def relation_in(subject: str) -> str:
    """The last relation of a subject: "girlfriend" of "User's girlfriend"; the subject where it has none."""
    return subject.rpartition("'s ")[2]
