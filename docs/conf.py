"""Sphinx settings: ``python -m sphinx -W -b html docs docs/_build/html``."""

from __future__ import annotations

import sys
from pathlib import Path

# The pages are made from the code beside them, installed or not.
sys.path.insert(0, str(Path(__file__).parents[1]))

import provenance_core

project = "Provenance"
release = provenance_core.__version__
extensions = ["myst_parser", "sphinx.ext.autodoc", "numpydoc", "docs.sphinx_extensions"]
myst_enable_extensions = ["dollarmath", "deflist", "colon_fence"]
myst_heading_anchors = 3
html_theme = "furo"
html_title = "Provenance"
html_math_renderer = "mathml"
html_copy_source = False
exclude_patterns = ["_build"]
autodoc_member_order = "bysource"
autodoc_typehints = "description"
numpydoc_show_class_members = False
suppress_warnings = ["config.cache"]
