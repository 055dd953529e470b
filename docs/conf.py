"""How `make docs` builds the site: Sphinx, with Markdown by MyST."""

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.writers.html5 import HTML5Translator

from asura import __version__
from asura_verify.report.page.mathematics import mathml

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
smartquotes = False  # w'_j is not a quotation
html_title = project
html_show_copyright = False
default_role = "code"  # a docstring writes code as Markdown does
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_default_options = {"members": True}

# Formulas become MathML while the site is built: a reader needs no script and no network.
html_math_renderer = "mathml"
myst_update_mathjax = False


def _inline(self: HTML5Translator, node: nodes.math) -> None:
    self.body.append(mathml(node.astext()))
    raise nodes.SkipNode


def _block(self: HTML5Translator, node: nodes.math_block) -> None:
    self.body.append(f'<div class="math">{mathml(node.astext(), display=True)}</div>')
    raise nodes.SkipNode


def setup(app: Sphinx) -> None:
    """Sphinx asks for this."""
    app.add_html_math_renderer("mathml", (_inline, None), (_block, None))
