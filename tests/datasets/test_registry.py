"""The paper's data sets: the table, the data folder, and downloads that never reach the network."""

from __future__ import annotations

import hashlib
import sys
from dataclasses import replace
from urllib.parse import urlparse

import numpy as np
import pooch
import pytest
from scipy.io import savemat

from sparsecone.datasets import (
    DATASETS,
    DataFileError,
    available,
    data_folder,
    dataset_info,
    fetch,
    load,
    stored,
)

import shared


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """An empty data folder."""
    monkeypatch.setenv("SPARSECONE_DATA", str(tmp_path))
    return tmp_path


@pytest.fixture
def reference(monkeypatch):
    """The folder with the real data sets, or the test is skipped."""
    monkeypatch.setenv("SPARSECONE_DATA", str(shared.folder("data")))


def test_the_table_is_the_papers():
    papers = {info.title: (info.n_features, info.n_samples, info.n_classes) for info in DATASETS}
    assert len(papers) == 12
    assert sum(info.in_paper for info in DATASETS) == 10
    assert papers["USPS"] == (256, 9298, 10)
    assert papers["Indoor_Resnet50"] == (1024, 15620, 67)
    assert papers["Orlraws10P"] == (10304, 100, 10)


@pytest.mark.parametrize("info", DATASETS, ids=lambda info: info.name)
def test_rows_are_consistent(info):
    assert info.name == info.title.lower()
    assert (info.preprocessing == "grey") == (info.image_shape is not None)
    if info.image_shape is not None:
        assert np.prod(info.image_shape) == info.n_features
    assert (info.url is None) == (info.file_name is None)
    if info.url is not None:
        address = urlparse(info.url)
        assert (address.scheme, address.netloc) == ("https", "raw.githubusercontent.com")
        assert info.url.endswith(f"/{info.file_name}")


def test_unknown_names_get_the_list():
    with pytest.raises(ValueError, match=r"no data set 'iris'. Known are: usps, isolet, .*colon"):
        dataset_info("iris")


@pytest.mark.usefixtures("reference")
@pytest.mark.parametrize("info", DATASETS, ids=lambda info: info.name)
def test_stored_files_are_what_the_table_says(info):
    if info.name not in available():
        pytest.skip(f"the data folder has no {info.title}")
    dataset = load(info.name)
    assert dataset.X.shape == (info.n_samples, info.n_features)
    assert dataset.y.shape == (info.n_samples,)
    assert np.unique(dataset.y).size == info.n_classes


@pytest.mark.usefixtures("reference")
@pytest.mark.parametrize("name", ["isolet", "allaml"])
@pytest.mark.parametrize("preprocess", [False, True])
def test_the_papers_trace_is_reproduced(name, preprocess):
    X = load(name, preprocess=preprocess).X
    trace = np.square(X - X.mean(axis=0)).sum()
    assert round(np.log10(trace), 4) == dataset_info(name).log10_trace


@pytest.mark.usefixtures("reference")
def test_grey_levels_are_scaled_by_one_factor_when_asked():
    for name in ("warppie10p", "orlraws10p", "mnist"):
        X = load(name, preprocess=True).X
        np.testing.assert_array_equal(X, load(name).X / 255.0)
        assert X.min() >= 0.0
        assert 0.9 < X.max() <= 1.0
    for name in ("usps", "pie", "isolet"):
        np.testing.assert_array_equal(load(name, preprocess=True).X, load(name).X)


def mean_image(name, *, order, label=None):
    dataset = load(name)
    chosen = dataset.X if label is None else dataset.X[dataset.y == label]
    return chosen.mean(axis=0).reshape(dataset_info(name).image_shape, order=order)


@pytest.mark.usefixtures("reference")
@pytest.mark.parametrize("name", ["pie", "orlraws10p", "warppie10p"])
def test_the_mean_face_is_its_mirror_image_in_the_stated_order(name):
    def symmetry(order):
        face = mean_image(name, order=order)
        return np.corrcoef(face.ravel(), face[:, ::-1].ravel())[0, 1]

    stated = dataset_info(name).image_order
    other = {"C": "F", "F": "C"}[stated]
    assert symmetry(stated) > symmetry(other) + 0.1


@pytest.mark.usefixtures("reference")
@pytest.mark.parametrize("name", ["usps", "mnist"])
def test_the_digit_one_is_upright_in_the_stated_order(name):
    one = mean_image(name, order=dataset_info(name).image_order, label=1)
    heights, widths = one.sum(axis=1), one.sum(axis=0)
    assert (heights > heights.max() / 4).sum() > 1.5 * (widths > widths.max() / 4).sum()


