"""How many small mistakes in the source the tests see: `make mutants`.

    python benchmarks/mutants.py [--rooms model] [--sample 50] [--seed 0] [--maps FOLDER]

Of all mutations of a room (`mutations.py`) a random sample is put into a copy of the source, one at
a time, and the tests of the room that reach its line are run until one fails: the fastest first,
and no more of them than take a minute. A mutant is killed by a failing test, or by one that takes
three times the seconds it takes without it, and five more; what is late by the clock on the wall is
not judged. The survivors are listed. Which tests reach a line is found in one run of them beneath
coverage; `--maps` keeps that for the next time.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from itertools import accumulate
from multiprocessing import get_context
from pathlib import Path
from random import Random
from typing import NamedTuple
from xml.etree import ElementTree as ET

from mutations import Mutation, mutations

ROOT = Path(__file__).parents[1]
# The room's own tests, and those of others that show what a model or a bound is.
TESTS = {
    "model": ("tests/model", "tests/solve"),
    "certificate": ("tests/certificate", "tests/solve"),
    "selectors": ("tests/selectors",),
    "files": ("tests/files", "tests/cli/test_bad_files.py"),
}
# Packages that every mutant needs and none changes: imported once, before the first fork.
HEAVY = ("numpy", "pytest", "scipy.sparse.linalg", "sklearn.utils.estimator_checks")
PYTEST = ("-q", "-p", "no:cacheprovider", "-p", "no:xdist")
CONTEXTS = "[run]\nsource_pkgs = sparsecone\ndynamic_context = test_function\n"
SECONDS_OF_TESTS = 60.0
# Processor seconds that any test may take, and how many times its own besides.
LEAST, PATIENCE = 5.0, 3.0


class Test(NamedTuple):
    """A test, and the seconds that all its cases take."""

    name: str
    seconds: float


class Room:
    """The tests of a room, and which of them reach a line.

    Parameters
    ----------
    name : str
        The room.
    copy : Path
        The folder with the copy of the source.
    maps : Path
        The folder for what the tests reach.
    """

    def __init__(self, name: str, copy: Path, maps: Path) -> None:
        self.copy = copy
        report, lines = maps / f"{name}.xml", maps / f"{name}.json"
        if not lines.exists():
            _map(name, copy, report, lines)
        seconds: dict[tuple[str, str], float] = defaultdict(float)
        for case in ET.parse(report).iter("testcase"):
            function = case.get("name", "").partition("[")[0]
            seconds[case.get("classname", ""), function] += float(case.get("time", 0.0))
        self.known = {
            f"{module}.{function}": Test(f"{module.replace('.', '/')}.py::{function}", time)
            for (module, function), time in seconds.items()
        }
        self.reached = {
            path.rpartition("sparsecone/")[2]: file["contexts"]
            for path, file in json.loads(lines.read_text())["files"].items()
        }

    def tests(self, path: Path, line: int) -> list[Test]:
        """Return the tests that reach a line, or all if it runs on import or in another process."""
        file = str(path.relative_to(self.copy / "sparsecone"))
        names = set(self.reached.get(file, {}).get(str(line), [""]))
        found = [test for name, test in self.known.items() if "" in names or name in names]
        found.sort(key=lambda test: test.seconds)
        spent = accumulate(test.seconds for test in found)
        return [test for test, sum_ in zip(found, spent, strict=True) if sum_ < SECONDS_OF_TESTS]


def _map(name: str, copy: Path, report: Path, lines: Path) -> None:
    """Write the seconds of all tests of a room, and the tests of all lines."""
    settings, data = report.with_suffix(".ini"), report.with_suffix(".coverage")
    settings.write_text(CONTEXTS)
    coverage = (sys.executable, "-m", "coverage")
    options = (f"--rcfile={settings}", f"--data-file={data}")
    pytest = ("-m", "pytest", *PYTEST, f"--junit-xml={report}", *TESTS[name])
    run = (*coverage, "run", *options, *pytest)
    subprocess.run(run, cwd=ROOT, env=environment(copy), stdout=subprocess.DEVNULL, check=True)
    write = (*coverage, "json", "-q", *options, "--show-contexts", "-o", lines)
    subprocess.run(write, cwd=ROOT, check=True)


def environment(copy: Path) -> dict[str, str]:
    """Return the environment of tests that see the copy of the source."""
    added = {"PYTHONPATH": str(copy), "PYTHONDONTWRITEBYTECODE": "1"}
    return os.environ | added | {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}


class Clock:
    """Ends the process that a test keeps busy for too long."""

    def __init__(self, tests: list[Test]) -> None:
        self.seconds = {test.name: test.seconds for test in tests}

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        """Begin to count."""
        self.wind(self.seconds.get(nodeid.partition("[")[0], 0.0))

    def wind(self, seconds: float) -> None:
        """Let the system end this process after that much more processor time than usual."""
        signal.setitimer(signal.ITIMER_PROF, LEAST + PATIENCE * seconds)


def run_tests(copy: Path, tests: list[Test]) -> None:
    """Run tests until one fails; the exit code says whether one did."""
    import pytest

    silent = os.open(os.devnull, os.O_WRONLY)
    for stream in (1, 2):
        os.dup2(silent, stream)
    os.environ.update(environment(copy))
    sys.dont_write_bytecode = True
    sys.path[:] = [str(copy), *(path for path in sys.path if Path(path) != ROOT / "src")]
    clock = Clock(tests)
    # What is imported counts too.
    clock.wind(SECONDS_OF_TESTS)
    os._exit(int(pytest.main([*PYTEST, "-x", *(test.name for test in tests)], plugins=[clock])))


def fate(room: Room, path: Path, mutation: Mutation) -> str:
    """Return whether a mutant was killed, and by what."""
    tests = room.tests(path, mutation.line)
    source = path.read_bytes()
    path.write_bytes(mutation.applied(source))
    try:
        process = get_context("fork").Process(target=run_tests, args=(room.copy, tests))
        process.start()
        # A test that waits for ever takes no processor time; nor does one on a machine too busy.
        process.join(timeout=10.0 * (SECONDS_OF_TESTS + LEAST))
        if process.is_alive():
            process.kill()
            process.join()
            return "late"
        return {0: "survived", 1: "killed", 2: "killed"}.get(process.exitcode or 0, "endless")
    finally:
        path.write_bytes(source)


def examine(name: str, room: Room, size: int, seed: int) -> Counter[str]:
    """Try a sample of the mutants of a room; say which survive."""
    copy = room.copy
    everything = [
        (path, mutation)
        for path in sorted((copy / "sparsecone" / name).rglob("*.py"))
        for mutation in mutations(path.read_bytes())
    ]
    chosen = sorted(Random(seed).sample(everything, min(size, len(everything))))
    path, first = chosen[0]
    if fate(room, path, first._replace(end=first.start, text="")) != "survived":
        sys.exit(f"The tests of {name} fail without a mutation.")
    fates: Counter[str] = Counter()
    for path, mutation in chosen:
        fates[found := fate(room, path, mutation)] += 1
        if found == "survived":
            line = path.read_text().splitlines()[mutation.line - 1].strip()
            piece = path.read_bytes()[mutation.start : mutation.end].decode()
            place = f"{path.relative_to(copy)}:{mutation.line}"
            print(f"{place}: {piece!r} -> {mutation.text!r} in {line}", flush=True)
    judged = len(chosen) - fates["late"]
    part = 1.0 - fates["survived"] / max(judged, 1)
    print(f"{name}: {judged} of {len(everything)}, {part:.1%} killed {dict(fates)}", flush=True)
    return fates


def main() -> None:
    """Examine the rooms one after another."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--rooms", nargs="+", default=list(TESTS), choices=list(TESTS))
    options.add_argument("--sample", type=int, default=50, help="mutants of each room")
    options.add_argument("--seed", type=int, default=0)
    options.add_argument("--maps", type=Path, help="folder that keeps what the tests reach")
    given = options.parse_args()
    os.chdir(ROOT)
    for package in HEAVY:
        __import__(package)
    total: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as name:
        copy, maps = Path(name).resolve() / "src", given.maps or Path(name)
        maps.mkdir(exist_ok=True)
        shutil.copytree(ROOT / "src", copy, ignore=shutil.ignore_patterns("__pycache__"))
        for room in given.rooms:
            total += examine(room, Room(room, copy, maps), given.sample, given.seed)
    print(f"all: {dict(total)}")


if __name__ == "__main__":
    main()
