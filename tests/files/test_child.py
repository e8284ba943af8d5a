"""The process that reads for another one: what it answers, and what it may take."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import asdict
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest

from sparsecone.files import child
from sparsecone.files.parcel import received
from sparsecone.files.wanted import Wanted

NOISY = """
import os
from sparsecone.files import child, reading
read = reading.read
def noisy(wanted):
    os.write(1, b"a library says hello\\n")
    return read(wanted)
reading.read = noisy
child.main()
"""


def test_what_libraries_print_does_not_come_between_the_numbers(tmp_path: Path) -> None:
    path = tmp_path / "d.csv"
    path.write_text("a,b,y\n1,2,0\n3,5,1\n")
    wanted = Wanted(path=path, drop=("b",))
    request = {"wanted": asdict(wanted), "memory": 2**33, "seconds": 60.0}
    process = subprocess.run(
        [sys.executable, "-c", NOISY],
        input=json.dumps(request, default=str).encode(),
        stdout=subprocess.PIPE,
        check=True,
    )
    head, arrays = received(BytesIO(process.stdout))
    assert head["values"]["feature_names"] == ["a"]
    np.testing.assert_array_equal(arrays["X"], [[1.0], [3.0]])
    np.testing.assert_array_equal(arrays["y"], [0, 1])


def test_a_request_is_what_it_was_before_it_was_text() -> None:
    wanted = Wanted(path=Path("d.csv"), drop=("b",), only=("c", "a"), sample_names="id")
    sent = json.loads(json.dumps(asdict(wanted), default=str))
    assert child._wanted(sent) == wanted


@pytest.mark.parametrize(("count", "seconds"), [(4, 12), (None, 3)])
def test_the_processor_time_is_that_of_all_cores(
    monkeypatch: pytest.MonkeyPatch, count: int | None, seconds: int
) -> None:
    resource = pytest.importorskip("resource")
    limits = {}
    monkeypatch.setattr(resource, "setrlimit", lambda kind, pair: limits.update({kind: pair}))
    monkeypatch.setattr(resource, "getrlimit", lambda _: (0, resource.RLIM_INFINITY))
    monkeypatch.setattr(child.os, "cpu_count", lambda: count)
    child._limit(10**9, 2.5)
    assert limits == {
        resource.RLIMIT_AS: (10**9, resource.RLIM_INFINITY),
        resource.RLIMIT_CORE: (0, resource.RLIM_INFINITY),
        resource.RLIMIT_CPU: (seconds, resource.RLIM_INFINITY),
    }
