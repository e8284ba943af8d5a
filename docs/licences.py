"""Write the licences of all direct dependencies: `python docs/licences.py > docs/licences.md`."""

from __future__ import annotations

import re
import tomllib
from importlib.metadata import PackageNotFoundError, metadata
from pathlib import Path

ROOT = Path(__file__).parents[1]
HEAD = """# Licences of dependencies

sparsecone is BSD-3-Clause and copies no code from other packages. It imports those below: the first
three always, the others with the extra that names them; those of `study`, one of them under the
GPL, are called by the comparison of gene selections alone. `python docs/licences.py >
docs/licences.md` writes this page anew.

| package | needed for | licence |
|---|---|---|"""
# Extras that only collect others.
COLLECTIONS = ("all", "dev")
_LICENCE = "License :: OSI Approved :: "


def dependencies() -> dict[str, list[str]]:
    """Return every direct dependency, with the extras that need it; core has no extra."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    needed: dict[str, list[str]] = {}
    extras = {"": project["dependencies"]} | project["optional-dependencies"]
    for extra, requirements in extras.items():
        for requirement in requirements:
            name = re.split(r"[\\[<>=~! ]", requirement)[0]
            if name != project["name"] and extra not in COLLECTIONS:
                needed.setdefault(name, []).append(extra or "everything")
    return needed


def licence(name: str) -> str:
    """Return the licence that a package states, in one line."""
    try:
        stated = metadata(name)
    except PackageNotFoundError:
        return "not installed here"
    classes = [
        line.removeprefix(_LICENCE)
        for line in stated.get_all("Classifier") or ()
        if line.startswith(_LICENCE)
    ]
    text = stated.get("License-Expression") or ", ".join(classes) or stated.get("License") or "?"
    return text.splitlines()[0][:80]


def main() -> None:
    """Print the page."""
    print(HEAD)
    for name, extras in dependencies().items():
        print(f"| {name} | {', '.join(extras)} | {licence(name)} |")


if __name__ == "__main__":
    main()
