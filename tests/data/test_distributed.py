"""Dask: every model on threads, and on a cluster of two processes, one of which is killed."""

from __future__ import annotations

import os
import subprocess
import sys

import dask
import dask.array as da
import dask.dataframe as dd
import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from sklearn.base import clone

from sparsecone import AWSPCAPSD, CSPCAPSD, SPCAPSD, from_blocks
from sparsecone.data import connected, on_dask

distributed = pytest.importorskip("distributed")

rng = np.random.default_rng(0)
X = rng.normal(size=(90, 4)) @ rng.normal(size=(4, 24)) + rng.normal(size=(90, 24)) + 3
NAMES = [f"f{j}" for j in range(24)]
MODELS = {
    "spca": SPCAPSD(n_features_to_select=5),
    "cspca": CSPCAPSD(n_features_to_select=5, solver="reweighted", tol=1e-3),
    "aw": AWSPCAPSD(n_features_to_select=5, tol=1e-3),
}


@pytest.fixture(scope="module")
def client():
    with dask.config.set({"distributed.comm.timeouts.connect": "20s"}):
        try:
            cluster = distributed.LocalCluster(
                n_workers=2, threads_per_worker=1, dashboard_address="127.0.0.1:0"
            )
        except (OSError, RuntimeError) as error:
            pytest.skip(f"no local cluster can be started here: {error}")
        with cluster, distributed.Client(cluster) as client:
            yield client


def assert_same(selector, plain):
    largest = plain.scores_.max()
    np.testing.assert_allclose(selector.scores_ / largest, plain.scores_ / largest, atol=1e-6)
    np.testing.assert_array_equal(selector.selected_, plain.selected_)


def without_ways_of_memory(monkeypatch):
    """Take from samples in memory what ends elsewhere within the tolerance."""
    for module in ("lyapunov", "near_identity"):
        monkeypatch.setattr(f"sparsecone.solvers.{module}.has_spectral_start", lambda _: False)


COLLECTIONS = {
    "rows": lambda: da.from_array(X, chunks=(20, 24)),
    "columns": lambda: da.from_array(X, chunks=(90, 7)),
    "both": lambda: da.from_array(X, chunks=(40, 10)),
    "one": lambda: da.from_array(X, chunks=(90, 24)),
    "a few rows": lambda: da.from_array(X, chunks=(7, 24)),
    "frame": lambda: dd.from_pandas(pd.DataFrame(X, columns=NAMES), npartitions=4),
    "empty block": lambda: da.concatenate(
        [da.from_array(X[:50], chunks=(50, 24)), da.zeros((0, 24)), da.from_array(X[50:])]
    ),
    "sparse": lambda: da.from_array(X, chunks=(30, 24)).map_blocks(sp.csr_matrix),
    "unknown length": lambda: da.from_array(X, chunks=(30, 24))[da.ones(90, chunks=30) > 0],
}


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("kind", COLLECTIONS)
def test_collections_on_threads(model, kind, monkeypatch):
    without_ways_of_memory(monkeypatch)
    collection = COLLECTIONS[kind]()
    selector = clone(MODELS[model]).fit(collection)
    assert_same(selector, clone(MODELS[model]).fit(X))
    assert hasattr(selector, "feature_names_in_") == (kind == "frame")
    assert selector.n_features_in_ == 24


def test_single_rows():
    single = da.from_array(X, chunks=(1, 24))
    assert_same(clone(MODELS["spca"]).fit(single), clone(MODELS["spca"]).fit(X))


@pytest.mark.parametrize("model", MODELS)
def test_a_cluster_gives_the_same(model, client, monkeypatch):
    without_ways_of_memory(monkeypatch)
    assert client.ncores()
    selector = clone(MODELS[model]).fit(da.from_array(X, chunks=(20, 24)))
    assert_same(selector, clone(MODELS[model]).fit(X))


def test_wide_collections_stay_on_the_workers(client, monkeypatch):
    monkeypatch.setattr("sparsecone.data.distributed.LARGEST_GRAM", 10)
    model = SPCAPSD(solver="factored", n_features_to_select=5)
    assert_same(clone(model).fit(da.from_array(X, chunks=(20, 24))), clone(model).fit(X))
    assert client.ncores()


class Killer:
    """A callback that ends a worker process when the solve is under way."""

    def __init__(self, client):
        self.client = client
        self.workers = list(client.run(os.getpid).values())
        self.done = False

    def __call__(self, progress):
        if progress.record.n_iter >= 3 and not self.done:
            self.done = True
            os.kill(self.workers[0], 9)


def test_a_worker_killed_in_the_middle_changes_nothing(client):
    killer = Killer(client)
    model = clone(MODELS["cspca"]).set_params(tol=1e-6)
    plain = clone(model).fit(X)
    selector = clone(model).set_params(callback=killer).fit(da.from_array(X, chunks=(20, 24)))
    assert killer.done
    assert_same(selector, plain)


