"""The book as web pages: `uv run --group site sphinx-build -c docs . build/site`.

Notebooks are shown as they are stored; nothing is run.
"""

project = "The Articulated Body Algorithm, run"
author = "the authors of the companion"
extensions = ["myst_nb"]
html_theme = "sphinx_book_theme"
html_title = project
root_doc = "docs/index"
include_patterns = ["docs/**", "book/*.ipynb", "exercises/*.ipynb"]
exclude_patterns = ["**/.ipynb_checkpoints"]
nb_execution_mode = "off"
myst_enable_extensions = ["dollarmath", "amsmath"]
# The notebooks number their own equations and refer to them across cells, outside of formulas:
# MathJax has to read the whole page, not only what MyST marked as mathematics.
myst_update_mathjax = False
mathjax4_config = {"tex": {"tags": "ams"}, "options": {"ignoreHtmlClass": "never-mathematics"}}
suppress_warnings = [
    "myst.header",
    "myst.xref_missing",
    "toc.not_included",
    "mystnb.unknown_mime_type",
]
