"""`sparsecone datasets`."""

from __future__ import annotations

import json
from typing import Any

import pytest

from shared import folder


def test_datasets(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    data = folder("data")
    monkeypatch.setenv("SPARSECONE_DATA", str(data))
    listed = {info["name"]: info for info in json.loads(run("datasets", "list", "--json").stdout)}
    assert listed["allaml"]["available"]
    assert not listed["imm40"]["available"]
    assert "by hand" in run("datasets", "list").stdout
    assert "7129" in run("datasets", "info", "ALLAML").stdout
    about = json.loads(run("datasets", "info", "allaml", "--json").stdout)
    assert run("datasets", "fetch", "allaml").stdout.strip() == about["file"]
    for arguments, message in [
        (("info", "nowhere"), "There is no data set 'nowhere'"),
        (("fetch", "imm40"), "No public address of Imm40 is known"),
    ]:
        result = run("datasets", *arguments)
        assert result.exit_code == 2
        assert message in result.stderr
