"""The parts that the page opens with: claim by claim, data and protocol, where rows come from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from .claims import verdict_table
from .experiment import Section
from .protocol import (
    absent_sentences,
    cells_table,
    coverage_table,
    data_table,
    protocol_table,
    reasons_table,
)
from .provenance import provenance_table
from .results import Results
from .section import Block

#: The experiment that compares all methods.
COMPARED = 3


def opening(results: Mapping[int, Results], sections: Sequence[Section]) -> list[Section]:
    """Return the parts before the experiments, from what these say."""
    verdicts = sorted(
        (verdict for section in sections for verdict in section.verdicts),
        key=lambda verdict: verdict.where,
    )
    rows = {row["key"]: row for each in results.values() for row in each.rows}
    others = {row["key"]: row for each in results.values() for row in each.left_out}
    left_out = [row for key, row in others.items() if key not in rows]
    claims = (
        "Every test is code, and was fixed before these rows were looked at; a test that was not "
        "says so. A claim about all data sets is tested over the paper's own data sets that can be "
        "had; colon and warpPIE10P, which are not the paper's, have numbers but no part in a "
        "verdict. The level is 5 %.",
        verdict_table(verdicts),
    )
    protocol: tuple[Block, ...] = (
        data_table(results),
        protocol_table(results),
        cells_table(results),
        *([coverage_table(results[COMPARED])] if COMPARED in results else []),
        *reasons_table(results),
        *absent_sentences(results),
    )
    return [
        Section(0, "Claim by claim", (), claims),
        Section(0, "Data and protocol", (), protocol),
        Section(0, "Provenance", (), (provenance_table(rows.values(), left_out),)),
    ]
