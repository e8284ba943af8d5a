"""Names as they are shown."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from sparsecone.charts.names import shortened


@given(name=st.text(), longest=st.integers(2, 50))
def test_shown_names_are_short_visible_and_never_empty(name: str, longest: int) -> None:
    shown = shortened(name, longest)
    assert 0 < len(shown) <= max(longest, len("(no name)"))
    assert all(c.isprintable() or c == "\u200d" for c in shown)
    shown.encode("utf-8")
