"""Times: medians of repetitions, limits, and what never counts."""

from __future__ import annotations

from sparsecone.reproduction.cell import Cell, Row
from sparsecone.reproduction.claims import Outcome
from sparsecone.reproduction.measure import failed_row
from sparsecone.reproduction.results import Results
from sparsecone.reproduction.running_time import RIVALS, judge
from sparsecone.reproduction.timings import Timing

from fabricated import fabricate

OWN = "SPCA-PSD (published)"


def cell(method: str, *, repeats: int = 5) -> Cell:
    return Cell(dataset="usps", method=method, n_runs=0, repeats=repeats)


def timed(method: str, seconds: float, *, n_iter: int = 20) -> Row:
    return {**fabricate(cell(method)), "seconds": seconds, "n_iter": n_iter}


def test_times_under_load_are_never_taken() -> None:
    alone, loaded = fabricate(cell(OWN)), fabricate(cell(OWN, repeats=1))
    assert Timing.of(Results((loaded,)), "usps", OWN) is None
    found = Timing.of(Results((loaded, alone)), "usps", OWN)
    assert found == Timing(0.5, 3, n_iter=20)
    assert Results((alone,)).where() == []
    busy = {**alone, "machine": {**alone["machine"], "load": 6.7}}
    assert Timing.of(Results((busy,)), "usps", OWN) is None


def test_a_limit_is_a_lower_bound() -> None:
    reason = "TimeoutError: not done within 60 seconds of CPU time"
    bound = Timing.of(Results((failed_row(cell("SOGFS"), reason),)), "usps", "SOGFS")
    assert bound is not None
    assert (bound.seconds, bound.is_bound, str(bound)) == (60.0, True, "> 60.00")
    short, long = Timing(1.0, 3), Timing(90.0, 3)
    assert short.is_less(bound) is True
    assert bound.is_less(short) is False
    assert long.is_less(bound) is bound.is_less(long) is None
    other = failed_row(cell("SOGFS"), "ValueError: odd")
    assert Timing.of(Results((other,)), "usps", "SOGFS") is None


def test_the_fastest_must_be_faster_than_every_rival() -> None:
    slow = [timed(name, 2.0) for name in RIVALS]
    assert judge(Results((timed(OWN, 1.0), *slow)))[0].outcome is Outcome.REPRODUCED
    fast = [timed(OWN, 1.0), *slow[1:], timed(RIVALS[0], 0.9)]
    verdict = judge(Results(tuple(fast)))[0]
    assert verdict.outcome is Outcome.NOT_REPRODUCED
    assert RIVALS[0] in verdict.numbers
    assert judge(Results((fabricate(cell(OWN, repeats=1)),)))[0].outcome is Outcome.UNTESTABLE


def test_iterations_and_their_time_must_both_be_less() -> None:
    spcafs = timed("SPCAFS", 2.0, n_iter=40)
    for own, expected in (
        (timed(OWN, 0.5), Outcome.REPRODUCED),
        (timed(OWN, 1.5), Outcome.NOT_REPRODUCED),
        (timed(OWN, 0.5, n_iter=50), Outcome.NOT_REPRODUCED),
    ):
        assert judge(Results((own, spcafs)))[1].outcome is expected
