"""The report of a selection: one HTML file with everything inside."""

from .comparison import write_comparison
from .page import render_report, write_report

__all__ = ["render_report", "write_comparison", "write_report"]
