"""The published algorithm and the certified optimum at the same settings, pair by pair."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .cell import Row
from .results import Results
from .section import Table
from .significance import fewest, in_words, signed_rank
from .sources import title_of

MODELS = ("SPCA-PSD", "CSPCA-PSD", "AW-SPCA-PSD")

Weights = tuple[float, float]


@dataclass(frozen=True)
class Comparison:
    """What the two have at the settings and numbers of features that both have."""

    n_settings: int  #: Number of settings that both have.
    #: Mean ACC over these.
    published: float
    optimum: float
    nmi: float  #: Mean difference of NMI, optimum minus published.
    same: float  #: Share of the settings and numbers at which both select the same set of features.


def weights_of(row: Row) -> Weights:
    """Return lambda and eta as a plan states them."""
    parameters = row["parameters"]
    return float(parameters.get("lam", 0.0)), float(parameters.get("eta", 0.0))


def compare(results: Results, dataset: str, model: str) -> Comparison | None:
    """Return the comparison on a data set, None where no setting is in both."""
    published, optimum = (
        {
            weights_of(row): {score["n_features"]: score for score in row["scores"]}
            for row in results.where(dataset=dataset, method=method)
            if row.get("scores") and is_absolute(row)
        }
        for method in (f"{model} (published)", model)
    )
    pairs = [
        (published[weights][count], optimum[weights][count])
        for weights in published.keys() & optimum.keys()
        for count in published[weights].keys() & optimum[weights].keys()
    ]
    if not pairs:
        return None
    acc = [[score["acc_mean"] for score in pair] for pair in pairs]
    nmi = [second["nmi_mean"] - first["nmi_mean"] for first, second in pairs]
    same = [a.get("features") is not None and a["features"] == b.get("features") for a, b in pairs]
    before, after = np.mean(acc, axis=0).tolist()
    n_settings = len(published.keys() & optimum.keys())
    return Comparison(n_settings, before, after, float(np.mean(nmi)), float(np.mean(same)))


def is_absolute(row: Row) -> bool:
    """Return whether lambda and eta are the paper's own numbers, not shares of the variance."""
    published = str(row["method"]).endswith("(published)")
    return published or row["parameters"].get("units") == "absolute"


def same_settings(results: Results) -> list[Table | str]:
    """Return the table of all models and data sets, and what a test says of each model."""
    lines, told = [], []
    for model in MODELS:
        differences = []
        for dataset in results.datasets():
            found = compare(results, dataset, model)
            if found is None:
                continue
            difference = found.optimum - found.published
            differences.append(difference)
            lines.append(
                (
                    *(model, title_of(dataset), str(found.n_settings)),
                    *(f"{found.published:.1f}", f"{found.optimum:.1f}", f"{difference:+.1f}"),
                    *(f"{found.nmi:+.1f}", f"{100.0 * found.same:.0f}"),
                )
            )
        if differences:
            told.append(f"{model}: {_test(differences)}")
    if not lines:
        return []
    columns = ("Model", "Data", "Settings", "ACC, published", "ACC, optimum", "Difference")
    caption = (
        "The end of the published algorithm and the certified optimum of the same problem, at the "
        "settings and numbers of features that both have: mean ACC in %, differences of ACC and "
        "NMI, and in how many % of the cases both select the same set of features."
    )
    heads = (*columns, "Difference of NMI", "Same set in %")
    sentence = (
        "Does the certified optimum select better than where the published algorithm ends? "
        f"Optimum minus published in ACC, at the same settings. {'. '.join(told)}."
    )
    return [sentence, Table(caption, heads, tuple(lines), "3_same_settings")]


def _test(differences: list[float]) -> str:
    mean = f"{np.mean(differences):+.1f} points over {len(differences)} data sets"
    if len(differences) < fewest("two-sided"):
        return f"{mean}, too few for a test"
    p_value = signed_rank(differences, "two-sided")
    return f"{mean}, {in_words(p_value)} (Wilcoxon's signed-rank test, two-sided)"
