"""From a template to one page with everything inside. The only file that needs jinja2."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from typing import Any

from ..optional import require


def render(template: str, scripts: Sequence[str], **content: Any) -> str:
    """Return a page: a template with its content, the style, and the scripts joined to one."""
    folder = files(__package__ or "") / "templates"
    script = "\n".join((folder / name).read_text(encoding="utf-8") for name in scripts)
    page: str = (
        _environment()
        .get_template(template)
        .render(
            style=(folder / "report.css").read_text(encoding="utf-8"),
            script=script,
            script_hash=_hash(script),
            **content,
        )
    )
    return page


@cache
def _environment() -> Any:
    """Return the environment of all templates: one, so that each is compiled once."""
    jinja2 = require("jinja2", purpose="The report", extra="cli")
    return jinja2.Environment(
        loader=jinja2.PackageLoader(__package__ or "", "templates"),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
    )


def _hash(script: str) -> str:
    """Return what the page's security policy calls the one script that may run."""
    digest = hashlib.sha256(script.encode()).digest()
    return "sha256-" + base64.b64encode(digest).decode()
