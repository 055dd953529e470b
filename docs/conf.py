"""How `make docs` builds the site: Sphinx, with Markdown by MyST."""

from asura import __version__

project = "ASURA, exactly"
release = __version__
extensions = ["myst_nb", "sphinx.ext.autodoc"]
myst_enable_extensions = ["dollarmath"]
myst_heading_anchors = 3
# The tutorial is executed whenever the site is built, so that its outputs are true.
nb_execution_mode = "force"
nb_execution_raise_on_error = True
nb_execution_timeout = 120
exclude_patterns = ["ci"]
html_theme = "furo"
html_title = project
html_show_copyright = False
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_default_options = {"members": True}
