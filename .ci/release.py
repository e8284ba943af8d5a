"""Build a release twice, compare, check and try it: `make release-check`.

Wheel and sdist must be the same to the last byte in both builds, pass `twine check`, hold nothing
that does not belong to them, and run in an environment that has nothing else.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import tarfile
import tempfile
import venv
from collections import Counter
from pathlib import Path
from zipfile import ZipFile

ROOT = Path(__file__).parents[1]
# What reproducible builds take for the time of all files: the commit's, or this.
EPOCH = "1700000000"
FOREIGN = ("tests/", "benchmarks/", "docs/", "examples/", ".ci/", "rows.jsonl")
DATA = (".npz", ".npy", ".mat", ".h5ad", ".parquet", ".csv", ".pyc")
TRIAL = """
import sys
import numpy as np
import sparsecone
assert "site-packages" in sparsecone.__file__, sparsecone.__file__
X = np.random.default_rng(0).normal(size=(50, 8)) * np.arange(1, 9)
fit = sparsecone.SPCAPSD(n_features_to_select=3).fit(X)
assert fit.solution_.status == "converged", fit.solution_
absent = {"polars", "typer", "h5py", "pandas"} & set(sys.modules)
assert not absent, absent
print(sparsecone.__version__, fit.selected_.tolist(), fit.solution_)
"""


def readme_example() -> str:
    """Return the code that the README shows."""
    readme = (ROOT / "README.md").read_text()
    return readme.split("```python\n", 1)[1].split("```", 1)[0]


def run(*command: object, **options: object) -> None:
    """Run a command that must succeed."""
    subprocess.run([str(part) for part in command], check=True, **options)  # type: ignore[call-overload]


def built(folder: Path) -> list[Path]:
    """Build wheel and sdist into a folder."""
    environment = os.environ | {"SOURCE_DATE_EPOCH": os.environ.get("SOURCE_DATE_EPOCH", EPOCH)}
    run(sys.executable, "-m", "build", "--outdir", folder, ROOT, env=environment,
        stdout=subprocess.DEVNULL)  # fmt: skip
    return sorted(folder.iterdir())


def digest(path: Path) -> str:
    """Return the hash of a file."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def check_contents(wheel: Path, sdist: Path) -> None:
    """Print what is inside, and complain of what should not be."""
    with ZipFile(wheel) as archive:
        names = archive.namelist()
    strange = [name for name in names if name.startswith(FOREIGN) or name.endswith(DATA)]
    if strange:
        sys.exit(f"The wheel holds {strange}.")
    rooms = Counter("/".join(name.split("/")[:2]) for name in names if name.count("/") > 1)
    print("\n".join(f"{count:5d}  {room}/" for room, count in sorted(rooms.items())))
    with tarfile.open(sdist) as archive:
        members = archive.getnames()
    print(f"{len(names)} files in the wheel, {len(members)} in the sdist")


def try_wheel(wheel: Path, folder: Path) -> None:
    """Install the wheel where nothing else is, and select."""
    venv.create(folder, with_pip=True)
    python = folder / ("Scripts" if os.name == "nt" else "bin") / "python"
    run(python, "-m", "pip", "install", "--quiet", wheel)
    run(python, "-I", "-c", TRIAL, cwd=folder)
    run(python, "-m", "pip", "install", "--quiet", f"sparsecone[cli] @ {wheel.resolve().as_uri()}")
    run(python, "-I", "-c", readme_example(), cwd=folder)
    run(python, "-I", "-m", "sparsecone", "demo", "--help", cwd=folder, stdout=subprocess.DEVNULL)
    run(python, "-I", "-m", "sparsecone", "methods", cwd=folder, stdout=subprocess.DEVNULL)


def main() -> None:
    """Build, compare, check, try; leave the files in dist/."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        first, second = built(folder / "1"), built(folder / "2")
        for one, other in zip(first, second, strict=True):
            if digest(one) != digest(other):
                sys.exit(f"Two builds of {one.name} differ.")
            print(f"{one.name}: {one.stat().st_size} bytes, sha256 {digest(one)}")
        run(sys.executable, "-m", "twine", "check", "--strict", *first)
        sdist, wheel = (next(p for p in first if p.suffix == end) for end in (".gz", ".whl"))
        check_contents(wheel, sdist)
        try_wheel(wheel, folder / "empty")
        (ROOT / "dist").mkdir(exist_ok=True)
        for path in first:
            (ROOT / "dist" / path.name).write_bytes(path.read_bytes())


if __name__ == "__main__":
    main()
