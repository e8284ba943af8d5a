"""What reading a damaged file came to, each in a process of its own."""

from __future__ import annotations

import os
import resource
import signal
import traceback
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

import numpy as np
from scipy import sparse

from sparsecone.datasets import DataFileError, Dataset, load_file
from sparsecone.files.isolation import NATIVE
from sparsecone.files.wanted import kind_of
from sparsecone.model_file import Model

SECONDS = 10
LONGEST = 30 * SECONDS
MEMORY = 4 * 2**30


class Verdict(StrEnum):
    """How it ended."""

    READ = "read"
    REFUSED = "refused"
    CONTAINED = "contained"
    BROKEN = "broken"


@dataclass(frozen=True)
class Judged:
    """One file: how reading it ended, and why that is wrong if it is."""

    verdict: Verdict
    reason: str = ""


_CODES = (Verdict.READ, Verdict.REFUSED, Verdict.BROKEN)


def judge(path: Path) -> Judged:
    """Read a file in a copy of this process and say how that ended.

    A crash or a hang of a native library is contained where the command line would have read the
    file in a process of its own, and broken elsewhere.
    """
    note = path.with_suffix(".reason")
    note.unlink(missing_ok=True)
    child = os.fork()
    if child == 0:
        os._exit(_read(path, note))
    _, status = os.waitpid(child, 0)
    if os.WIFEXITED(status):
        verdict = _CODES[os.WEXITSTATUS(status)]
        return Judged(verdict, note.read_text() if note.exists() else "")
    reason = signal.Signals(os.WTERMSIG(status)).name
    is_contained = kind_of(path) in NATIVE
    return Judged(Verdict.CONTAINED if is_contained else Verdict.BROKEN, reason)


def _read(path: Path, note: Path) -> int:
    """Read a file within limits; return the place of the verdict."""
    # Of its own time, as the machine may be busy with others; a hang may also wait forever.
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
    signal.alarm(LONGEST)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
    try:
        if path.suffix == ".json":
            Model.load(path).selector()
        else:
            check(load_file(path))
    except DataFileError as error:
        return _refused(str(error), note)
    except ValueError as error:
        # What is wrong with a model is a plain ValueError that says so.
        if "holds no model" in str(error):
            return _refused(str(error), note)
        note.write_text(traceback.format_exc())
        return 2
    except MemoryError:
        return 1
    except BaseException:
        note.write_text(traceback.format_exc())
        return 2
    return 0


def _refused(message: str, note: Path) -> int:
    if "\n" not in message:
        return 1
    note.write_text(f"more than one line: {message}")
    return 2


def check(dataset: Dataset) -> None:
    """Raise where a data set is not what every data set is."""
    X: Any = dataset.X
    values = X.data if sparse.issparse(X) else X
    assert X.dtype == np.float64
    assert np.isfinite(values).all()
    if sparse.issparse(X):
        X.check_format(full_check=True)
        assert X.has_canonical_format
    for names, length in zip((dataset.sample_names, dataset.feature_names), X.shape, strict=True):
        assert names is None or len(names) == length
    assert dataset.y is None or dataset.y.shape == X.shape[:1]
