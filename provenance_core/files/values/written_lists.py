"""Lists and documents that a program wrote into one text: as JSON, or by Python's ``str()``.

Such a text is read into its parts, or refused with the reason. It is never taken for one passage,
in which a file's name or a date of the metadata would support an invention. A text that only begins
with a bracket ("[1] The bridge ...") is a text.
"""

from __future__ import annotations

import ast
import io
import json
import re
import sys
import tokenize
from collections.abc import Callable

from provenance_core.errors import InputError
from provenance_core.files.values.shown_objects import CutText, shown_nodes

# A text that nothing closes ends with its line, so that no quote is looked at twice.
_STRING = r"'(?:[^'\\\n]|\\.)*+'?|\"(?:[^\"\\\n]|\\.)*+\"?"
# What Python's repr writes that Python cannot read: <NodeRelationship.SOURCE: '1'>
_ENUM = re.compile(rf"({_STRING})|<[\w.]+: ([^<>]*)>")
_UNPARTED = re.compile(rf"({_STRING})|([}}\])])\s+(?=[{{\[(A-Za-z])")
# Names of classes, lists and objects with which a written list begins.
_BEGINS = re.compile(
    r"""\[\s*(?:["'\[{(]|[A-Za-z_][\w.]*\(|(?:None|nan|NaN|null|NaT)\b|<[\w.]+ object at 0x)|"""
    r"""\{\s*["'\d]|\(\s*["'\[{]|"""
    r"""(?:np\.|numpy\.)?array\(|(?:[A-Z]\w*)?(?:Document|Node|Chunk|Passage|WithScore)\w*\("""
)
_FIELDS = re.compile(
    r"(?:^|\s)(page_content|metadata|text|content|id|type|score)="
    rf"(?={_STRING}|\{{|None|\d)"
)
_PASSAGE = ("page_content", "text", "content", "node", "document")
_NAMES = {"nan": None, "NaN": None, "null": None, "NaT": None, "true": True, "false": False}
_MOST_TIMES = 3  # that JSON is written into JSON


class _Unread(Exception):
    """A text is no such list; the message says what is wrong with one that begins like one."""


def read_written(value: str, key: str) -> object:
    """What is written into a text: a list, an object or a text, or ``value`` itself where it is no
    more than a text. Raises InputError where it begins as a list and cannot be read as one."""
    text = value.strip()
    for _ in range(_MOST_TIMES):
        try:
            found = json.loads(text)
        except (ValueError, RecursionError):
            break
        if not isinstance(found, str):
            return found if isinstance(found, list | dict) else value
        text = found.strip()
    try:
        if documents := _documents(text) or _nodes(text):
            return documents[0] if len(documents) == 1 else documents
        if _BEGINS.match(text) is None:
            return value if text == value.strip() else text
        return _python(text)
    except (_Unread, CutText) as error:
        raise InputError(
            f"{key} begins as a list that a program wrote, but cannot be read as one ({error}); "
            'write it as JSON: ["first text", "second text"]'
        ) from None


def _documents(text: str) -> list[object]:
    """The fields of each ``page_content='...' metadata={...}``, as ``str()`` of documents shows
    them, one behind the other."""
    starts = list(_FIELDS.finditer(text)) if _FIELDS.match(text) else []
    if not any(m[1] in _PASSAGE for m in starts):
        return []
    ends = [each.start() for each in starts[1:]] + [len(text)]
    found: list[object] = []
    document: dict[str, object] = {}
    try:
        for m, end in zip(starts, ends, strict=True):
            if m[1] in document or not found:
                document = {}
                found.append(document)
            document[m[1]] = _python(text[m.end() : end].strip())
    except _Unread:
        if starts[0][1] == "page_content":
            raise
        return []
    return found


def _nodes(text: str) -> list[object]:
    return [{"text": each} for each in shown_nodes(text)]


def _python(text: str) -> object:
    shown = _ENUM.sub(lambda m: m[1] or m[2] or "None", text)
    if re.search(r"['\"]\s+\.\.\.\s+['\"]|,\s*\.\.\.\s*,", shown):
        raise _Unread("NumPy left items out and wrote ... for them")
    try:
        tree = _parsed(shown)
    except (SyntaxError, ValueError, MemoryError, RecursionError) as error:
        raise _Unread(_fault(shown, error)) from None
    try:
        return _Reader(shown).value(tree)
    except (ValueError, RecursionError) as error:
        raise _Unread(str(error)[:80] or "it is nested too deeply") from None


