"""What these documents add to Sphinx: pages from the code, and formulas without a network."""

from __future__ import annotations

from docutils import nodes
from docutils.statemachine import StringList
from docutils.utils.math import latex2mathml
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective
from sphinx.util.typing import ExtensionMetadata
from sphinx.writers.html5 import HTML5Translator

from docs.reference import WRITERS


class FromCode(SphinxDirective):
    """``{from-code} NAME``: what the writer NAME of :mod:`docs.reference` makes of the code."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        # The code may have changed though the page did not.
        self.env.note_reread()
        name = self.arguments[0]
        if name not in WRITERS:
            raise self.error(f"no writer is called {name!r}; there are {', '.join(WRITERS)}")
        holder = nodes.section()
        holder.document = self.state.document
        lines = StringList(WRITERS[name]().splitlines(), source=f"docs/reference.py: {name}")
        self.state.nested_parse(lines, self.content_offset, holder, match_titles=True)
        return holder.children


def _formula(latex: str, *, block: bool) -> str:
    """MathML, which browsers draw by themselves; MathJax would come from the network."""
    tree = latex2mathml.tex2mathml(latex, as_block=block)
    return str(tree)


def _inline(writer: HTML5Translator, node: nodes.math) -> None:
    writer.body.append(_formula(node.astext(), block=False))
    raise nodes.SkipNode


def _block(writer: HTML5Translator, node: nodes.math_block) -> None:
    writer.body.append(f'<div class="math">{_formula(node.astext(), block=True)}</div>')
    raise nodes.SkipNode


def setup(app: Sphinx) -> ExtensionMetadata:
    """Register directive and formulas."""
    app.add_directive("from-code", FromCode)
    app.add_html_math_renderer("mathml", (_inline, None), (_block, None))
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
