"""Methods that stand in one figure look different, in grey too."""

from __future__ import annotations

from itertools import combinations

import pytest

from sparsecone.reproduction.methods import METHODS
from sparsecone.reproduction.observations import COMPARED
from sparsecone.reproduction.styles import style_of


@pytest.mark.parametrize(("first", "second"), [*combinations(COMPARED, 2)])
def test_no_two_of_the_papers_methods_share_a_marker_or_colour_and_dash(
    first: str, second: str
) -> None:
    a, b = style_of(first), style_of(second)
    assert a.marker != b.marker
    assert (a.colour, a.dash) != (b.colour, b.dash)


def test_all_methods_have_a_style() -> None:
    styles = {style_of(name) for name in METHODS}
    assert len(styles) >= len(METHODS) - 2
