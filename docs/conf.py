"""Settings of the documentation site; `make docs` builds it without a network."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import sparsecone

sys.path.insert(0, str(Path(__file__).parent / "_ext"))

project = "sparsecone"
author = "The sparsecone developers"
project_copyright = author
version = release = sparsecone.__version__

extensions = [
    "mathml",
    "myst_parser",
    "numpydoc",
    "plain_docstrings",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx_copybutton",
    "sphinx_design",
    "sphinx_gallery.gen_gallery",
]
exclude_patterns = ["_build", "_templates", "**/README.rst", "results/results.html"]
templates_path = ["_templates"]
# Docstrings mark code by single backticks.
default_role = "literal"

autosummary_generate = True
autodoc_typehints = "none"
numpydoc_show_class_members = False
numpydoc_class_members_toctree = False

myst_enable_extensions = ["colon_fence", "deflist", "dollarmath"]
myst_heading_anchors = 3

copybutton_prompt_text = ">>> |\\.\\.\\. |\\$ "
copybutton_prompt_is_regexp = True

sphinx_gallery_conf = {
    "examples_dirs": "../examples",
    "gallery_dirs": "gallery",
    "backreferences_dir": "gallery/backreferences",
    "doc_module": ("sparsecone",),
    "download_all_examples": False,
    "min_reported_time": 600,
    "show_signature": False,
    # A build without pictures takes seconds; the tests run the examples themselves.
    "plot_gallery": os.environ.get("SPARSECONE_GALLERY", "1") == "1",
    "write_computation_times": False,
}

html_theme = "pydata_sphinx_theme"
html_title = "sparsecone"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_math_renderer = "mathml"
html_show_sourcelink = False
html_copy_source = False
html_context = {"default_mode": "auto"}
html_theme_options = {
    "header_links_before_dropdown": 8,
    "navbar_align": "left",
    "navigation_with_keys": False,
    "secondary_sidebar_items": ["page-toc"],
    "show_prev_next": False,
    "footer_start": ["copyright"],
    "footer_end": [],
}
# Pages without others beside them need no list of these.
SINGLE = (
    *("quick_start", "command_line", "mathematics", "house", "methods", "citing", "changelog"),
    "results/*",
)
html_sidebars = {page: [] for page in SINGLE}
