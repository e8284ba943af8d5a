"""A bound that is not proven is called so: in solutions, paths, reports and the command line."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

from sparsecone import SPCAPSD, Status
from sparsecone.cli.app import app
from sparsecone.path import spca_psd_path
from sparsecone.report import write_report

RNG = np.random.default_rng(0)
X = RNG.normal(size=(60, 3)) @ RNG.normal(size=(3, 90)) + 0.1 * RNG.normal(size=(60, 90))


@pytest.fixture(autouse=True)
def nothing_is_small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make both sides of the data too large for a decomposition, and for a proof."""
    for name in ("SMALL", "NARROW"):
        monkeypatch.setattr(f"sparsecone.certificate.inequality.{name}", 0)
    monkeypatch.setattr("sparsecone.certificate.inequality.is_decomposed", lambda *_: False)
    monkeypatch.setattr("sparsecone.certificate.outer.LARGEST_PROVEN", 0)


def test_a_fit_is_estimated() -> None:
    selector = SPCAPSD(eta=0.05, lam=0.1, solver="factored").fit(X)
    assert selector.solution_.status is Status.ESTIMATED
    assert not selector.solution_.proven
    assert selector.solution_.gap <= 1e-4
    exact = SPCAPSD(eta=0.05, lam=0.1, solver="admm", tol=1e-7).fit(X).solution_
    assert exact.status is Status.CONVERGED
    assert selector.solution_.bound <= exact.value + exact.rounding


def test_a_side_that_is_not_too_large_proves_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sparsecone.certificate.outer.LARGEST_PROVEN", 100)
    for data in (X, X.T):
        solution = SPCAPSD(eta=0.05, lam=0.1, solver="factored").fit(data).solution_
        assert solution.status is Status.CONVERGED


def test_a_path_is_estimated() -> None:
    path = spca_psd_path(X, lams=[0.05, 0.1, 0.2], etas=[0.05])
    assert set(path.statuses.ravel()) == {"estimated"}


def test_report_and_command_line_say_so(tmp_path: Path) -> None:
    selector = SPCAPSD(eta=0.05, lam=0.1, solver="factored").fit(X)
    write_report(tmp_path / "report.html", selector=selector, X=X, title="A report")
    assert "a bound that fails with a probability below" in (tmp_path / "report.html").read_text()
    np.save(tmp_path / "X.npy", X)
    arguments: list[Any] = ["select", str(tmp_path / "X.npy"), "-k", "5", "--eta", "0.05"]
    result = CliRunner().invoke(app, [*arguments, "--lam", "0.1", "--solver", "factored"])
    assert result.exit_code == 0, result.output
    assert "Estimated in" in result.output
