"""Experiment 2: success over noise and draws."""

from __future__ import annotations

from sparsecone.reproduction.cell import Cell, Row
from sparsecone.reproduction.claims import Outcome
from sparsecone.reproduction.noise import Noise
from sparsecone.reproduction.results import Results
from sparsecone.reproduction.section import Figure
from sparsecone.reproduction.synthetic import EXPERIMENT, OWN, RIVALS, judge

from fabricated import fabricate

SETS = ("two-moon", "three-ring", "three-curve")
LEVELS = (0.5, 1.0, 2.0)


def draw(method: str, reach: float, dataset: str, seed: int, noise: float) -> Row:
    """Return a row in which both are found up to some noise."""
    settings = {"dataset": dataset, "method": method, "seed": seed, "noise": noise}
    row = fabricate(Cell(**settings, n_features=(2,), keep=("selected",)))  # type: ignore[arg-type]
    return {**row, "selected": [1, 0, 5] if noise <= reach else [0, 4, 5]}


def results(reaches: dict[str, float], n_seeds: int = 4) -> Results:
    return Results(
        tuple(
            draw(method, reach, dataset, seed, noise)
            for method, reach in reaches.items()
            for dataset in SETS
            for seed in range(n_seeds)
            for noise in LEVELS
        )
    )


def outcomes(reaches: dict[str, float]) -> list[Outcome]:
    return [verdict.outcome for verdict in judge(results(reaches))]


def test_reproduced_only_where_it_goes_further_than_every_rival() -> None:
    assert outcomes({OWN: 1.0, **dict.fromkeys(RIVALS, 0.5)})[1] is Outcome.REPRODUCED
    one_as_far = {**dict.fromkeys(RIVALS, 0.5), "SPCAFS": 1.0}
    assert outcomes({OWN: 1.0, **one_as_far})[1] is Outcome.NOT_REPRODUCED


def test_without_a_stated_noise_only_limits_are_shown() -> None:
    finds = judge(results({OWN: 1.0, **dict.fromkeys(RIVALS, 0.5)}))[0]
    assert finds.outcome is Outcome.UNTESTABLE
    assert "Two-moon: SPCA-PSD (published) 1, UDFS 0.5" in finds.numbers


def test_one_draw_at_one_level_shows_nothing() -> None:
    row = fabricate(Cell(dataset="two-moon", method=OWN, n_features=(2,), keep=("selected",)))
    assert [v.outcome for v in judge(Results((row,)))] == [Outcome.UNTESTABLE] * 2


def test_rates_limits_and_leads() -> None:
    noise = Noise.of(results({OWN: 1.0, "UDFS": 0.5}))
    rate = noise.rate("two-moon", OWN, 1.0)
    assert rate is not None
    assert (rate.value, rate.error, rate.count) == (1.0, 0.0, 4)
    assert noise.limit("two-moon", OWN) == 1.0
    assert noise.limit("two-moon", "UDFS") == 0.5
    assert noise.leads(OWN, "UDFS") == [1 / 3] * 12
    assert noise.rate("two-moon", "SOGFS", 1.0) is None


def test_the_setting_of_best_accuracy_counts() -> None:
    right, wrong = (draw(OWN, reach, "two-moon", 0, 1.0) for reach in (2.0, 0.0))
    right["scores"][0]["acc_mean"], wrong["scores"][0]["acc_mean"] = 70.0, 60.0
    assert list(Noise.of(Results((wrong, right))).found.values()) == [True]
    right["scores"][0]["acc_mean"] = 50.0
    assert list(Noise.of(Results((wrong, right))).found.values()) == [False]


def test_curves_of_success_are_drawn() -> None:
    section = EXPERIMENT.section(results({OWN: 1.0, "UDFS": 0.5}))
    assert "2_noise" in [block.name for block in section.blocks if isinstance(block, Figure)]