@pytest.mark.parametrize(
    ("block", "message"),
    [
        (np.full((20, 24), np.nan), "In block 2: Input contains NaN"),
        (np.zeros((20, 23)), "In block 2: 23 features"),
        (np.full((20, 24), "a"), "In block 2: could not convert string"),
    ],
    ids=["nan", "width", "text"],
)
def test_a_bad_block_is_named(block, message, client):
    assert client.ncores()

    def spoil(part, block_info=None):
        return block if block_info[0]["chunk-location"][0] == 2 else part

    spoilt = da.from_array(X[:80], chunks=(20, 24)).map_blocks(spoil, dtype=float)
    for model in ("spca", "cspca"):
        with pytest.raises(ValueError, match=message):
            clone(MODELS[model]).fit(spoilt)


def test_text_columns_and_vectors_are_refused():
    frame = pd.DataFrame({"a": [1.0, 2.0], "b": ["x", "y"]})
    with pytest.raises(ValueError, match="not numeric"):
        SPCAPSD().fit(dd.from_pandas(frame, npartitions=1))
    with pytest.raises(ValueError, match="Expected 2D array"):
        SPCAPSD().fit(da.zeros(5))


def test_parquet_files_are_read_by_the_workers(tmp_path, client):
    for part in range(3):
        frame = pd.DataFrame(X[30 * part : 30 * part + 30], columns=NAMES)
        frame.to_parquet(tmp_path / f"{part}.parquet", row_group_size=10)
    blocks = from_blocks(str(tmp_path / "*.parquet"))
    for name in ("spca", "cspca"):
        selector = clone(MODELS[name]).fit(on_dask(blocks))
        assert_same(selector, clone(MODELS[name]).fit(X))
        assert list(selector.feature_names_in_) == NAMES
    pd.DataFrame(X[:30, 1:], columns=NAMES[1:]).to_parquet(tmp_path / "1.parquet")
    with pytest.raises(ValueError, match=r"1.parquet lacks column 'f0'"):
        SPCAPSD().fit(on_dask(from_blocks(tmp_path)))
    with pytest.raises(TypeError, match="Parquet"):
        on_dask(from_blocks([X]))
    assert client.ncores()


def test_nobody_answers(monkeypatch):
    monkeypatch.setattr("sparsecone.data.distributed.PATIENCE", 1)
    with pytest.raises(ConnectionError, match="No Dask scheduler"), connected("tcp://127.0.0.1:9"):
        pass


def test_a_cluster_that_loses_a_process_as_it_starts_is_a_clear_error(monkeypatch):
    def client(*_, **__):
        raise RuntimeError("Cluster failed to start: Nanny failed to start worker process")

    monkeypatch.setattr(distributed, "Client", client)
    with pytest.raises(ConnectionError, match="No cluster of local processes: Cluster failed"):
        connected().__enter__()


FIT_UNTIL_THE_SCHEDULER_DIES = """
import os, subprocess, sys, time
import dask, dask.array as da, numpy as np
from sparsecone import CSPCAPSD
from sparsecone.data import connected

def start(*command):
    return subprocess.Popen([sys.executable, "-m", "distributed.cli." + command[0], *command[1:]],
                            stderr=subprocess.DEVNULL)

def main():
    scheduler = start("dask_scheduler", "--port", sys.argv[1], "--no-dashboard")
    address = "tcp://127.0.0.1:" + sys.argv[1]
    worker = start("dask_worker", address, "--no-nanny", "--no-dashboard")
    try:
        with connected(address) as client:
            client.wait_for_workers(1, timeout=60)
            killed = []
            def stop(progress):
                scheduler.kill()
                killed.append(time.perf_counter())
            X = np.random.default_rng(0).normal(size=(50, 5))
            try:
                CSPCAPSD(callback=stop, tol=1e-9).fit(da.from_array(X, chunks=(10, 5)))
            except ConnectionError as error:
                print(time.perf_counter() - killed[0], "CLEAR:", error)
    finally:
        for process in (scheduler, worker):
            process.kill()
            process.wait()

main()
"""


def test_a_scheduler_that_is_gone_is_an_error_not_a_hang(tmp_path):
    script = tmp_path / "fit.py"
    script.write_text(FIT_UNTIL_THE_SCHEDULER_DIES)
    port = 20000 + os.getpid() % 20000
    done = subprocess.run(
        [sys.executable, str(script), str(port)], capture_output=True, text=True, timeout=150
    )
    assert "CLEAR: The Dask scheduler is gone" in done.stdout, done.stderr[-2000:]
    assert float(done.stdout.split()[0]) < 60.0
