"""The driver, what it returns, and its history."""

from .driver import Callback, solve, solve_with_proof
from .solution import Progress, Record, Solution, Status

__all__ = ["Callback", "Progress", "Record", "Solution", "Status", "solve", "solve_with_proof"]
