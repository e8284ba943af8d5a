"""Long runs with faults: `make soak`.

    python benchmarks/soak.py [--minutes 30] [--seed 0]

`reproduce` and `select` run again and again, and are killed at random (SIGKILL, SIGTERM, Ctrl-C),
started two at once, given a full disk and damaged files, and lose a process of their cluster.
After every fault: no row is lost, doubled or torn, every output is the old one or the new one as a
whole, and no draft is left after the next run. The exit code is 1 if anything is not so.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import polars as pl

SIGNALS = (signal.SIGKILL, signal.SIGTERM, signal.SIGINT)
N_CELLS = 60
# How many times what an undisturbed run of a cluster takes the machine may need for one that loses
# a process, before that is called a hang; the load of the machine may change meanwhile.
PATIENCE = 20.0
PLAN = f"""
[[runs]]
datasets = ["digits"]
methods = ["Random subset"]
seeds = {list(range(N_CELLS))}
n_features = [10]
n_runs = 3
"""
# A process that was started from a shell's background ignores Ctrl-C; one that hangs can be asked
# where.
COMMAND = (
    "import faulthandler, signal; faulthandler.register(signal.SIGUSR1); "
    "signal.signal(signal.SIGINT, signal.default_int_handler); "
    "from sparsecone.cli import main; main()"
)


def start(*arguments: object, full: bool = False) -> subprocess.Popen[str]:
    """Start the command, perhaps on a disk that takes no more than a few kilobytes."""

    def fill() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (2000, 2000))

    return subprocess.Popen(
        [sys.executable, "-c", COMMAND, *map(str, arguments)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=fill if full else None,
    )


def children(process: int) -> list[int]:
    """Return the processes that the threads of a process have started, where the system tells."""
    found: list[int] = []
    for listed in Path(f"/proc/{process}/task").glob("*/children"):
        with suppress(OSError):
            found += map(int, listed.read_text().split())
    return found


def require(holds: bool, what: str) -> None:
    """Say what does not hold, and end."""
    if not holds:
        sys.exit(f"BROKEN: {what}")


class Reproducing:
    """Rows of a plan that grow over many runs."""

    def __init__(self, folder: Path, chance: Random, usual: float) -> None:
        self.folder, self.chance, self.usual = folder, chance, usual
        self.out, self.plan = folder / "results", folder / "plan.toml"
        self.plan.write_text(PLAN)
        self.rows: dict[str, Any] = {}
        self.n_finished = self.n_rows = 0

    def start(self) -> subprocess.Popen[str]:
        """Start or continue the run."""
        jobs = self.chance.choice((1, 2))
        return start("reproduce", 3, "--plan", self.plan, "--out", self.out, "--jobs", jobs)

    def check(self) -> None:
        """See that all earlier rows are there as they were, each once."""
        path = self.out / "rows.jsonl"
        content = path.read_bytes() if path.exists() else b""
        lines = content[: content.rfind(b"\n") + 1].splitlines()
        # Other lines say what rows have in common; a row that failed gives way to a later one.
        kept = [row for row in map(json.loads, lines) if "key" in row]
        found = [row for row in kept if row.get("status") != "failed"]
        rows = {row["key"]: row for row in found}
        require(len(rows) == len(found), "a row is there twice")
        require(all(rows.get(key) == row for key, row in self.rows.items()), "a row was lost")
        self.n_rows += len(rows) - len(self.rows)
        self.rows = rows
        page = self.out / "results.html"
        whole = not page.exists() or page.read_text().rstrip().endswith("</html>")
        require(whole, "the page of results is torn")

    def killed(self) -> str:
        """Kill a run at any moment."""
        process, number = self.start(), self.chance.choice(SIGNALS)
        end_with(process, number, self.chance.uniform(0.3, 4.0) * self.usual)
        self.check()
        self._begin_anew()
        return f"reproduce, {number.name}"

    def twice(self) -> str:
        """Start two runs at once: one of them is refused."""
        pair = [self.start(), self.start()]
        end_with(pair[0], signal.SIGKILL, self.chance.uniform(1.0, 4.0) * self.usual)
        end_with(pair[1], signal.SIGTERM, 0.0)
        self.check()
        self._begin_anew()
        return "reproduce, two at once"

    def _begin_anew(self) -> None:
        if len(self.rows) == N_CELLS:
            code = self.start().wait(timeout=300)
            require(code == 0, f"a finished plan ended with {code}")
            self.check()
            require(no_drafts(self.out), "a draft is left in the results")
            (self.out / "rows.jsonl").unlink()
            self.rows, self.n_finished = {}, self.n_finished + 1


class Selecting:
    """Outputs of a selection that are written over and over."""

    def __init__(self, folder: Path, chance: Random) -> None:
        self.folder, self.chance = folder, chance
        X = np.random.default_rng(0).normal(size=(300, 20)) * np.arange(1, 21)
        self.tables = [folder / "d.csv", folder / "d.parquet"]
        frame = pl.DataFrame(X, schema=[f"x{index}" for index in range(20)])
        frame.write_csv(self.tables[0])
        frame.write_parquet(self.tables[1])
        self.damaged = folder / "damaged.parquet"
        self.damaged.write_bytes(self.tables[1].read_bytes()[:-40])
        self.ranking, self.model, self.page = (
            folder / name for name in ("ranking.csv", "model.json", "page.html")
        )
        started = time.monotonic()
        require(self.start(self.tables[0]).wait(timeout=300) == 0, "the first run failed")
        # Seconds of a run on this machine as busy as it is: when to kill others.
        self.usual = time.monotonic() - started
        self.expected = self.ranking.read_bytes()
        self.other = folder / "cluster.csv"
        started = time.monotonic()
        require(self.start_cluster().wait(timeout=600) == 0, "the first run of a cluster failed")
        self.usual_cluster = time.monotonic() - started

    def start(self, table: Path, *options: object, full: bool = False) -> subprocess.Popen[str]:
        """Start a selection with all its outputs."""
        outputs = ("--out", self.ranking, "--save-model", self.model, "--report", self.page)
        return start("select", table, "-k", 5, *outputs, *options, full=full)

    def start_cluster(self) -> subprocess.Popen[str]:
        """Start a selection on a cluster of local processes."""
        return start("select", self.tables[1], "-k", 5, "--dask", "--out", self.other)

    def check(self) -> None:
        """See that every output is whole."""
        require(self.ranking.read_bytes() == self.expected, "the ranking has changed")
        require(len(json.loads(self.model.read_text())["ranking"]) == 20, "the model is torn")
        require(self.page.read_text().rstrip().endswith("</html>"), "the page is torn")

    def killed(self) -> str:
        """Kill a selection at any moment; the next one leaves nothing behind."""
        number, delay = self.chance.choice(SIGNALS), self.chance.uniform(0.1, 1.1) * self.usual
        end_with(self.start(self.chance.choice(self.tables)), number, delay)
        self.check()
        if self.chance.random() < 0.3:
            require(self.start(self.tables[0]).wait(timeout=300) == 0, "an undisturbed run failed")
            self.check()
            require(no_drafts(self.folder), "a draft is left beside the outputs")
        return f"select, {number.name}"

    def on_a_full_disk(self) -> str:
        """Write where there is no room."""
        code = self.start(self.tables[0], full=True).wait(timeout=300)
        require(code == 2, f"a full disk ended with {code}")
        self.check()
        return "select, full disk"

    def on_a_damaged_file(self) -> str:
        """Read what is cut off."""
        process = self.start(self.damaged)
        message = process.communicate(timeout=300)[1]
        require(process.returncode == 2 and message.count("\n") == 1, f"said of damage: {message}")
        self.check()
        return "select, damaged file"

    def without_a_worker(self) -> str:
        """Kill a process of the cluster: the result is right, or there is none."""
        self.other.unlink(missing_ok=True)
        process = self.start_cluster()
        time.sleep(self.chance.uniform(0.1, 1.0) * self.usual_cluster)
        for child in self.chance.sample(found := children(process.pid), k=min(1, len(found))):
            with suppress(ProcessLookupError):
                os.kill(child, signal.SIGKILL)
        try:
            process.communicate(timeout=PATIENCE * self.usual_cluster)
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGUSR1)
            time.sleep(1.0)
            process.kill()
            sys.exit(f"BROKEN: a cluster that lost a process hangs:\n{process.communicate()[1]}")
        code = process.returncode
        require(code in (0, 1, 2), f"a cluster that lost a process ended with {code}")
        require(self.other.exists() == (code == 0), "a cluster that failed has left a ranking")
        # Sums over blocks have other last digits.
        same = code != 0 or features(self.other) == features(self.ranking)
        require(same, "the cluster chose others")
        return f"select, cluster process killed, exit {code}"


def features(ranking: Path) -> list[str]:
    """Return the features of a ranking, best first."""
    return pl.read_csv(ranking)["feature"].to_list()


def end_with(process: subprocess.Popen[str], number: signal.Signals, seconds: float) -> None:
    """Send a signal after some seconds, unless the process has ended by then."""
    try:
        process.wait(timeout=seconds)
    except subprocess.TimeoutExpired:
        process.send_signal(number)
    try:
        process.communicate(timeout=60)
    except subprocess.TimeoutExpired:
        process.kill()
        sys.exit(f"BROKEN: {number.name} does not end a run within a minute")


def no_drafts(folder: Path) -> bool:
    """Whether no draft is left in a folder."""
    return not list(folder.glob(".sparsecone-*.draft*"))


def main() -> None:
    """Run faults until the time is over."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--minutes", type=float, default=30.0)
    options.add_argument("--seed", type=int, default=0)
    given = options.parse_args()
    chance, counts = Random(given.seed), Counter[str]()
    end = time.monotonic() + 60.0 * given.minutes
    with tempfile.TemporaryDirectory() as name:
        selection = Selecting(Path(name), chance)
        runs = Reproducing(Path(name), chance, selection.usual)
        faults: list[tuple[Callable[[], str], int]] = [
            (runs.killed, 6),
            (runs.twice, 1),
            (selection.killed, 6),
            (selection.on_a_full_disk, 1),
            (selection.on_a_damaged_file, 1),
            (selection.without_a_worker, 1),
        ]
        actions, weights = zip(*faults, strict=True)
        while time.monotonic() < end:
            counts[chance.choices(actions, weights)[0]()] += 1
        require(selection.start(selection.tables[0]).wait(timeout=300) == 0, "the last run failed")
        require(no_drafts(Path(name)), "a draft is left at the end")
    for what, count in sorted(counts.items()):
        print(f"{count:5d}  {what}")
    print(
        f"{runs.n_rows} rows written, {runs.n_finished} plans finished; nothing lost, doubled, torn"
    )


if __name__ == "__main__":
    main()
