"""What must agree before a release: versions, licences, platforms, workflows."""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

import sparsecone

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))


def test_the_version_is_written_once_and_cited_as_it_is() -> None:
    assert "version" not in PROJECT
    assert PROJECT["dynamic"] == ["version"]
    citation = (ROOT / "CITATION.cff").read_text()
    assert f"\nversion: {sparsecone.__version__}\n" in citation
    assert f"version = {{{sparsecone.__version__}}}" in (ROOT / "docs" / "citing.md").read_text()
    released = re.search(r"^date-released: (.+)$", citation, re.M)[1]  # type: ignore[index]
    first = re.search(r"^## .+$", (ROOT / "CHANGELOG.md").read_text(), re.M)
    assert first is not None
    assert first[0] == f"## {sparsecone.__version__} - {released}"


def test_every_dependency_is_listed_with_its_licence() -> None:
    from licences import dependencies

    listed = re.findall(
        r"^\| (\S+) \| (.*) \| (.*) \|$", (ROOT / "docs" / "licences.md").read_text(), re.M
    )
    rows = {name: (needed, licence) for name, needed, licence in listed[1:]}
    assert {name: needed for name, (needed, _) in rows.items()} == {
        name: ", ".join(extras) for name, extras in dependencies().items()
    }
    for name, (needed, licence) in rows.items():
        assert licence not in ("", "?", "not installed here"), name
        assert needed == "study" or not re.search("GPL|General Public", licence), name


def installed_by(extra: str) -> set[str]:
    """The packages of an extra and of the extras that it names."""
    found = set()
    for requirement in PROJECT["optional-dependencies"][extra]:
        name, others = re.match(r"([\w-]+)(?:\[(.*?)\])?", requirement).groups()  # type: ignore[union-attr]
        found |= {name, *(others.split(",") if others else ())}
        if name == PROJECT["name"]:
            found |= set().union(*map(installed_by, others.split(",")))
    return found


def required() -> Iterator[tuple[str, str, str]]:
    """Where the code asks for which package, and the extra that it names."""
    for path in sorted((ROOT / "src").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "require":
                options = {o.arg: o.value for o in node.keywords}
                package = node.args[0]
                if isinstance(package, ast.Constant) and "extra" in options:
                    yield str(path), package.value, ast.literal_eval(options["extra"])


def test_what_is_said_to_install_a_package_does() -> None:
    calls = list(required())
    assert len(calls) > 20
    for path, package, extra in calls:
        assert package.split(".")[0] in installed_by(extra), (path, package, extra)


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_workflows_call_what_there_is(path: Path) -> None:
    text = path.read_text()
    jobs = yaml.safe_load(text)["jobs"]
    assert all("runs-on" in job for job in jobs.values())
    makefile = (ROOT / "Makefile").read_text()
    for target in re.findall(r"make ([a-z-]+)$", text, re.M):
        assert re.search(rf"^(.* )?{target}( .*)?:", makefile, re.M), target


def test_the_tests_run_on_every_python_that_is_claimed() -> None:
    claimed = re.findall(r"Python :: (3\.\d+)", "\n".join(PROJECT["classifiers"]))
    jobs = yaml.safe_load((ROOT / ".github" / "workflows" / "tests.yml").read_text())["jobs"]
    assert jobs["all"]["strategy"]["matrix"]["python"] == claimed
    assert jobs["all"]["steps"][-1]["run"] == "bash .ci/run"
