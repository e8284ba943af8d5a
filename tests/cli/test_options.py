"""Options that several commands share."""

from __future__ import annotations

import os
import subprocess
import sys


def test_the_shell_completes_methods() -> None:
    words = {"COMP_WORDS": "sparsecone select x.csv --method spc", "COMP_CWORD": "4"}
    environment = os.environ | words | {"_SPARSECONE_COMPLETE": "complete_bash"}
    code = "import sys; sys.argv = ['sparsecone']; from sparsecone.cli import main; main()"
    result = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False
    )
    assert result.stdout.split() == ["spca-psd", "spcafs"]
