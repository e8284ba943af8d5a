"""CSPCA-PSD as its authors released it."""

from __future__ import annotations

from ..model.problem import Problem
from ..selectors import CSPCAPSD
from ..solvers import Plan, Published


class ReleasedCSPCAPSD(CSPCAPSD):
    """The published algorithm of CSPCA-PSD with the steps of the authors' program.

    The program has eta where the derivative of the objective has eta / 2: it takes the steps of the
    problem with twice the eta, but records the objective, and stops, with the eta stated. The
    parameters are those of `CSPCAPSD`; `solver` is not used.
    """

    def _plan(self, problem: Problem) -> Plan:  # noqa: ARG002
        solver = Published(random_state=self.random_state, eta_factor=2.0)
        return Plan(((solver, solver.max_iter),))
