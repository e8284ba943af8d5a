"""The table, the figure and the page of the scale benchmark."""

from __future__ import annotations

import os
import platform
from pathlib import Path
from typing import Any

import numpy as np
import scipy

from sparsecone.files.whole_file import whole_file

HEADINGS = (
    "part", "what", "shape", "seconds", "reference, s", "ratio", "limit", "met", "gap", "rank",
    "iterations", "peak, MB", "difference", "load",
)  # fmt: skip


def table(rows: list[dict[str, Any]]) -> str:
    """Return the rows as a Markdown table."""
    lines = ["| " + " | ".join(HEADINGS) + " |", "|---" * len(HEADINGS) + "|"]
    return "\n".join(lines + ["| " + " | ".join(_cells(row)) + " |" for row in rows])


def _cells(row: dict[str, Any]) -> list[str]:
    ratio = None
    if row["reference"]:
        ratio = row["seconds"] / row["reference"]
    met = {None: "", True: "yes", False: "no"}[row["met"]]
    return [
        row["part"], row["what"], row["shape"], _number(row["seconds"], ".2f"),
        _number(row["reference"], ".2f"), _number(ratio, ".2f"), row["limit"], met,
        _number(row["gap"], ".0e"), _number(row["rank"], "d"), _number(row["iterations"], "d"),
        _number(row["peak_mb"], ".0f"), _number(row["difference"], ".0e"),
        _number(row["load"], ".1f"),
    ]  # fmt: skip


def _number(value: float | None, style: str) -> str:
    return "" if value is None else format(value, style)


def slope_points(rows: list[dict[str, Any]], axis: str) -> tuple[Any, Any]:
    """Return sizes and seconds: of an iteration against d, of a fit against n."""
    found = [row for row in rows if row["part"] == "slopes" and row["what"] == axis]
    sizes = [int(row["shape"].split(" x ")[1 if axis == "d" else 0]) for row in found]
    times = [row["seconds"] / (row["iterations"] if axis == "d" else 1) for row in found]
    return np.array(sizes, dtype=float), np.array(times)


def slope(rows: list[dict[str, Any]], axis: str) -> float:
    """Return the log-log slope over the three largest sizes."""
    sizes, times = slope_points(rows, axis)
    return float(np.polyfit(np.log(sizes[-3:]), np.log(times[-3:]), 1)[0])


def slope_plot(rows: list[dict[str, Any]], path: Path) -> None:
    """Draw the cost against d and against n."""
    if not any(row["part"] == "slopes" and row["seconds"] for row in rows):
        return
    from matplotlib.figure import Figure

    figure = Figure(figsize=(8, 3.2), layout="constrained")
    labels = {"d": ("features (1000 samples)", "seconds an iteration"),
              "n": ("samples (500 features)", "seconds a fit")}  # fmt: skip
    for axes, (axis, (x_label, y_label)) in zip(figure.subplots(1, 2), labels.items(), strict=True):
        sizes, times = slope_points(rows, axis)
        axes.loglog(sizes, times, "o-")
        axes.set(xlabel=x_label, ylabel=y_label, title=f"slope {slope(rows, axis):.2f} at the end")
    with whole_file(path) as draft:
        figure.savefig(draft, metadata={"Date": None})


def page(rows: list[dict[str, Any]]) -> str:
    """Return the page of results."""
    machine = (
        f"{os.cpu_count()} cores, {platform.system()} {platform.machine()}, Python "
        f"{platform.python_version()}, NumPy {np.__version__}, SciPy {scipy.__version__}, OpenBLAS "
        f"threads {os.environ.get('OPENBLAS_NUM_THREADS', 'as many as cores')}"
    )
    main = [row for row in rows if row["part"] != "slopes"]
    text = [
        "# Data that outgrow memory: what was measured\n",
        "`make bench-scale` makes this page. Every part ran in a process of its own; 'reference'",
        "is what a part is compared with, in the same process on the same data, and 'load' the",
        f"load average of the machine when the part started. Machine: {machine}.\n",
        table(main),
    ]
    if len(main) < len(rows):
        text += [
            "\n## Cost against the number of features and of samples\n",
            f"Over the three largest sizes the log-log slopes are {slope(rows, 'd'):.2f} in d",
            f"(seconds an iteration) and {slope(rows, 'n'):.2f} in n (seconds a fit; below the",
            "crossover the solve, which does not depend on n, dominates).\n",
            "![Cost against d and n](scale.svg)\n",
            table([row for row in rows if row["part"] == "slopes"]),
        ]
    return "\n".join(text) + "\n"
