"""Threads of BLAS: a fit takes one but for large products, and leaves all as they were."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier, Event

import numpy as np
import pytest
import scipy.linalg
from threadpoolctl import OpenBLASController, threadpool_limits

from sparsecone import SPCAPSD, lambda_max
from sparsecone.baselines import UDFS
from sparsecone.linalg import threads
from sparsecone.linalg.threads import LARGE, large, one_thread
from sparsecone.path import spca_psd_path

X = np.random.default_rng(0).normal(size=(40, 6)) * [4.0, 3.0, 2.0, 1.0, 1.0, 1.0]


def found() -> dict[str, int]:
    """Return the threads that each BLAS of this process has."""
    pools = [pool for pool in threads.pools().info() if pool["user_api"] == "blas"]
    return {pool["filepath"]: pool["num_threads"] for pool in pools}


#: Those that have several threads, which those of other packages may not.
settable: set[str] = set()


def n_threads() -> set[int]:
    """Return the threads that BLAS has."""
    return {number for path, number in found().items() if path in settable}


@pytest.fixture(autouse=True)
def several() -> Iterator[None]:
    """Let BLAS have three threads, which a test never has by accident."""
    scipy.linalg.inv(np.eye(2))
    # Since its version 3.8 threadpoolctl obeys the thread of Python that came first, as long as
    # that lives; other tests may have left one.
    if hasattr(OpenBLASController, "clear_controlling_thread"):
        OpenBLASController.clear_controlling_thread(force=True)
    with threadpool_limits(limits=3, user_api="blas"):
        settable.update(path for path, number in found().items() if number == 3)
        if not settable:
            pytest.skip(f"no BLAS lets its threads be set: {found()}")
        yield


def test_one_thread_and_all_of_them_again() -> None:
    with one_thread():
        assert n_threads() == {1}
        with large(LARGE):
            assert n_threads() == {3}
        assert n_threads() == {1}
        with large(0.9 * LARGE):
            assert n_threads() == {1}
    assert n_threads() == {3}


def test_a_fit_within_a_fit() -> None:
    with one_thread():
        with one_thread():
            with large(LARGE):
                assert n_threads() == {3}
            assert n_threads() == {1}
        assert n_threads() == {1}
    assert n_threads() == {3}


def test_an_error_gives_the_threads_back() -> None:
    with pytest.raises(ZeroDivisionError), one_thread(), large(LARGE):
        raise ZeroDivisionError
    assert n_threads() == {3}


def test_a_large_product_outside_of_a_fit_changes_nothing() -> None:
    with large(LARGE):
        assert n_threads() == {3}


def test_a_user_who_allows_one_thread_has_one() -> None:
    with threadpool_limits(limits=1, user_api="blas"), one_thread(), large(LARGE):
        assert n_threads() == {1}


@pytest.mark.parametrize("last", [0, 1])
def test_fits_in_several_threads_of_python_leave_all_as_it_was(last: int) -> None:
    both, ended = Barrier(2), Event()

    def fit(number: int) -> None:
        with one_thread():
            both.wait(10.0)
            with large(LARGE):
                SPCAPSD().fit(X)
            if number == last:
                assert ended.wait(10.0)
        ended.set()

    with ThreadPoolExecutor(2) as pool:
        list(pool.map(fit, range(2)))
        assert n_threads() == {3}
    with one_thread():
        assert n_threads() == {1}
    assert n_threads() == {3}


def test_a_large_product_has_one_thread_while_another_fit_runs() -> None:
    began, done = Event(), Event()

    def other() -> None:
        with one_thread():
            began.set()
            done.wait(10.0)

    with ThreadPoolExecutor(1) as pool, one_thread():
        running = pool.submit(other)
        assert began.wait(10.0)
        with large(LARGE):
            assert n_threads() == {1}
        done.set()
        running.result(10.0)
        with large(LARGE):
            assert n_threads() == {3}
    assert n_threads() == {3}


@pytest.mark.parametrize("kind", ["fit", "batches", "lambda_max", "path"])
def test_fits_take_one_thread(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[set[int]] = []
    original = np.linalg.eigh

    def watched(*given: object) -> object:
        seen.append(n_threads())
        return original(*given)

    monkeypatch.setattr(np.linalg, "eigh", watched)
    if kind == "fit":
        SPCAPSD().fit(X)
    elif kind == "batches":
        SPCAPSD().partial_fit(X).solve()
    elif kind == "lambda_max":
        lambda_max(X)
    else:
        spca_psd_path(X, lams=3)
    assert seen
    assert all(found == {1} for found in seen)
    assert n_threads() == {3}


def test_small_data_of_other_methods_take_one_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = []
    monkeypatch.setattr(UDFS, "_scores", lambda _, X: seen.append(n_threads()) or X.var(axis=0))
    UDFS().fit(X)
    monkeypatch.setattr("sparsecone.baselines.base.SMALL", 1.0)
    UDFS().fit(X)
    assert seen == [{1}, {3}]
