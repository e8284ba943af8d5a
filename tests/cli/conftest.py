"""A runner of the command, and files made from the reference data."""

from __future__ import annotations

import sys
from collections.abc import Callable
from inspect import signature
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import polars as pl
import pytest
from typer.testing import CliRunner

from sparsecone.cli.app import app
from sparsecone.files.whole_file import whole_file

from shared import load

# Before click 8.2 stderr was part of stdout unless asked for apart.
APART = {"mix_stderr": False} if "mix_stderr" in signature(CliRunner).parameters else {}


@pytest.fixture
def run() -> Callable[..., Any]:
    """Return what calls the command and returns its result."""

    def call(*arguments: object) -> Any:
        return CliRunner(**APART).invoke(app, [str(argument) for argument in arguments])

    return call


@pytest.fixture
def reports(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    """Replace the report by a page that keeps what it was given; return those."""
    calls: list[dict[str, Any]] = []

    def write_report(path: Path, **contents: Any) -> None:
        calls.append({"path": path, **contents})
        with whole_file(path) as draft:
            draft.write_text("<html></html>")

    stub = ModuleType("sparsecone.report")
    stub.write_report = write_report  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "sparsecone.report", stub)
    return calls


@pytest.fixture(scope="session")
def gene_table(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a csv of 72 samples x 7129 genes with names and a column of classes."""
    X, y = load("allaml")
    names = [f"gene_{index}" for index in range(X.shape[1])]
    path = tmp_path_factory.mktemp("genes") / "allaml.csv"
    frame = pl.DataFrame(X, schema=names).with_columns(leukaemia=pl.Series(y))
    frame.write_csv(path)
    return path


@pytest.fixture
def small_table(tmp_path: Path) -> Path:
    """Return a csv of 30 samples x 6 features, of which s2 and s4 carry nearly everything."""
    rng = np.random.default_rng(0)
    scales = np.array([0.1, 0.2, 5.0, 0.1, 4.0, 0.3])
    path = tmp_path / "small.csv"
    X = rng.standard_normal((30, 6)) * scales
    frame = pl.DataFrame(X, schema=[f"s{index}" for index in range(6)])
    frame.with_columns(kind=pl.Series((X[:, 2] > 0).astype(int))).write_csv(path)
    return path
