"""Payload keys keep users apart and name nobody (invariants 9 and 10)."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from cognis_memory.models.values import Owner
from cognis_memory.services.payload_keys import owner_prefix, payload_prefix, request_key

IDS = st.text(min_size=1, max_size=20)
OWNERS = st.builds(Owner, IDS, IDS)


@given(OWNERS, OWNERS)
def test_two_owners_share_no_prefix(one: Owner, other: Owner) -> None:
    assert (owner_prefix(one) == owner_prefix(other)) == (one == other)


@given(st.text(min_size=2, max_size=20), st.data())
def test_where_the_tenant_ends_counts(text: str, data: st.DataObject) -> None:
    cuts = data.draw(st.lists(st.integers(1, len(text) - 1), min_size=1, unique=True))
    prefixes = {owner_prefix(Owner(text[:cut], text[cut:])) for cut in cuts}

    assert len(prefixes) == len(cuts)


@given(st.text(alphabet="klmnopqrstuvwxyz@-", min_size=2))
def test_keys_lie_under_their_prefix_and_show_no_id(user: str) -> None:
    owner = Owner("acme", user)
    key = request_key(owner, "evt_1")

    assert key.startswith(payload_prefix(owner, "evt_1"))
    assert payload_prefix(owner, "evt_1").startswith(owner_prefix(owner))
    assert owner_prefix(owner).endswith("/")
    assert user not in owner_prefix(owner)
