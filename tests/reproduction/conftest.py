"""A machine that does nothing else, whatever runs beside the tests."""

from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def idle_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let rows say that one process ran."""
    monkeypatch.setattr("sparsecone.reproduction.machine._load", lambda: 1.0)
