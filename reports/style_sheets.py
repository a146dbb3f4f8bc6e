"""Style sheets, which stand in files beside the modules that use them."""

from __future__ import annotations

from pathlib import Path


def style_sheet(module: str) -> str:
    """The style sheet of a module, ``markup.css`` of ``markup.py``, as an element of HTML."""
    return f"\n<style>\n{Path(module).with_suffix('.css').read_text(encoding='utf-8')}</style>\n"
