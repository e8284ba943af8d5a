"""Numbers and text between processes: a line of JSON, then the bytes of arrays."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import IO, Any

import numpy as np
from scipy import sparse

from ..linalg.types import Array

_SPARSE = ("data", "indices", "indptr")


def send(stream: IO[bytes], head: Mapping[str, Any], arrays: Mapping[str, Any]) -> None:
    """Write plain values, and arrays or CSR matrices by name."""
    parts: list[Array] = []
    kinds: dict[str, Any] = {}
    for name, value in arrays.items():
        is_sparse = sparse.issparse(value)
        own = [getattr(value, part) for part in _SPARSE] if is_sparse else [value]
        own = [np.ascontiguousarray(part) for part in own]
        kinds[name] = {
            "shape": value.shape,
            "parts": [[part.dtype.str, part.shape] for part in own],
            "sparse": is_sparse,
        }
        parts += own
    stream.write(json.dumps(dict(head) | {"arrays": kinds}).encode() + b"\n")
    for part in parts:
        stream.write(part.reshape(-1).view(np.uint8).data)
    stream.flush()


def received(stream: IO[bytes]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return what `send` wrote, or raise an EOFError where it ends too early."""
    line = stream.readline()
    if not line.endswith(b"\n"):
        raise EOFError
    head = json.loads(line)
    return head, {name: _array(stream, kind) for name, kind in head.pop("arrays").items()}


def _array(stream: IO[bytes], kind: Mapping[str, Any]) -> Any:
    parts = [_filled(stream, np.dtype(code), tuple(shape)) for code, shape in kind["parts"]]
    if not kind["sparse"]:
        return parts[0]
    return sparse.csr_matrix(tuple(parts), shape=tuple(kind["shape"]))


def _filled(stream: IO[bytes], dtype: np.dtype[Any], shape: tuple[int, ...]) -> Array:
    array = np.empty(shape, dtype=dtype)
    rest = array.reshape(-1).view(np.uint8).data
    while rest:
        count = stream.readinto(rest)  # type: ignore[attr-defined]
        if not count:
            raise EOFError
        rest = rest[count:]
    return array
