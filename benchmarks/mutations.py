"""Small mistakes in source code, one at a time: what `mutants.py` puts into the rooms."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import NamedTuple

_COMPARISONS: dict[type[ast.cmpop], str] = {
    ast.Lt: "<=",
    ast.LtE: "<",
    ast.Gt: ">=",
    ast.GtE: ">",
    ast.Eq: "!=",
    ast.NotEq: "==",
    ast.Is: "is not",
    ast.IsNot: "is",
    ast.In: "not in",
    ast.NotIn: "in",
}
_OPERATIONS: dict[type[ast.operator], str] = {
    ast.Add: "-",
    ast.Sub: "+",
    ast.Mult: "/",
    ast.Div: "*",
    ast.FloorDiv: "*",
    ast.Mod: "*",
    ast.Pow: "*",
}
_NAMES = {"min": "max", "any": "all", "minimum": "maximum", "argmin": "argmax", "floor": "ceil"}
_NAMES |= {other: name for name, other in _NAMES.items()}


class Mutation(NamedTuple):
    """A piece of a source file and what takes its place.

    Attributes
    ----------
    line : int
        The line of the piece, from one.
    start, end : int
        Where in the file it stands, in bytes of UTF-8.
    text : str
        What stands there instead.
    """

    line: int
    start: int
    end: int
    text: str

    def applied(self, source: bytes) -> bytes:
        """Return the source with the mistake in it."""
        return source[: self.start] + self.text.encode() + source[self.end :]


def mutations(source: bytes) -> list[Mutation]:
    """Return all mistakes that a source file can be given, in the order of their places."""
    starts = [0]
    for line in source.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))

    found = []
    for node in _code(ast.parse(source)):
        for first, last, text in _changes(node, source, starts):
            found.append(Mutation(getattr(node, "lineno", 1), first, last, text))
    return sorted(set(found), key=lambda mutation: mutation[1:])


def _code(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the nodes that run: no annotations, no texts, nothing for type checkers alone."""
    for name, value in ast.iter_fields(node):
        if name in ("annotation", "returns", "type_params", "decorator_list"):
            continue
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST) and not isinstance(child, ast.JoinedStr):
                yield child
                yield from _code(child)


def _changes(node: ast.AST, source: bytes, starts: list[int]) -> Iterator[tuple[int, int, str]]:
    """Yield what may take the place of a node, or of the sign within it."""

    def begin(part: ast.expr | ast.stmt) -> int:
        return starts[part.lineno - 1] + part.col_offset

    def end(part: ast.expr | ast.stmt) -> int:
        return starts[(part.end_lineno or 1) - 1] + (part.end_col_offset or 0)

    def between(left: ast.expr, right: ast.expr, text: str) -> tuple[int, int, str]:
        # Brackets and line ends beside the sign stay.
        first, last = end(left), begin(right)
        sign = source[first:last].decode()
        core = sign.strip("() \n\t")
        place = first + len(sign[: sign.index(core)].encode())
        return place, place + len(core.encode()), text

    match node:
        case ast.Compare(left=left, ops=[sign], comparators=[right]):
            yield between(left, right, _COMPARISONS[type(sign)])
        case ast.BinOp(left=left, op=sign, right=right) if type(sign) in _OPERATIONS:
            if not any(isinstance(side, ast.JoinedStr) for side in (left, right)):
                yield between(left, right, _OPERATIONS[type(sign)])
        case ast.BoolOp(op=sign, values=[left, right, *_]):
            yield between(left, right, "or" if isinstance(sign, ast.And) else "and")
        case ast.UnaryOp(op=ast.Not() | ast.USub(), operand=operand):
            yield begin(node), end(node), f"({ast.unparse(operand)})"
        case ast.Constant(value=bool() as value):
            yield begin(node), end(node), str(not value)
        case ast.Constant(value=int() | float() as value):
            yield begin(node), end(node), repr(value + 1)
        case ast.Attribute(attr=name) | ast.Name(id=name) if name in _NAMES:
            yield end(node) - len(name), end(node), _NAMES[name]
        case ast.If(test=test) | ast.While(test=test) | ast.IfExp(test=test):
            is_for_checkers = isinstance(test, ast.Name) and test.id == "TYPE_CHECKING"
            if not (isinstance(test, ast.Compare | ast.UnaryOp) or is_for_checkers):
                yield begin(test), end(test), f"(not ({ast.unparse(test)}))"
        case ast.Break():
            yield begin(node), end(node), "continue"
        case ast.Continue():
            yield begin(node), end(node), "break"
