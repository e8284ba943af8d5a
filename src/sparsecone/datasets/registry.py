"""The data sets of the paper, and two more that its field uses: what each one is."""

from __future__ import annotations

from typing import Any

from ..files.dataset import DatasetInfo

_GITHUB = "https://raw.githubusercontent.com/"


def dataset_info(name: str) -> DatasetInfo:
    """Return what is known about a data set, by its name in capitals or not.

    Examples
    --------
    >>> dataset_info("Isolet").n_features
    617
    """
    for info in DATASETS:
        if info.name == name.lower():
            return info
    names = ", ".join(info.name for info in DATASETS)
    raise ValueError(f"There is no data set '{name}'. Known are: {names}.")


def _size(n_samples: int, n_features: int, n_classes: int) -> dict[str, Any]:
    return {"n_samples": n_samples, "n_features": n_features, "n_classes": n_classes}


def _images(rows: int, columns: int, *, order: str | None = None) -> dict[str, Any]:
    """Return what the paper does to images: grey levels between 0 and 1."""
    return {"preprocessing": "grey", "image_shape": (rows, columns), "image_order": order}


def _scikit_feature(file_name: str, *, remark: str = "") -> dict[str, Any]:
    repository, folder = "jundongl/scikit-feature", f"skfeature/data/{file_name}"
    return {
        "source": f"GitHub {repository}, {folder}{remark}",
        "file_name": file_name,
        "url": f"{_GITHUB}{repository}/master/{folder}",
    }


DATASETS: tuple[DatasetInfo, ...] = (
    DatasetInfo(
        name="usps",
        title="USPS",
        **_size(9298, 256, 10),
        kind="handwritten digits",
        source="GitHub chenbocqu/SEMMDL, data/USPS.mat",
        file_name="USPS.mat",
        url=_GITHUB + "chenbocqu/SEMMDL/0fea72a859ad015b249f29c1bd5ea588c8c02ff0/data/USPS.mat",
        **_images(16, 16, order="F"),
    ),
    DatasetInfo(
        name="isolet",
        title="Isolet",
        **_size(1560, 617, 26),
        kind="spoken letters",
        **_scikit_feature("Isolet.mat"),
        log10_trace=5.2423,
    ),
    DatasetInfo(
        name="mnist",
        title="MNIST",
        **_size(20000, 784, 10),
        kind="handwritten digits",
        source="The first 20000 training images in their standard order; the paper does not say "
        "which 20000 it took",
        **_images(28, 28, order="C"),
    ),
    DatasetInfo(
        name="imm40",
        title="Imm40",
        **_size(240, 1024, 40),
        kind="faces",
        source="The IMM face database of the Technical University of Denmark, 240 photographs of "
        "40 persons, as 32 x 32 grey levels; the paper's cut of the faces is not public",
        **_images(32, 32),
        log10_trace=3.4807,
    ),
    DatasetInfo(
        name="pie",
        title="PIE",
        **_size(1166, 1024, 53),
        kind="faces",
        source="GitHub zjj20212035/SPCA-PSD, pie.mat (research and education only)",
        file_name="pie.mat",
        url=_GITHUB + "zjj20212035/SPCA-PSD/5f097fbbf7b483d9047406595a1edb5dfe4356b7/pie.mat",
        **_images(32, 32, order="F"),
    ),
    DatasetInfo(
        name="mstar_soc_cnn",
        title="MSTAR_SOC_CNN",
        **_size(2425, 1024, 10),
        kind="network features of radar images",
        source="The paper's authors (GitHub zjj20212035/SPCA-PSD names their address): the first "
        "fully connected layer of their network on the 2425 SOC test images of MSTAR, which the US "
        "Air Force Research Laboratory gives out (Sensor Data Management System)",
    ),
    DatasetInfo(
        name="indoor_resnet50",
        title="Indoor_Resnet50",
        **_size(15620, 1024, 67),
        kind="network features of indoor scenes",
        source="The authors of SPCAFS: 1024 features by ResNet-50 of the 15620 photographs of "
        "Indoor Scene Recognition (web.mit.edu/torralba/www/indoor.html)",
    ),
    DatasetInfo(
        name="lung",
        title="Lung",
        **_size(203, 3312, 5),
        kind="gene expression",
        **_scikit_feature("lung.mat", remark=" (not lung_small.mat)"),
        log10_trace=5.7405,
    ),
    DatasetInfo(
        name="allaml",
        title="ALLAML",
        **_size(72, 7129, 2),
        kind="gene expression",
        **_scikit_feature("ALLAML.mat"),
        log10_trace=5.7043,
    ),
    DatasetInfo(
        name="orlraws10p",
        title="Orlraws10P",
        **_size(100, 10304, 10),
        kind="faces",
        **_scikit_feature("orlraws10P.mat"),
        **_images(112, 92, order="F"),
    ),
    DatasetInfo(
        name="colon",
        title="colon",
        **_size(62, 2000, 2),
        kind="gene expression, discretised",
        **_scikit_feature("colon.mat"),
        in_paper=False,
    ),
    DatasetInfo(
        name="warppie10p",
        title="warpPIE10P",
        **_size(210, 2420, 10),
        kind="faces",
        **_scikit_feature("warpPIE10P.mat"),
        **_images(55, 44, order="F"),
        in_paper=False,
    ),
)
