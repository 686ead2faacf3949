"""A deployment that wants secrets kept: its setting reaches every route that stores text."""

from __future__ import annotations

from http_api import opened_api

CARD = "4539148803436467"


def test_secrets_stay_where_the_deployment_says_so() -> None:
    with opened_api(COGNIS_MASK_SECRETS="false") as api:
        event = api.tell("kept", f"My card is {CARD}.")
        (operation,) = event["operations"]
        path = f"/v1/memories/{operation['memory_id']}"
        patched = api.patch(path, {"user_id": "kept", "content": f"The card was {CARD}"})

    assert event["notices"] == []
    assert CARD in operation["memory"]
    assert patched.json["memory"] == f"The card was {CARD}"
