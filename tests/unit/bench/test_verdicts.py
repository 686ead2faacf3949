"""What a judge says, read strictly."""

from __future__ import annotations

import pytest

from qa_bench.verdicts import Verdict, read_label, read_yes_no


@pytest.mark.parametrize(
    ("said", "verdict"),
    [
        ('{"label": "CORRECT"}', Verdict.CORRECT),
        ('{"label": "WRONG"}', Verdict.WRONG),
        ('```json\n{"label": "CORRECT"}\n```', Verdict.CORRECT),
        ('Both name the seventh of May.\n{"label": "CORRECT"}', Verdict.CORRECT),
        ('{"label": "WRONG"} {"label": "WRONG"}', Verdict.WRONG),
        ('{"label": "CORRECT"} or {"label": "WRONG"}', Verdict.UNPARSABLE),
        ('{"label": "CORRECT"} {"label": "MAYBE"}', Verdict.UNPARSABLE),
        ('{"label": "correct"}', Verdict.UNPARSABLE),
        ('{"label": true}', Verdict.UNPARSABLE),
        ('{"verdict": "CORRECT"}', Verdict.UNPARSABLE),
        ("{CORRECT}", Verdict.UNPARSABLE),
        ("CORRECT", Verdict.UNPARSABLE),
        ("", Verdict.UNPARSABLE),
    ],
)
def test_labels(said: str, verdict: Verdict) -> None:
    assert read_label(said) is verdict


@pytest.mark.parametrize(
    ("said", "verdict"),
    [
        ("yes", Verdict.CORRECT),
        ("Yes.", Verdict.CORRECT),
        ("**No**", Verdict.WRONG),
        ("no, the response names another city", Verdict.WRONG),
        ("Yes and no", Verdict.UNPARSABLE),
        ("The response is right: yes", Verdict.UNPARSABLE),
        ("yesterday", Verdict.UNPARSABLE),
        ("はい", Verdict.UNPARSABLE),
        ("", Verdict.UNPARSABLE),
    ],
)
def test_yes_and_no(said: str, verdict: Verdict) -> None:
    assert read_yes_no(said) is verdict
