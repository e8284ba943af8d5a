"""`sparsecone reproduce --verify`: finished cells once more."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from .console import say

if TYPE_CHECKING:
    from ..reproduction.plan import ExperimentPlan


def run_again(plans: Iterable[ExperimentPlan], path: Path, count: int) -> None:
    """Run some cells of plans again, and say how each came out; a ValueError if one differs."""
    from ..reproduction.verify import verify

    checks = []
    for check in verify(plans, path, count):
        settings = ", ".join(f"{name} = {value}" for name, value in check.cell.parameters.items())
        where = f"{check.cell.dataset}, {check.cell.method}" + (f", {settings}" if settings else "")
        if check.differences:
            say(f"DIFFERS: {where} (row {check.cell.key})", style="red")
            for difference in check.differences:
                say(f"  {difference}")
        else:
            say(f"the same: {where}")
        checks.append(check)
    n_different = sum(bool(check.differences) for check in checks)
    if n_different:
        raise ValueError(
            f"{n_different} of {len(checks)} cells came out otherwise than their rows."
        )
    say(f"All {len(checks)} cells came out as their rows say.")
