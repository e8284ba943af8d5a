"""The report of a selection: one HTML file with everything inside."""

from .page import render_report, write_report

__all__ = ["render_report", "write_report"]
