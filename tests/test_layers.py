"""Rules of the code base as checks: layers, optional packages, public names."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import sparsecone

SOURCE = Path(sparsecone.__file__).parent
# Every module imports from its own layer or from those before it.
LAYERS = [
    {"charts", "linalg", "optional"},
    {"data"},
    {"model"},
    {"certificate"},
    {"solvers"},
    {"solve"},
    {"selectors"},
    {"baselines"},
    {"registry", "metrics", "files", "datasets", "path", "stability"},
    {"display", "model_file", "report"},
    {"anndata", "reproduction"},
    {"cli", "__main__"},
]
OPTIONAL = {
    *("anndata", "dask", "h5py", "jinja2", "matplotlib", "pandas", "plotly", "polars", "pyarrow"),
    *("rich", "typer", "zarr"),
}


def imported_parts(path: Path) -> set[str]:
    """Return the first-level parts of the package that a file imports."""
    package = ("sparsecone", *path.relative_to(SOURCE).parts[:-1])
    parts: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and node.level:
            base = package[: len(package) - node.level + 1]
            full = (*base, *(node.module.split(".") if node.module else ()))
            names = [full] if node.module else [(*full, alias.name) for alias in node.names]
            parts |= {name[1] for name in names if len(name) > 1} - {"__version__"}
        elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith("sparsecone."):
            parts.add((node.module or "").split(".")[1])
    return parts


def test_imports_go_down_only() -> None:
    level = {name: depth for depth, layer in enumerate(LAYERS) for name in layer}
    for path in SOURCE.rglob("*.py"):
        own = path.relative_to(SOURCE).parts[0].removesuffix(".py")
        if own == "__init__":
            continue
        assert own in level, f"{path} belongs to no layer"
        above = {part for part in imported_parts(path) if level[part] > level[own]}
        assert not above, f"{path.relative_to(SOURCE)} imports upwards from {above}"


def modules_after(statement: str) -> set[str]:
    """Return the packages in memory after a statement in a fresh interpreter."""
    code = f"{statement}; import sys; print(*{{name.split('.')[0] for name in sys.modules}})"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return set(run.stdout.split())


def test_no_optional_package_is_imported() -> None:
    # What scikit-learn itself imports where it is installed is not ours to judge.
    ours = modules_after("import sparsecone") - modules_after("import sklearn.feature_selection")
    assert not OPTIONAL & ours


def test_public_names_exist_and_are_documented() -> None:
    for name in sparsecone.__all__:
        assert getattr(sparsecone, name).__doc__, name


def test_public_names_are_found_before_they_are_imported() -> None:
    assert {*sparsecone.__all__, "datasets", "metrics"} <= set(dir(sparsecone))
    assert "numpy" not in modules_after("import sparsecone; assert 'SPCAPSD' in dir(sparsecone)")
    assert callable(sparsecone.lambda_max)
    assert sparsecone.metrics.redundancy
    with pytest.raises(AttributeError, match="module 'sparsecone' has no attribute 'nowhere'"):
        sparsecone.nowhere  # noqa: B018


def added_share(statement: str, peer: str) -> float:
    """Return the processor time that a statement adds to another's, as a share of it."""
    clock = "import time; clock = time.process_time"
    code = f"{clock}; {peer}; before = clock(); {statement}; print(clock() / before - 1.0)"
    return float(subprocess.check_output([sys.executable, "-c", code]))


@pytest.mark.parametrize("statement", ["import sparsecone", "from sparsecone import SPCAPSD"])
def test_import_costs_little_beside_scikit_learn(statement: str) -> None:
    # The second statement pays for what the lazy import puts off.
    shares = [added_share(statement, "import sklearn.feature_selection") for _ in range(3)]
    assert min(shares) < 0.3
