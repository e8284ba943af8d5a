"""What proves that a factor is (nearly) optimal: everything that must be proved is here.

The dual of the problem is to maximise `<A, X'> - phi*(A)` over A (d x n) and B (d x d) subject to

    |b_j| <= lam for every column j,      M = sym(A X + B) <= eta I,

with |a_i| <= 1 for the robust loss and sum_i a_i = 0 where an offset is learned. Every inequality
that is used is proved in `docs/mathematics.md`.
"""

from .certify import Certificate, bound_with, certify
from .dual_point import Bound, Excess, Multipliers
from .inequality import strategy_for
from .span import SpanPart
from .spectral import Strategy
from .verdict import InvalidCertificate, relative_gap

__all__ = [
    "Bound",
    "Certificate",
    "Excess",
    "InvalidCertificate",
    "Multipliers",
    "SpanPart",
    "Strategy",
    "bound_with",
    "certify",
    "relative_gap",
    "strategy_for",
]
