"""How what a verification found is shown."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any, Final

from cognis_memory.services.verification import OwnerDifferences, Verification

_SHOWN: Final = 20
"""Users named one by one."""

_KINDS: Final = ("missing", "stale", "orphaned", "altered")


def describe(found: Verification) -> str:
    """As text, with counts and the first users who differ."""
    lines = [
        f"{found.owners:,} users, {found.documents:,} documents compared, {found.pending:,} of them pending;"
        f" {found.sampled:,} by all their fields."
    ]
    if found.repaired:
        lines.append(f"{found.repaired:,} users are repaired.")
    lines += [_of_owner(each) for each in found.differences[:_SHOWN]]
    if len(found.differences) > _SHOWN:
        lines.append(f"and {len(found.differences) - _SHOWN:,} users more.")
    if found.unknown:
        lines.append(f"{len(found.unknown):,} users are in the index and not in the ledger.")
    lines.append("Index and ledger hold the same." if found.clean else "Index and ledger differ.")
    return "\n".join(lines)


def shown(found: Verification) -> dict[str, Any]:
    """As JSON."""
    return asdict(found) | {"clean": found.clean}


def _of_owner(differences: OwnerDifferences) -> str:
    counts = [f"{len(ids)} {kind}" for kind in _KINDS if (ids := getattr(differences, kind))]
    if differences.leftovers:
        counts.append(f"{differences.leftovers} left over")
    if differences.unreadable:
        counts.append(f"cannot be read ({differences.unreadable})")
    return f"{differences.owner.tenant_id} {differences.owner.user_id}: {', '.join(counts)}"
