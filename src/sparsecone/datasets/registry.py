"""The data sets of the paper, and two more that its field uses: what each one is."""

from __future__ import annotations

from ..files.dataset import DatasetInfo

_SCIKIT_FEATURE = "https://raw.githubusercontent.com/jundongl/scikit-feature/master/skfeature/data/"
_SPCA_PSD = "https://raw.githubusercontent.com/zjj20212035/SPCA-PSD/"
_SEMMDL = "https://raw.githubusercontent.com/chenbocqu/SEMMDL/"


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


DATASETS: tuple[DatasetInfo, ...] = (
    DatasetInfo(
        name="usps",
        title="USPS",
        n_samples=9298,
        n_features=256,
        n_classes=10,
        kind="handwritten digits",
        source="GitHub chenbocqu/SEMMDL, data/USPS.mat",
        file_name="USPS.mat",
        url=_SEMMDL + "0fea72a859ad015b249f29c1bd5ea588c8c02ff0/data/USPS.mat",
        preprocessing="minmax",
        image_shape=(16, 16),
        image_order="F",
    ),
    DatasetInfo(
        name="isolet",
        title="Isolet",
        n_samples=1560,
        n_features=617,
        n_classes=26,
        kind="spoken letters",
        source="GitHub jundongl/scikit-feature, skfeature/data/Isolet.mat",
        file_name="Isolet.mat",
        url=_SCIKIT_FEATURE + "Isolet.mat",
        log10_trace=5.2423,
    ),
    DatasetInfo(
        name="mnist",
        title="MNIST",
        n_samples=20000,
        n_features=784,
        n_classes=10,
        kind="handwritten digits",
        source="The first 20000 training images in their standard order; the paper does not say "
        "which 20000 it took",
        preprocessing="minmax",
        image_shape=(28, 28),
        image_order="C",
    ),
    DatasetInfo(
        name="imm40",
        title="Imm40",
        n_samples=240,
        n_features=1024,
        n_classes=40,
        kind="faces",
        source="The IMM face database, scaled down to 1024 pixels; no public file known",
        preprocessing="minmax",
        image_shape=(32, 32),
        log10_trace=3.4807,
    ),
    DatasetInfo(
        name="pie",
        title="PIE",
        n_samples=1166,
        n_features=1024,
        n_classes=53,
        kind="faces",
        source="GitHub zjj20212035/SPCA-PSD, pie.mat (research and education only)",
        file_name="pie.mat",
        url=_SPCA_PSD + "5f097fbbf7b483d9047406595a1edb5dfe4356b7/pie.mat",
        preprocessing="minmax",
        image_shape=(32, 32),
        image_order="F",
    ),
    DatasetInfo(
        name="mstar_soc_cnn",
        title="MSTAR_SOC_CNN",
        n_samples=2425,
        n_features=1024,
        n_classes=10,
        kind="network features of radar images",
        source="The paper's authors, from the MSTAR test set; no public file known",
    ),
    DatasetInfo(
        name="indoor_resnet50",
        title="Indoor_Resnet50",
        n_samples=15620,
        n_features=1024,
        n_classes=67,
        kind="network features of indoor scenes",
        source="The authors of SPCAFS, from the Indoor set; no public file known",
    ),
    DatasetInfo(
        name="lung",
        title="Lung",
        n_samples=203,
        n_features=3312,
        n_classes=5,
        kind="gene expression",
        source="GitHub jundongl/scikit-feature, skfeature/data/lung.mat (not lung_small.mat)",
        file_name="lung.mat",
        url=_SCIKIT_FEATURE + "lung.mat",
        log10_trace=5.7405,
    ),
    DatasetInfo(
        name="allaml",
        title="ALLAML",
        n_samples=72,
        n_features=7129,
        n_classes=2,
        kind="gene expression",
        source="GitHub jundongl/scikit-feature, skfeature/data/ALLAML.mat",
        file_name="ALLAML.mat",
        url=_SCIKIT_FEATURE + "ALLAML.mat",
        log10_trace=5.7043,
    ),
    DatasetInfo(
        name="orlraws10p",
        title="Orlraws10P",
        n_samples=100,
        n_features=10304,
        n_classes=10,
        kind="faces",
        source="GitHub jundongl/scikit-feature, skfeature/data/orlraws10P.mat",
        file_name="orlraws10P.mat",
        url=_SCIKIT_FEATURE + "orlraws10P.mat",
        preprocessing="minmax",
        image_shape=(112, 92),
        image_order="F",
    ),
    DatasetInfo(
        name="colon",
        title="colon",
        n_samples=62,
        n_features=2000,
        n_classes=2,
        kind="gene expression, discretised",
        source="GitHub jundongl/scikit-feature, skfeature/data/colon.mat",
        file_name="colon.mat",
        url=_SCIKIT_FEATURE + "colon.mat",
        in_paper=False,
    ),
    DatasetInfo(
        name="warppie10p",
        title="warpPIE10P",
        n_samples=210,
        n_features=2420,
        n_classes=10,
        kind="faces",
        source="GitHub jundongl/scikit-feature, skfeature/data/warpPIE10P.mat",
        file_name="warpPIE10P.mat",
        url=_SCIKIT_FEATURE + "warpPIE10P.mat",
        preprocessing="minmax",
        image_shape=(55, 44),
        image_order="F",
        in_paper=False,
    ),
)