@pytest.mark.parametrize("file_name", ["colon.mat", "COLON.MAT", "colon.npz"])
def test_files_are_found_by_either_name(folder, file_name):
    X = np.random.default_rng(0).normal(size=(62, 2000))
    y = np.arange(62) % 2
    if file_name.endswith(".npz"):
        np.savez(folder / file_name, X=X, y=y)
    else:
        savemat(folder / file_name, {"X": X, "Y": y[:, np.newaxis]}, appendmat=False)
    dataset = load("Colon")
    assert available() == ["colon"]
    assert dataset.name == "colon"
    np.testing.assert_array_equal(dataset.X, X)
    np.testing.assert_array_equal(dataset.y, y)


def test_missing_data_sets_come_with_the_way_to_get_them(folder):
    np.savez(folder / "colon.npz", X=np.eye(62, 2000))
    with pytest.raises(FileNotFoundError, match=r"has: colon\. .*fetch\('lung'\) downloads it"):
        load("lung")
    with pytest.raises(FileNotFoundError, match=r"save it there as imm40\.npz .* 240 samples"):
        load("imm40")


def test_another_data_set_under_the_same_name_is_refused(folder):
    np.savez(folder / "lung.npz", X=np.eye(73, 325))
    with pytest.raises(DataFileError, match="73 samples x 325 features, but Lung has 203 x 3312"):
        load("lung")


def test_other_classes_are_refused(folder):
    np.savez(folder / "colon.npz", X=np.eye(62, 2000), y=np.arange(62) % 3)
    with pytest.raises(DataFileError, match="has 3 classes, but colon has 2"):
        load("colon")


def test_a_file_with_another_checksum_is_refused(folder, monkeypatch):
    X = np.random.default_rng(0).normal(size=(62, 2000))
    savemat(folder / "colon.mat", {"X": X, "Y": np.arange(62)[:, np.newaxis] % 2})
    digest = hashlib.sha256((folder / "colon.mat").read_bytes()).hexdigest()
    for known, is_refused in ((digest, False), ("0" * 64, True)):
        info = replace(dataset_info("colon"), sha256=known)
        monkeypatch.setattr(stored, "dataset_info", lambda _, info=info: info)
        if is_refused:
            with pytest.raises(DataFileError, match="is damaged or changed"):
                load("colon")
        else:
            np.testing.assert_array_equal(load("colon").X, X)


@pytest.mark.parametrize("white", [1.0, 255.0])
def test_the_papers_trace_tells_versions_apart(folder, white):
    X = np.random.default_rng(0).random((240, 1024))
    trace = X.var(axis=0).sum() * len(X)
    fitting = white * X * np.sqrt(10.0 ** dataset_info("imm40").log10_trace / trace)
    np.savez(folder / "imm40.npz", X=fitting)
    assert load("imm40", preprocess=True).X.max() <= 1.0
    np.savez(folder / "imm40.npz", X=2.0 * fitting)
    with pytest.warns(UserWarning, match=r"not the Tr\(XX\^T\) that the paper states, 10\^3.4807"):
        load("imm40")


def test_the_folder_has_a_default(monkeypatch, tmp_path):
    monkeypatch.delenv("SPARSECONE_DATA", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    assert data_folder() == tmp_path / ".cache" / "sparsecone"
    assert available() == []
    with pytest.raises(FileNotFoundError, match=r"it has: none\. Set SPARSECONE_DATA"):
        load("isolet")


def test_fetched_files_are_found_by_load(folder, monkeypatch):
    X = np.random.default_rng(0).normal(size=(62, 2000))
    addresses = []

    def retrieve(url, *, known_hash, fname, path):
        assert known_hash is None
        addresses.append(url)
        savemat(path / fname, {"X": X, "Y": np.arange(62) % 2})
        return str(path / fname)

    monkeypatch.setattr(pooch, "retrieve", retrieve)
    monkeypatch.setenv("SPARSECONE_DATA", str(folder / "new" / "folder"))
    assert fetch("colon").name == "colon.mat"
    assert fetch("colon").name == "colon.mat"
    assert addresses == [dataset_info("colon").url]  # the second time it was there already
    np.testing.assert_array_equal(load("colon").X, X)


def test_failed_downloads_say_what_to_do(folder, monkeypatch):
    def retrieve(*_, **__):
        raise OSError("network is unreachable")

    monkeypatch.setattr(pooch, "retrieve", retrieve)
    with pytest.raises(ConnectionError, match=r"Isolet could not be downloaded .*by hand in"):
        fetch("isolet")
    assert list(folder.iterdir()) == []


def test_data_sets_without_an_address_say_so(folder):
    with pytest.raises(ValueError, match=r"No public address of Imm40 .*imm40\.npz"):
        fetch("imm40")
    assert list(folder.iterdir()) == []


def test_fetch_names_the_absent_package(folder, monkeypatch):
    monkeypatch.setitem(sys.modules, "pooch", None)
    with pytest.raises(ImportError, match=r"needs the package pooch: pip install"):
        fetch("isolet")
    assert list(folder.iterdir()) == []
