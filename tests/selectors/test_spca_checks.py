"""scikit-learn's own checks, and what every SPCA method and control has in common."""

from __future__ import annotations

from typing import Any

from sklearn.utils.estimator_checks import parametrize_with_checks

from sparsecone.selectors.aw_spca import AWSPCA
from sparsecone.selectors.controls import AllFeatures, MaxVariance, RandomFeatures
from sparsecone.selectors.cspca import CSPCA
from sparsecone.selectors.spcafs import SPCAFS

METHODS = [SPCAFS(), CSPCA(), AWSPCA()]
CONTROLS = [AllFeatures(), MaxVariance(), RandomFeatures(random_state=0)]


@parametrize_with_checks([*METHODS, *CONTROLS])
def test_scikit_learn_checks(estimator: Any, check: Any) -> None:
    check(estimator)
