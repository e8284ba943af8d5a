"""The rooms of the package and who imports whom, read from the code: `make house`.

Writes the picture `house.svg` and the table of `house.md`; `tests/test_house.py` fails where the
two and the code disagree. Only imports that no other room already implies are drawn, always
downwards; rooms that import each other share a frame.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping
from html import escape
from itertools import combinations, pairwise
from pathlib import Path

import numpy as np
from scipy.optimize import linprog

DOCS = Path(__file__).parent
SOURCE = DOCS.parent / "src" / "sparsecone"
PICTURE, PAGE = DOCS / "house.svg", DOCS / "house.md"
START, END = "<!-- rooms -->\n", "<!-- end of rooms -->\n"

#: Doors, not rooms: what a user imports, and what `python -m` runs.
DOORS = {"__init__", "__main__"}
#: Pixels: a character, a box, a storey, the space between boxes, lines, and around a frame.
CHARACTER, HEIGHT, STOREY, GAP, LINE_GAP, MARGIN, RIM = 8.4, 36, 84, 30, 18, 14, 6
#: Fill and border from the ground to the roof; dark on pale, legible on any page.
TINTS = (
    ("#d3dfee", "#4a6f9c"),
    ("#cfe6e6", "#3d8488"),
    ("#d6ead3", "#558f52"),
    ("#f7ebc4", "#a8862a"),
    ("#f8dcc6", "#b86b34"),
)
INK, LINE = "#1c2733", "#8b97a5"

Room = str
#: A frame of one room, or of several that import each other.
Frame = tuple[Room, ...]
#: A frame, or the place on a storey where a line passes: (upper, lower, level).
Node = Frame | tuple[Frame, Frame, int]


def rooms(source: Path = SOURCE) -> dict[Room, str]:
    """Return the rooms, packages and root modules, each with the first line of its docstring."""
    files = {path.parent.name: path for path in source.glob("*/__init__.py")}
    files |= {path.stem: path for path in source.glob("*.py") if path.stem not in DOORS}
    docstrings = {name: ast.get_docstring(_tree(path)) or "" for name, path in files.items()}
    return {name: text.partition("\n")[0] for name, text in sorted(docstrings.items())}


def imports(source: Path = SOURCE) -> dict[Room, set[Room]]:
    """Return which other rooms each room imports from, anywhere in its code."""
    found: dict[Room, set[Room]] = {name: set() for name in rooms(source)}
    for path in source.rglob("*.py"):
        inside = path.relative_to(source).with_suffix("").parts
        if inside[0] in found:
            found[inside[0]] |= {name for name in _named(path, inside) if name in found}
    return {name: others - {name} for name, others in found.items()}


def _tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def _named(path: Path, inside: tuple[str, ...]) -> Iterable[str]:
    """Yield the first part below the package of everything a file imports from it."""
    for node in ast.walk(_tree(path)):
        if isinstance(node, ast.ImportFrom):
            base = ("sparsecone", *inside)[: -node.level] if node.level else ()
            module = tuple(filter(None, (node.module or "").split(".")))
            names = [(*base, *module, alias.name) for alias in node.names]
        elif isinstance(node, ast.Import):
            names = [tuple(alias.name.split(".")) for alias in node.names]
        else:
            continue
        yield from (name[1] for name in names if name[0] == "sparsecone" and len(name) > 1)


def frames(edges: Mapping[Room, set[Room]]) -> dict[Frame, set[Frame]]:
    """Return the rooms, those of a cycle together, and the imports that no others imply."""
    below = {room: _reached(room, edges) for room in edges}
    frame_of = {
        room: tuple(sorted({room} | {other for other in below[room] if room in below[other]}))
        for room in edges
    }
    whole = {
        frame: {frame_of[other] for room in frame for other in below[room]} - {frame}
        for frame in frame_of.values()
    }
    return {
        frame: lower - {deeper for other in lower for deeper in whole[other]}
        for frame, lower in sorted(whole.items())
    }


def _reached(room: Room, edges: Mapping[Room, set[Room]]) -> set[Room]:
    found: set[Room] = set()
    todo = [room]
    while todo:
        new = edges[todo.pop()] - found
        found |= new
        todo += new
    return found


def storeys(graph: Mapping[Frame, set[Frame]]) -> dict[Frame, int]:
    """Return the level of each frame, above all it imports, with the least length of all lines."""
    names = list(graph)
    drops = [(names.index(upper), names.index(lower)) for upper in graph for lower in graph[upper]]
    rows = np.zeros((len(drops), len(names)))
    for row, (upper, lower) in zip(rows, drops, strict=True):
        row[upper], row[lower] = 1.0, -1.0
    found = linprog(rows.sum(axis=0), A_ub=-rows, b_ub=-np.ones(len(drops)))
    return {name: round(level) for name, level in zip(names, found.x, strict=True)}


def wires(graph: Mapping[Frame, set[Frame]], levels: Mapping[Frame, int]) -> list[list[Node]]:
    """Return each line as the nodes it passes, one a storey."""
    return [
        [upper, *((upper, lower, k) for k in range(levels[upper] - 1, levels[lower], -1)), lower]
        for upper in graph
        for lower in sorted(graph[upper])
    ]


class Plan:
    """Where everything stands: storeys in order, few crossings, lines as straight as can be."""

    def __init__(self, graph: Mapping[Frame, set[Frame]]) -> None:
        self.levels = storeys(graph)
        self.wires = wires(graph, self.levels)
        self.above: dict[Node, list[Node]] = {}
        self.below: dict[Node, list[Node]] = {}
        for wire in self.wires:
            for upper, lower in pairwise(wire):
                self.below.setdefault(upper, []).append(lower)
                self.above.setdefault(lower, []).append(upper)
        nodes = dict.fromkeys([*graph, *(node for wire in self.wires for node in wire)])
        top = max(self.levels.values())
        self.rows = [[n for n in nodes if self.level(n) == k] for k in range(top + 1)]
        self._order()
        self.x = self._place()

    def level(self, node: Node) -> int:
        """Return the storey of a frame or of a line that passes."""
        return node[2] if is_line(node) else self.levels[node]  # type: ignore[index,return-value]

    def y(self, level: int) -> float:
        """Return the middle of a storey."""
        return MARGIN + HEIGHT / 2 + STOREY * (len(self.rows) - 1 - level)

    def _order(self) -> None:
        """Sort each storey by the middle of its neighbours; keep the order of fewest crossings."""
        best, fewest = [list(row) for row in self.rows], self._crossings()
        for sweep in range(40):
            near, levels = (
                (self.below, range(1, len(self.rows)))
                if sweep % 2 == 0
                else (self.above, range(len(self.rows) - 2, -1, -1))
            )
            for k in levels:
                place = {node: i / len(row) for row in self.rows for i, node in enumerate(row)}
                self.rows[k].sort(key=lambda n: np.mean([place[o] for o in near.get(n, [n])]))
            self._swap()
            if self._crossings() < fewest:
                best, fewest = [list(row) for row in self.rows], self._crossings()
        self.rows = best

    def _swap(self) -> None:
        """Exchange neighbours on a storey while that removes a crossing."""
        for row in self.rows:
            for i in range(len(row) - 1):
                before = self._crossings()
                row[i], row[i + 1] = row[i + 1], row[i]
                if self._crossings() >= before:
                    row[i], row[i + 1] = row[i + 1], row[i]

    def _crossings(self) -> int:
        total = 0
        for upper, lower in zip(self.rows[1:], self.rows[:-1], strict=True):
            place = {node: i for i, node in enumerate(lower)}
            ends = [[place[n] for n in self.below.get(node, ())] for node in upper]
            total += sum(
                b < a for left, right in combinations(ends, 2) for a in left for b in right
            )
        return total

    def _place(self) -> dict[Node, float]:
        """Place nodes apart on each storey so that lines run across as little as can be."""
        places = {node: i for i, node in enumerate(node for row in self.rows for node in row)}
        pieces = [ends for wire in self.wires for ends in pairwise(wire)]
        n, m = len(places), len(pieces)
        rules, limits = [], []
        for k, (upper, lower) in enumerate(pieces):
            # The variable n + k is at least |x of the upper - x of the lower|.
            for sign in (1.0, -1.0):
                rules.append({places[upper]: sign, places[lower]: -sign, n + k: -1.0})
                limits.append(0.0)
        for left, right in (ends for row in self.rows for ends in pairwise(row)):
            rules.append({places[left]: 1.0, places[right]: -1.0})
            limits.append(-_apart(left, right))
        matrix = np.zeros((len(rules), n + m))
        for row, rule in zip(matrix, rules, strict=True):
            row[list(rule)] = list(rule.values())
        # Lines that pass storeys are to be straight there.
        costs = [0.0] * n + [(1.0, 2.0, 8.0)[is_line(a) + is_line(b)] for a, b in pieces]
        x = linprog(costs, A_ub=matrix, b_ub=limits, bounds=(None, None)).x
        left_end = min(x[i] - width(node) / 2 for node, i in places.items()) - MARGIN
        return {node: float(x[i] - left_end) for node, i in places.items()}


def is_line(node: Node) -> bool:
    """Whether a node is a line that passes a storey."""
    return not isinstance(node[0], str)


def width(node: Node) -> float:
    """Return the width of a node, or of the space that a line needs."""
    return 0.0 if is_line(node) else sum(_room_width(str(room)) + 8 for room in node) - 8


def _room_width(room: Room) -> float:
    return CHARACTER * len(room) + 26


def _apart(left: Node, right: Node) -> float:
    """Return the least distance of the middles of two neighbours on a storey."""
    gap = LINE_GAP if is_line(left) and is_line(right) else GAP
    return (width(left) + width(right)) / 2 + gap


def svg(source: Path = SOURCE) -> str:
    """Return the picture."""
    plan = Plan(frames(imports(source)))
    ports = _ports(plan)
    drawn = [_wire(plan, wire, ports) for wire in plan.wires]
    drawn += [_frame(plan, frame) for frame in plan.levels]
    across = max(plan.x[node] + width(node) / 2 for node in plan.x) + MARGIN
    down = plan.y(0) + HEIGHT / 2 + MARGIN
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {across:.0f} {down:.0f}" '
        f'width="{across:.0f}" height="{down:.0f}" role="img" font-size="14" '
        'font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, monospace">\n'
        "<title>The rooms of sparsecone; lines go down to what a room imports</title>\n"
        + "".join(f"{element}\n" for element in drawn)
        + "</svg>\n"
    )


def _ports(plan: Plan) -> dict[tuple[Node, Node], float]:
    """Return where a line leaves its upper node and enters its lower one, side by side."""
    ports = {}
    for near in (plan.below, plan.above):
        for node, others in near.items():
            room = 0.0 if is_line(node) else min(width(node) - 24, 14.0 * (len(others) - 1))
            spread = np.linspace(-room / 2, room / 2, len(others)) if len(others) > 1 else [0.0]
            for shift, other in zip(spread, sorted(others, key=plan.x.__getitem__), strict=True):
                ports[node, other] = plan.x[node] + float(shift)
    return ports


def _wire(plan: Plan, wire: list[Node], ports: Mapping[tuple[Node, Node], float]) -> str:
    path = ""
    for upper, lower in pairwise(wire):
        a, b = ports[upper, lower], ports[lower, upper]
        top = plan.y(plan.level(upper)) + _half_height(upper)
        bottom = plan.y(plan.level(lower)) - _half_height(lower)
        middle = (top + bottom) / 2
        path += f"{'L' if path else 'M'}{a:.1f} {top:.1f}"
        path += f"C{a:.1f} {middle:.1f} {b:.1f} {middle:.1f} {b:.1f} {bottom:.1f}"
    ends = f"{' '.join(map(str, wire[0]))} / {' '.join(map(str, wire[-1]))}"
    return f'<path d="{path}" fill="none" stroke="{LINE}" stroke-width="1.5" data-line="{ends}"/>'


def _half_height(node: Node) -> float:
    return HEIGHT / 2 + (RIM if len(node) > 1 and not is_line(node) else 0)


def _frame(plan: Plan, frame: Frame) -> str:
    level = plan.levels[frame]
    fill, border = TINTS[level * (len(TINTS) - 1) // max(1, len(plan.rows) - 1)]
    x, y = plan.x[frame] - width(frame) / 2, plan.y(level) - HEIGHT / 2
    parts = []
    if len(frame) > 1:
        parts.append(
            _box(
                x - RIM,
                y - RIM,
                width(frame) + 2 * RIM,
                HEIGHT + 2 * RIM,
                "none",
                border,
                dashed=True,
            )
        )
    for room in frame:
        wide = _room_width(room)
        parts.append(_box(x, y, wide, HEIGHT, fill, border))
        parts.append(
            f'<text x="{x + wide / 2:.1f}" y="{y + HEIGHT / 2 + 5:.1f}" fill="{INK}" '
            f'text-anchor="middle">{escape(room)}</text>'
        )
        x += wide + 8
    return "".join(parts)


def _box(
    x: float, y: float, wide: float, tall: float, fill: str, border: str, *, dashed: bool = False
) -> str:
    dashes = ' stroke-dasharray="4 3"' if dashed else ""
    return (
        f'<rect x="{x:.1f}" y="{y:.1f}" width="{wide:.1f}" height="{tall:.1f}" rx="8" '
        f'fill="{fill}" stroke="{border}" stroke-width="1.2"{dashes}/>'
    )


def table(source: Path = SOURCE) -> str:
    """Return the rooms as a Markdown table, from the roof to the ground, with what they import."""
    edges, purposes = imports(source), rooms(source)
    below = {name: len(_reached(name, edges)) for name in edges}
    rows = [
        f"| `{name}` | {purposes[name]} | {', '.join(sorted(edges[name]))} |\n"
        for name in sorted(edges, key=lambda name: (-below[name], name))
    ]
    return "".join(["| room | what it is for | imports |\n", "|---|---|---|\n", *rows])


def page(text: str, source: Path = SOURCE) -> str:
    """Return the text of the page with the table of today."""
    before, rest = text.split(START)
    return f"{before}{START}{table(source)}{END}{rest.split(END)[1]}"


if __name__ == "__main__":
    PICTURE.write_text(svg(), encoding="utf-8")
    PAGE.write_text(page(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
