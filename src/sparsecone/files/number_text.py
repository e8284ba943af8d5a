"""Numbers as people write them: with decimal commas, groups of thousands, or as yes and no."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .csv_text import GAPS
from .dataset import DataFileError, shown

if TYPE_CHECKING:
    import polars as pl

_EXPONENT = r"([eE][+-]?\d+)?$"
_GAP_IN_GROUPS = r"[ '\x{a0}\x{202f}\x{2019}]"
# 169,2 and 1.234,5 and 1 234,5: what can only be a decimal comma, or groups before one.
_COMMA = rf"^[+-]?(\d{{1,3}}([.]\d{{3}})+|\d{{1,3}}({_GAP_IN_GROUPS}\d{{3}})+|\d*),\d+{_EXPONENT}"
_WHOLE = rf"^[+-]?(\d{{1,3}}([.]\d{{3}})+|\d{{1,3}}({_GAP_IN_GROUPS}\d{{3}})+|\d+){_EXPONENT}"
# 1,234.5 and 1,234,567 and 1'234.5: groups, and a decimal point where there is one.
_GROUPED = (
    rf"^[+-]?(\d{{1,3}}(,\d{{3}})+|\d{{1,3}}({_GAP_IN_GROUPS}\d{{3}})+|\d+)?([.]\d*)?{_EXPONENT}"
)
# 1,234 may be either.
_EITHER = r"^[+-]?[1-9]\d{0,2},\d{3}$"
#: 12.500 as it stands beside decimal commas.
THOUSANDS = r"^[+-]?[1-9]\d{0,2}([.]\d{3})+$"

# Signs stand anywhere, letters after a space.
_UNIT = re.compile(
    r"(?P<before>[€$£¥]?) ?[+-]?[\d.,'\u2019\u202f\xa0 ]*\d(?P<after>| ?[%‰€$£¥°]\w?| [^\W\d]\S*)"
)

_YES_AND_NO = (
    *({"yes", "no"}, {"y", "n"}, {"true", "false"}, {"t", "f"}, {"on", "off"}),
    *({"ja", "nein"}, {"wahr", "falsch"}, {"oui", "non"}, {"vrai", "faux"}, {"si", "no"}),
)
_YES = {"yes", "y", "true", "t", "on", "ja", "wahr", "oui", "vrai", "si"}


def bare(column: pl.Series, polars: Any, gaps: Sequence[str] = ()) -> pl.Series:
    """Return a column of text without spaces and units at its entries, and with nulls for gaps."""
    stripped = column.cast(polars.String).str.strip_chars()
    empty = stripped.is_in([*GAPS, *gaps])
    known = stripped.to_frame().select(polars.when(~empty).then(polars.first())).to_series()
    return _without_unit(known)


def _without_unit(column: pl.Series) -> pl.Series:
    """Return a column without the unit that all of its entries have, such as 12 %, $5 or 3 kg."""
    entries = column.drop_nulls()
    found = _UNIT.fullmatch(entries[0]) if entries.len() else None
    if found is None:
        return column
    before, after = found["before"], found["after"]
    if not (before or after):
        return column
    same = entries.str.starts_with(before) & entries.str.ends_with(after)
    if not same.all():
        return column
    return column.str.strip_prefix(before).str.strip_suffix(after).str.strip_chars()


def has_decimal_commas(columns: Sequence[pl.Series]) -> bool:
    """Whether a column has nothing but numbers, of which some can only have a decimal comma."""
    return any(_is(column, _COMMA, _WHOLE) and _some_comma(column) for column in columns)


def _is(column: pl.Series, *patterns: str) -> bool:
    """Whether every entry has one of some forms, and there is an entry."""
    entries = column.drop_nulls()
    return entries.len() > 0 and bool(entries.str.contains("|".join(patterns)).all())


def _some_comma(column: pl.Series) -> bool:
    """Whether an entry has a comma that separates no thousands."""
    entries = column.drop_nulls()
    return bool((entries.str.contains(_COMMA) & ~entries.str.contains(_EITHER)).any())


def numbers_in(
    columns: Sequence[pl.Series], polars: Any, *, path: Path, decimal: str | None, has_points: bool
) -> list[pl.Series]:
    """Return those columns of text that are numbers, or yes and no, as numbers.

    The columns are those that `bare` returns, `decimal` is what separates the fraction, or None for
    what the entries say. Where other columns have decimal points 1,234 is a thousand.
    """
    commas = decimal == "," or (decimal is None and has_decimal_commas(columns))
    found = []
    for column in columns:
        plain = column.cast(polars.Float64, strict=False)
        is_plain = plain.null_count() == column.null_count()
        number: pl.Series | None = plain
        if commas and (_is(column, THOUSANDS) or not is_plain):
            number = _read(column, _COMMA, _WHOLE, point=",", polars=polars)
        elif not is_plain:
            if decimal is None and not has_points and _is(column, _EITHER):
                raise _ambiguous(column, path)
            number = _read(column, _GROUPED, point=".", polars=polars)
        if number is None:
            number = _yes_or_no(column, polars)
        if number is not None:
            found.append(number)
    return found


def _read(column: pl.Series, *patterns: str, point: str, polars: Any) -> pl.Series | None:
    """Return the numbers of a column that has no others than of some forms."""
    if not _is(column, *patterns):
        return None
    groups = _GAP_IN_GROUPS[:-1] + ("." if point == "," else ",") + "]"
    plain = column.str.replace_all(groups, "").str.replace_all(",", ".", literal=True)
    numbers = plain.cast(polars.Float64, strict=False)
    return numbers if numbers.null_count() == column.null_count() else None


def _yes_or_no(column: pl.Series, polars: Any) -> pl.Series | None:
    """Return ones for yes and zeros for no, where a column has these two entries."""
    lower = column.str.to_lowercase()
    if set(lower.drop_nulls().unique()) not in _YES_AND_NO:
        return None
    yes = polars.first().is_in(list(_YES)).cast(polars.Float64)
    return lower.to_frame().select(yes).to_series()


def _ambiguous(column: pl.Series, path: Path) -> DataFileError:
    entry = shown(str(column.drop_nulls()[0]))
    return DataFileError(
        path,
        f"has numbers such as {entry} in column {shown(column.name)}, which may be thousands or "
        "have a decimal comma",
        remedy="Say which: decimal=',' (--decimal ,) or decimal='.' (--decimal .)",
    )
