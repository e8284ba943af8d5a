"""The numbers that the paper prints, and those of its authors' program run independently.

Zheng, Zhang, Liu, Jiang, Huo, Liu: Fast Sparse PCA via Positive Semidefinite Projection for
Unsupervised Feature Selection.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class PrintedResult:
    """One entry of a table: ACC and NMI in percent with standard deviations, steps, seconds.

    Standard deviations and seconds are None where they are not stated.
    """

    acc: float
    acc_std: float | None
    nmi: float
    nmi_std: float | None
    n_iter: int
    seconds: float | None = None


@dataclass(frozen=True)
class PrintedTiming:
    """One entry of a table: iterations, and seconds an iteration."""

    n_iter: int
    seconds_per_iteration: float


#: Section "Experiment 1", table "The clustering results of CSPCA, AW-SPCA, CSPCA-PSD and
#: AW-SPCA-PSD on three real-world datasets": all parameters 10, 100 features.
PSD_TEST: dict[tuple[str, str], PrintedResult] = {
    ("usps", "CSPCA"): PrintedResult(44.80, 2.14, 36.03, 1.33, 192, 60.4239),
    ("usps", "CSPCA-PSD"): PrintedResult(44.75, 1.74, 37.76, 1.16, 32, 10.0499),
    ("usps", "AW-SPCA"): PrintedResult(38.72, 2.77, 32.88, 1.02, 56, 31.0669),
    ("usps", "AW-SPCA-PSD"): PrintedResult(39.58, 3.10, 33.02, 1.09, 38, 21.2972),
    ("isolet", "CSPCA"): PrintedResult(43.51, 2.34, 59.64, 1.51, 201, 15.6377),
    ("isolet", "CSPCA-PSD"): PrintedResult(45.17, 2.49, 62.36, 1.27, 25, 1.6912),
    ("isolet", "AW-SPCA"): PrintedResult(40.88, 2.68, 56.77, 1.23, 142, 11.4443),
    ("isolet", "AW-SPCA-PSD"): PrintedResult(41.25, 2.92, 56.95, 1.78, 46, 4.7831),
    ("pie", "CSPCA"): PrintedResult(43.81, 2.85, 68.19, 1.35, 204, 34.6264),
    ("pie", "CSPCA-PSD"): PrintedResult(43.21, 1.92, 67.99, 1.14, 20, 2.6545),
    ("pie", "AW-SPCA"): PrintedResult(40.05, 2.24, 64.84, 1.31, 181, 21.5730),
    ("pie", "AW-SPCA-PSD"): PrintedResult(42.06, 2.24, 66.61, 1.36, 35, 6.6160),
}

#: The authors' program (GitHub zjj20212035/SPCA-PSD) with all parameters 10, run independently
#: under GNU Octave 7.3.0; 30 k-means runs on the first 100 features.
RELEASED_PROGRAM: dict[tuple[str, str], PrintedResult] = {
    ("isolet", "CSPCA-PSD"): PrintedResult(45.25, None, 62.06, None, 24),
    ("isolet", "AW-SPCA-PSD"): PrintedResult(41.29, None, 57.14, None, 46),
    ("pie", "CSPCA-PSD"): PrintedResult(42.80, None, 67.93, None, 20),
    ("pie", "AW-SPCA-PSD"): PrintedResult(42.39, None, 66.77, None, 35),
}

#: Section "Experiment 4", table "Number of iterations of SPCA-PSD and SPCAFS on different
#: datasets": all parameters 10.
ITERATIONS: dict[tuple[str, str], PrintedTiming] = {
    ("mstar_soc_cnn", "SPCA-PSD"): PrintedTiming(18, 0.1381),
    ("mstar_soc_cnn", "SPCAFS"): PrintedTiming(76, 0.4368),
    ("usps", "SPCA-PSD"): PrintedTiming(18, 0.0091),
    ("usps", "SPCAFS"): PrintedTiming(50, 0.0088),
    ("indoor_resnet50", "SPCA-PSD"): PrintedTiming(8, 0.2879),
    ("indoor_resnet50", "SPCAFS"): PrintedTiming(3, 1.0967),
    ("mnist", "SPCA-PSD"): PrintedTiming(19, 0.1504),
    ("mnist", "SPCAFS"): PrintedTiming(46, 0.2017),
}

#: Section "Experiment 5": "the maximal number of iterations is usually under 50".
USUAL_ITERATIONS = 50

#: Section "Experiment 6", the parameter-setting strategy: eta between these shares of Tr(XX^T),
#: lambda no larger than this share of eta.
RULE_ETA = (0.01, 0.10)
RULE_LAM = 0.10

#: Section "Parameter settings" and "Evaluation": the grid of every parameter, runs of k-means.
GRID = tuple(10.0**power for power in range(-4, 5))
N_RUNS = 30

#: The data sets of each experiment.
DATASETS: dict[int, tuple[str, ...]] = {
    1: ("usps", "isolet", "pie"),
    2: ("two-moon", "three-ring", "three-curve"),
    3: (
        *("usps", "isolet", "pie", "allaml", "orlraws10p", "mnist"),
        *("imm40", "lung", "mstar_soc_cnn", "indoor_resnet50"),
    ),
    4: ("usps", "mstar_soc_cnn", "indoor_resnet50", "mnist"),
    5: ("pie", "orlraws10p"),
    6: ("isolet", "allaml", "imm40", "lung"),
}

#: Section "Experiment 6": the values at which lambda, then eta, is held in the figure of times.
HELD: dict[str, float] = {"isolet": 1e3, "allaml": 1e4}
