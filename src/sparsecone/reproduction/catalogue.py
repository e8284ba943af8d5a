"""All experiments, by number."""

from __future__ import annotations

from . import clustering, convergence, psd_projection, running_time, sensitivity, synthetic
from .experiment import Experiment

EXPERIMENTS: dict[int, Experiment] = {
    module.EXPERIMENT.number: module.EXPERIMENT
    for module in (psd_projection, synthetic, clustering, running_time, convergence, sensitivity)
}