def _parsed(shown: str) -> ast.expr:
    """The expression; where it is none, with a comma between objects that NumPy parts by space."""
    try:
        return ast.parse(shown, mode="eval").body
    except SyntaxError:
        parted = _UNPARTED.sub(lambda m: m[1] or f"{m[2]},", shown)
        if parted == shown:
            raise
        return ast.parse(parted, mode="eval").body


def _fault(text: str, error: Exception) -> str:
    closing = {"[": "]", "{": "}", "(": ")"}.get(text[:1], ")")
    if not text.rstrip().endswith(closing):
        return "it is cut before its closing bracket"
    if "integer string conversion" in str(error):
        return f"a number in it has more than {sys.get_int_max_str_digits():,} digits"
    deep = isinstance(error, RecursionError | MemoryError) or "nested" in str(error)
    return "it is nested too deeply" if deep else "its quotes are open"


def _is_name(node: ast.AST) -> bool:
    """Whether a call is of a name, also with dots (np.array), and not of a method of a value."""
    while isinstance(node, ast.Attribute):
        node = node.value
    return isinstance(node, ast.Name)


class _Reader:
    """Values of an expression; calls of classes become the fields that they were given."""

    def __init__(self, text: str) -> None:
        self._lines = text.encode().splitlines(keepends=True)

    def value(self, node: ast.AST) -> object:
        read: Callable[[ast.AST], object] | None = {
            ast.Constant: self._constant,
            ast.List: self._items,
            ast.Tuple: self._items,
            ast.Set: self._items,
            ast.Dict: self._object,
            ast.Call: self._call,
            ast.Name: self._name,
            ast.UnaryOp: self._signed,
        }.get(type(node))
        if read is None:
            raise _Unread(f"{type(node).__name__} is no value")
        return read(node)

    def _constant(self, node: ast.AST) -> object:
        value = node.value if isinstance(node, ast.Constant) else None
        return value.decode("utf-8", "replace") if isinstance(value, bytes) else value

    def _items(self, node: ast.AST) -> object:
        found: list[object] = []
        for each in getattr(node, "elts", ()):
            # ['one' 'two'], as NumPy shows an array, is read by Python as one text.
            if isinstance(each, ast.Constant) and isinstance(each.value, str):
                found += self._strings(each)
            else:
                found.append(self.value(each))
        return found

    def _strings(self, node: ast.Constant) -> list[object]:
        first, last = node.lineno - 1, (node.end_lineno or node.lineno) - 1
        lines = self._lines[first : last + 1]
        lines[-1] = lines[-1][: node.end_col_offset]
        lines[0] = lines[0][node.col_offset :]
        written = io.StringIO(f"({b''.join(lines).decode()})")
        tokens = [t.string for t in tokenize.generate_tokens(written.readline)
                  if t.type == tokenize.STRING]  # fmt: skip
        return [ast.literal_eval(token) for token in tokens]

    def _object(self, node: ast.AST) -> object:
        if not isinstance(node, ast.Dict):
            return None
        pairs = zip(node.keys, node.values, strict=True)
        return {str(self.value(key)): self.value(value) for key, value in pairs if key is not None}

    def _call(self, node: ast.AST) -> object:
        if not isinstance(node, ast.Call) or not _is_name(node.func):
            raise _Unread("something else than a class is called")
        named = {each.arg: each.value for each in node.keywords if each.arg}
        passages = [named[name] for name in _PASSAGE if name in named]
        if passages:
            return {"text": self.value(passages[0])}
        if node.args:
            return self.value(node.args[0])
        return {name: self.value(value) for name, value in named.items()}

    def _name(self, node: ast.AST) -> object:
        name = node.id if isinstance(node, ast.Name) else ""
        if name not in _NAMES:
            raise _Unread(f"{name} is no value")
        return _NAMES[name]

    def _signed(self, node: ast.AST) -> object:
        return ast.literal_eval(node) if isinstance(node, ast.UnaryOp) else None
