"""Texts that try to run, to leave their place, or to ask another machine.

Where one of them works, the page shows it: each first tag has the class ``pvx``, and what stands
between signs of Markdown begins with ``pv`` (:mod:`tests.hostile.watched` looks for both).
"""

from __future__ import annotations

import re

AWAY = "http://away.invalid"
_RUN = "window.ran=1"
_MARKUP = [
    f"<script>{_RUN}</script>",
    f"<img src=x onerror='{_RUN}'>",
    f"<svg onload={_RUN}>",
    f"<svg><script>{_RUN}</script></svg>",
    f"<iframe srcdoc='<script>parent.{_RUN}</script>'></iframe>",
    f"<body onload={_RUN}>",
    f"<details open ontoggle={_RUN}>x</details>",
    f"<input autofocus onfocus={_RUN}>",
    f"<video><source onerror='{_RUN}'></video>",
    f"<math><mtext></mtext><mglyph><style><img src=x onerror={_RUN}></style></mglyph></math>",
    f"<noscript><p title='</noscript><img src=x onerror={_RUN}>'>",
    f"<a href='javascript:{_RUN}'>x</a>",
    f"<form action='javascript:{_RUN}'><button>x</button></form>",
    f"<object data='javascript:{_RUN}'></object>",
    f"<embed src='javascript:{_RUN}'>",
    f"<meta http-equiv=refresh content='0;url={AWAY}'>",
    f"<link rel=stylesheet href='{AWAY}/a.css'>",
    f"<base href='{AWAY}/'>",
    f"<img src='{AWAY}/a.png'>",
    f"<img srcset='{AWAY}/b.png 2x'>",
    f"<style>@import '{AWAY}/c.css';*{{display:none}}</style>",
    f"<div style='background:url({AWAY}/d.png);position:fixed;inset:0;z-index:99999'>over</div>",
    "</div></div></section></main></body></html>",
    "<!--",
    "<![CDATA[",
    "<plaintext>",
    "<textarea>",
    "</textarea><title>",
    "<template><p>",
    "<table><tr><td>",
    f"<b>pvfat</b><sup>pvhigh</sup><a href='{AWAY}/l'>pvlink</a>",
]
_MARKDOWN = [
    f"[x](javascript:{_RUN})",
    f"![x]({AWAY}/e.png)",
    f"[x]: {AWAY}/f 'x'",
    f"<{AWAY}/g>",
    "# pvheading\n===\n- [ ] pvlist\n```\npvcode",
    "**pvbold** _pvslanted_ ~~pvstruck~~ `pvcode` :red[pvred]",
    ":material/pest_control_rodent: :smile:",
    "|pva|pvb|\n|---|---|\n|pvc|pvd|",
    "$pvtex^2$ $$pvtex_1$$",
    "$\\href{javascript:window.ran=1}{x}$",
    "$$\\includegraphics{http://away.invalid/h.png}$$",
    "\\(\\unicode{x} \\def\\a{\\a\\a}\\a\\)",
    ":blue-background[pvblue] :violet[pvviolet]",
]
_SCRIPT = [
    f"';{_RUN}//",
    f'";{_RUN}//',
    f"`;{_RUN}//",
    f"</script><script>{_RUN}</script>",
    "${window.ran=1}",
    "{{constructor.constructor('window.ran=1')()}}",
    "{% for x in y %}",
    "__proto__",
    "\\u003cscript\\u003ewindow.ran=1\\u003c/script\\u003e",
    "&lt;script&gt;window.ran=1&lt;/script&gt;",
    "%3Cscript%3Ewindow.ran=1%3C/script%3E",
    "' OR '1'='1'; DROP TABLE audits; --",
]
_CELLS = [
    "=1+1", "+1+1", "-1+1", "@SUM(A1)", "\t=1+1", "\r=1+1", "＝1+1",
    f'=HYPERLINK("{AWAY}","x")', f'=IMAGE("{AWAY}/i.png")', f'=WEBSERVICE("{AWAY}")',
    "=cmd|' /C calc'!A0", '"=1+1', ";=1+1",
]  # fmt: skip
_LETTERS = [
    "\u202egnp.exe", "\u2066a\u2069\u202b", "\u202d\u202e\u202c", "a\u0300" * 40, "\ufeff\u200b",
    "\u2028\u2029", "\x1b[31mred\x1b[0m", "\x07\x08", "\U000e0041\U000e0042", "x" * 500,
    "ﷺ" * 20, "\u200f\u200e",
]  # fmt: skip
_ADDRESSES = [
    f"{AWAY}/j", "javascript:window.ran=1", "data:text/html,<script>window.ran=1</script>",
    "vbscript:x", "file:///etc/passwd", "//away.invalid/k", "../../../etc/passwd",
    "C:\\Windows\\x", "blob:x", "mailto:a@away.invalid",
]  # fmt: skip


def payloads() -> list[str]:
    """200 texts: each alone, and those of markup broken out of an attribute and an element."""
    markup = [_marked(each) for each in _MARKUP]
    alone = [*markup, *_MARKDOWN, *map(_marked, _SCRIPT), *_CELLS, *_LETTERS, *_ADDRESSES]
    out_of_attribute = [f"'\"><x {each}" for each in markup]
    upper = [each.upper().replace("WINDOW.RAN", "window.ran") for each in markup]
    out_of_title = [f"</title></style></script>{each}" for each in [*markup, *_MARKDOWN, *_SCRIPT]]
    every = [*alone, *out_of_attribute, *upper, *out_of_title]
    return list(dict.fromkeys(every))[:200]


def few(count: int) -> list[str]:
    """``count`` of them, of every kind in turn."""
    kinds = [[_marked(each) for each in _MARKUP], _MARKDOWN, _LETTERS, _SCRIPT, _ADDRESSES, _CELLS]
    each = -(-count // len(kinds))
    rounds = ([kind[at * len(kind) // each] for kind in kinds] for at in range(each))
    return [text for texts in rounds for text in texts][:count]


def _marked(markup: str) -> str:
    return re.sub(r"<([a-z]+)", r"<\1 class=pvx", markup, count=1)
