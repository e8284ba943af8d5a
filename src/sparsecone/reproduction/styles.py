"""How each method looks in figures: colours that print and that colour-blind readers tell apart.

The colours are those of Okabe and Ito (2008). There are more methods than colours, so markers and
dashes differ too; the certified optimum of a model has the colour of its published algorithm.
"""

from __future__ import annotations

import zlib
from dataclasses import dataclass

from .methods import method_of

BLACK, ORANGE, SKY, GREEN = "#000000", "#E69F00", "#56B4E9", "#009E73"
BLUE, VERMILION, PURPLE, GREY = "#0072B2", "#D55E00", "#CC79A7", "#7F7F7F"
COLOURS = (VERMILION, BLUE, GREEN, PURPLE, ORANGE, SKY)
MARKERS = "osD^v<>Ph*Xpd"
DASHES = ("-", "--", "-.", ":")


@dataclass(frozen=True)
class Style:
    """Colour, marker, dash and width of a line; whether the marker is filled."""

    colour: str
    marker: str = "o"
    dash: str = "-"
    width: float = 1.1
    filled: bool = True


_STYLES = {
    "SPCA-PSD (published)": Style(VERMILION, "o", "-", 1.8),
    "SPCA-PSD": Style(VERMILION, "o", "--", 1.2, filled=False),
    "SPCA-PSD (auto)": Style(VERMILION, "*", "-", 1.8),
    "SPCA-PSD (auto, scores)": Style(VERMILION, "v", "-.", filled=False),
    "SPCA-PSD (auto, explained)": Style(VERMILION, "^", ":", filled=False),
    "CSPCA-PSD (published)": Style(BLUE, "s", "-", 1.8),
    "CSPCA-PSD (released)": Style(BLUE, "P", "-.", 1.2),
    "CSPCA-PSD": Style(BLUE, "s", "--", 1.2, filled=False),
    "CSPCA-PSD (auto)": Style(BLUE, "*", "-", 1.8),
    "CSPCA": Style(BLUE, "X", ":", 1.2),
    "AW-SPCA-PSD (published)": Style(PURPLE, "D", "-", 1.8),
    "AW-SPCA-PSD": Style(PURPLE, "D", "--", 1.2, filled=False),
    "AW-SPCA": Style(PURPLE, "X", ":", 1.2),
    "SPCAFS": Style(ORANGE, "^", "-", 1.2),
    "LapScore": Style(GREEN, "v", "-", 1.0),
    "UDFS": Style(SKY, "<", "-", 1.0),
    "SOGFS": Style(GREEN, ">", "--", 1.0),
    "RNE": Style(SKY, "P", "--", 1.0),
    "CUR": Style(GREEN, "s", "-", 1.0),
    "FPS": Style(GREEN, "D", "--", 1.0),
    "MCFS": Style(ORANGE, "h", "--", 1.0),
    "SPEC": Style(SKY, "X", "-", 1.0),
    "NDFS": Style(SKY, "<", "-.", 1.0),
    "JELSR": Style(PURPLE, ">", ":", 1.0),
    "RUFS": Style(PURPLE, "p", "-.", 1.0),
    "FSASL": Style(ORANGE, "^", ":", 1.0),
    "All features": Style(BLACK, "", ":", 1.2),
    "Highest variance": Style(GREY, "x", "-.", 1.0),
    "Random subset": Style(GREY, "+", ":", 1.0),
}


def style_of(name: str) -> Style:
    """Return how a method looks: a style of its own, or one that its name gives it.

    Examples
    --------
    >>> style_of("SPCA-PSD").colour == style_of("SPCA-PSD (published)").colour
    True
    """
    if name in _STYLES:
        return _STYLES[name]
    number = zlib.crc32(name.encode())
    width = 1.6 if method_of(name).kind == "own" else 1.0
    colour = COLOURS[number % len(COLOURS)]
    marker = MARKERS[number // 7 % len(MARKERS)]
    return Style(colour, marker, DASHES[number // 101 % len(DASHES)], width)
