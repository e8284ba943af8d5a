"""Names as they are shown: in one line, of bounded length, without invisible characters."""

from __future__ import annotations

#: Joins emoji to one; harmless.
JOINER = "\u200d"


def shortened(name: str, longest: int) -> str:
    r"""Return a name that can be shown anywhere.

    White space becomes a space. What is invisible (control characters, marks that turn the
    direction of the text, halves of surrogate pairs) becomes a replacement character. What is too
    long ends in an ellipsis. Escaping is up to the page.

    Examples
    --------
    >>> shortened("two\nlines", 20), shortened("x" * 99, 5), shortened("", 5)
    ('two lines', 'xxxx…', '(no name)')
    """
    start = name[: 4 * longest]
    clean = "".join(
        " " if c.isspace() else c if c.isprintable() or c == JOINER else "\ufffd" for c in start
    ).strip()
    if not clean:
        return "(no name)"
    return clean if len(clean) <= longest else clean[: longest - 1] + "…"
