"""Pictures of two reports, as a desk and a phone show them in light and dark: `make screens`."""

from __future__ import annotations

from pathlib import Path

FOLDER = Path(__file__).parent / "screens"
WIDTHS = {"desktop": 1280, "phone": 390}
#: Colours of a picture; text stays sharp and files small.
COLOURS = 64
