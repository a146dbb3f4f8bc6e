"""Nodes of LlamaIndex and messages of a chat as their ``str()`` shows them to a person."""

from __future__ import annotations

import ast
import re

# Each node, and the whole of a text that is such nodes.
_NODES = tuple(
    (re.compile(node, re.DOTALL), re.compile(rf"(?:{node}\s*)+", re.DOTALL))
    for node in (
        r"Node ID: \S+\nText: (.*?)\nScore: +[\w.-]+(?=\s*(?:\Z|Node ID: ))",
        r"> Source \((?:Doc|Node) id: [^)]*\): (.*?)(?=\s*(?:\Z|\n> Source \())",
    )
)
_STRING = r"'(?:[^'\\]|\\.)*+'|\"(?:[^\"\\]|\\.)*+\""
_MESSAGE = re.compile(
    rf"(?:\w*Message\()?content=({_STRING})(?:, | )"
    r"(?:additional_kwargs|response_metadata|role|name|id|refusal)="
)


class CutText(Exception):
    """What is shown is not the whole text of a node."""


def shown_nodes(text: str) -> tuple[str, ...]:
    """The texts of nodes that ``str()`` or ``get_formatted_sources()`` showed; none for any other
    text. Raises CutText where a text is cut.

    >>> shown_nodes("Node ID: 7f\\nText: It is red.\\nScore:  0.800\\n")
    ('It is red.',)
    """
    for node, whole in _NODES:
        if text.startswith(("Node ID: ", "> Source (")) and whole.fullmatch(text.rstrip()):
            # A long text is shown in lines of 70 characters.
            found = tuple(" ".join(match[1].split()) for match in node.finditer(text.rstrip()))
            if any(each.endswith("...") for each in found):
                raise CutText("LlamaIndex cut the text of a node and wrote ... for the rest")
            return found
    return ()


def shown_message(text: str) -> str:
    """The text of a message that ``str()`` or ``repr()`` showed; "" for any other text.

    >>> shown_message("content='It is red.' additional_kwargs={} id='run-1'")
    'It is red.'
    >>> shown_message("content='It is red.'")
    ''
    """
    found = _MESSAGE.match(text.strip())
    try:
        return str(ast.literal_eval(found[1])) if found else ""
    except (SyntaxError, ValueError):
        return ""
