"""Nothing is longer than one can read: files, and the bodies of functions."""

from __future__ import annotations

import ast
from pathlib import Path
from statistics import median

SOURCE = Path(__file__).parents[1] / "src" / "sparsecone"
FILES = sorted(SOURCE.rglob("*.py"))
LONGEST_BODY = 45
LONGEST_MEDIAN = 120
MOST_MODULES = 5


def bodies(path: Path) -> dict[str, int]:
    """Return how many lines the functions of a file have beneath their docstrings."""
    found = {}
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            body = node.body[1 if ast.get_docstring(node) else 0 :]
            if body:
                found[f"{path.name}: {node.name}"] = body[-1].end_lineno - body[0].lineno + 1
    return found


def test_no_body_is_longer_than_a_screen() -> None:
    lengths = {name: lines for path in FILES for name, lines in bodies(path).items()}
    assert not {name: lines for name, lines in lengths.items() if lines > LONGEST_BODY}


def test_half_of_the_files_are_short() -> None:
    assert median(len(path.read_text(encoding="utf-8").splitlines()) for path in FILES) <= (
        LONGEST_MEDIAN
    )


def test_the_root_has_few_modules() -> None:
    assert len(list(SOURCE.glob("[!_]*.py"))) <= MOST_MODULES
