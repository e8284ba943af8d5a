"""`sparsecone methods`."""

from __future__ import annotations

import json
from typing import Any

from sparsecone.registry import methods


def test_methods_lists_all(run: Any) -> None:
    listed = json.loads(run("methods", "--json").stdout)
    assert [method["name"] for method in listed] == [method.name for method in methods()]
    shown = run("methods").stdout
    assert all(method.name in shown for method in methods())
