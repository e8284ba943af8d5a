"""Random problems against the certificate: `make attack`.

    PYTHONPATH=tests python benchmarks/campaign.py [CASES] [--first SEED]

Every case is fitted through the public selectors and judged by the objective in extended precision
(`tests/attack`). What is broken is printed as it is found, with the seed that draws it again; then
a table of all verdicts. The exit code is 1 if anything is broken.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable

from attack.cases import Case, draw
from attack.judge import Judgement, Verdict, judge
from attack.objective import IS_EXTENDED

GROUPS: dict[str, Callable[[Case], str]] = {
    "model": lambda case: case.model,
    "kind": lambda case: case.kind,
    "solver": lambda case: case.solver,
}
SLOWEST = 5


def judged(seeds: Iterable[int]) -> list[Judgement]:
    """Judge the cases of some seeds, and print what is broken."""
    found = []
    for seed in seeds:
        judgement = judge(draw(seed))
        found.append(judgement)
        if judgement.verdict.is_failure:
            print(judgement, flush=True)
    return found


def print_table(judgements: list[Judgement]) -> None:
    """Print how often each verdict was given, for each model, kind of data and solver."""
    print(f"\n{'':20s}" + "".join(f"{verdict:>17s}" for verdict in Verdict))
    print_row("all", judgements)
    for title, group_of in GROUPS.items():
        print(title)
        for name in sorted({group_of(judgement.case) for judgement in judgements}):
            print_row(f"  {name}", [j for j in judgements if group_of(j.case) == name])


def print_row(name: str, judgements: list[Judgement]) -> None:
    counts = Counter(judgement.verdict for judgement in judgements)
    print(f"{name:20s}" + "".join(f"{counts[verdict]:17d}" for verdict in Verdict))


def print_seeds(judgements: list[Judgement]) -> None:
    """Print the seeds that broke something, the worst last."""
    for verdict in Verdict:
        seeds = [str(j.case.seed) for j in judgements if j.verdict is verdict]
        if seeds and verdict.is_failure:
            print(f"\n{verdict}: {' '.join(seeds)}")


def main() -> int:
    parser = argparse.ArgumentParser(description="Random problems against the certificate.")
    parser.add_argument("cases", nargs="?", type=int, default=10_000, help="how many")
    parser.add_argument("--first", type=int, default=0, help="the seed of the first")
    options = parser.parse_args()
    if not IS_EXTENDED:
        print("This machine has no numbers longer than doubles to judge by.", file=sys.stderr)
        return 2
    start = time.perf_counter()
    judgements = judged(range(options.first, options.first + options.cases))
    print_seeds(judgements)
    print_table(judgements)
    slowest = sorted(judgements, key=lambda judgement: -judgement.seconds)[:SLOWEST]
    times = ", ".join(f"{judgement.case.seed} ({judgement.seconds:.1f} s)" for judgement in slowest)
    print(f"\n{time.perf_counter() - start:.0f} s; the slowest: {times}")
    return int(any(judgement.verdict.is_failure for judgement in judgements))


if __name__ == "__main__":
    sys.exit(main())
