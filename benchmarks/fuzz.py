"""Hostile files against every reader: `make fuzz`.

    PYTHONPATH=tests python benchmarks/fuzz.py [--minutes 10] [--seed 0] [--keep FOLDER]

Two campaigns of so many minutes each (`tests/fuzzing`). Mutants of small files of every kind are
read one by one, each in a process of its own: it must be read or refused in one line. Crashes and
hangs of native libraries are contained by the process that the command line gives them, and are
counted as such. Then random tables and matrices are read by us and by Python's csv, pandas, SciPy
and anndata, and must agree. The exit code is 1 if anything is broken.
"""

from __future__ import annotations

import argparse
import resource
import shutil
import sys
import tempfile
import time
from collections import Counter
from multiprocessing import get_context
from pathlib import Path
from random import Random

from hypothesis import HealthCheck, given, seed, settings

import sparsecone.files.reading  # noqa: F401  (imported before the first fork)
from sparsecone.datasets import DataFileError, load_file

from fuzzing import differential
from fuzzing.mutations import damaged
from fuzzing.seeds import WRITERS, write_seeds
from fuzzing.verdicts import Verdict, judge

EXAMPLES = 200


def mutate(folder: Path, seconds: float, first: int, keep: Path | None) -> int:
    """Judge mutants for so many seconds; return how many are broken."""
    counts: dict[str, Counter[Verdict]] = {name: Counter() for name in WRITERS}
    chance, end = Random(first), time.monotonic() + seconds
    while time.monotonic() < end:
        for name in WRITERS:
            mutant = folder / f"mutant{name}"
            mutant.write_bytes(damaged((folder / name).read_bytes(), chance))
            judged = judge(mutant)
            counts[name][judged.verdict] += 1
            if judged.verdict is Verdict.CONTAINED and counts[name][judged.verdict] == 1:
                _check_contained(mutant, judged.reason)
            if judged.verdict is Verdict.BROKEN:
                number = counts[name][judged.verdict]
                print(f"\n{name}, number {number}: {judged.reason}", flush=True)
                if keep is not None:
                    shutil.copy(mutant, keep / f"{number}-{name}")
    print(f"{'mutants of':15s}" + "".join(f"{verdict:>11s}" for verdict in Verdict))
    for name, count in counts.items():
        print(f"{name:15s}" + "".join(f"{count[verdict]:11d}" for verdict in Verdict))
    total = sum(counts.values(), Counter())
    print(f"{'all':15s}" + "".join(f"{total[verdict]:11d}" for verdict in Verdict))
    return total[Verdict.BROKEN]


def _check_contained(mutant: Path, reason: str) -> None:
    """Read a file that crashes or hangs as the command line does, which must be an error."""
    try:
        load_file(mutant, isolated=True, max_seconds=20.0)
    except DataFileError as error:
        print(f"{mutant.name} ({reason}) is contained: {str(error)[:160]}", flush=True)


def compare(folder: Path, seconds: float, first: int) -> int:
    """Compare with other readers for so many seconds; return how many cases there were."""
    end, n_cases = time.monotonic() + seconds, 0
    checks = settings(
        max_examples=EXAMPLES,
        deadline=None,
        database=None,
        suppress_health_check=list(HealthCheck),
    )
    kinds = ("csr", "csc", "bsr", "coo")
    while time.monotonic() < end:
        first += 1

        @seed(first)
        @checks
        @given(text=differential.texts(), matrix=differential.MATRICES)
        def agree(text, matrix):  # type: ignore[no-untyped-def]
            nonlocal n_cases
            n_cases += 1
            differential.check_text(folder / "d.csv", *text)
            if n_cases % 4 == 0:
                drawn = differential.drawn(matrix)
                differential.check_arrays(folder, drawn, kinds[n_cases // 4 % len(kinds)])

        agree()
    return n_cases


def main() -> int:
    """Run both campaigns, and print what there is to know."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--minutes", type=float, default=10.0, help="of each campaign")
    options.add_argument("--seed", type=int, default=0)
    options.add_argument("--keep", type=Path, help="folder for what is broken")
    given_options = options.parse_args()
    seconds, first = 60.0 * given_options.minutes, given_options.seed
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        # The threads of polars do not survive a fork: what it writes is written elsewhere.
        with get_context("spawn").Pool(1) as pool:
            pool.apply(write_seeds, (folder,))
        started = time.monotonic()
        broken = mutate(folder, seconds, first, given_options.keep)
        between = time.monotonic()
        n_cases = compare(folder, seconds, first)
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    print(f"{between - started:.0f} s of mutants, peak memory of a reader {peak:.0f} MB")
    print(f"{n_cases} files agree with csv, pandas, SciPy and anndata")
    return int(broken > 0)


if __name__ == "__main__":
    sys.exit(main())
