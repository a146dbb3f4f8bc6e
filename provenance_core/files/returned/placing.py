"""Where the marks of an annotator are in the answer, whatever a web page did to its white space.

A page shows CRLF as two line breaks, several spaces as one and a no-break space as a space, and
counts a character beyond the basic plane as two. A mark is compared without its white space; where
its offsets do not fit, it is found again by its text; where that is not there, or twice as near, it
is left out alone, and named.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from provenance_core.files.returned.types import ReturnedLabel, ReturnedSpan


@dataclass(frozen=True, slots=True)
class Placed:
    """A label with the bounds of its marks in the answer, and a sentence for each left out."""

    label: ReturnedLabel
    left_out: tuple[str, ...]


def placed(label: ReturnedLabel, answer: str) -> Placed:
    """The marks of a label where they are in ``answer``."""
    spans: list[ReturnedSpan] = []
    left_out: list[str] = []
    for span in label.spans or ():
        bounds = _bounds(span, answer)
        if bounds is None:
            left_out.append(
                f"the mark from {span.start} to {span.end} says {span.text[:60]!r}, which is not "
                "in the answer there; the verdict was kept, the mark was left out"
            )
        else:
            spans.append(replace(span, start=bounds[0], end=bounds[1]))
    kept = label if label.spans is None else replace(label, spans=tuple(spans))
    return Placed(kept, tuple(left_out))


def _bounds(span: ReturnedSpan, answer: str) -> tuple[int, int] | None:
    wanted = _bare(span.text)
    for start, end in ((span.start, span.end), _from_utf16(answer, span.start, span.end)):
        if 0 <= start < end <= len(answer) and _bare(answer[start:end]) == wanted != "":
            return start, end
    if not wanted:  # The tool did not write the text: nothing contradicts its offsets.
        inside = 0 <= span.start < span.end <= len(answer)
        return (span.start, span.end) if inside else None
    return _found(wanted, answer, span.start)


def _bare(text: str) -> str:
    return "".join(text.split())


def _from_utf16(answer: str, start: int, end: int) -> tuple[int, int]:
    """Offsets of a browser, which counts two units for a character beyond the basic plane."""
    units = answer.encode("utf-16-le", "surrogatepass")
    if not 0 <= start < end <= len(units) // 2:
        return -1, -1
    before, marked = units[: 2 * start], units[2 * start : 2 * end]
    first = len(before.decode("utf-16-le", "replace"))
    return first, first + len(marked.decode("utf-16-le", "replace"))


def _found(wanted: str, answer: str, near: int) -> tuple[int, int] | None:
    """The place of a text without its white space; of several the one that is clearly nearest to
    where the tool has it."""
    places = [at for at, letter in enumerate(answer) if not letter.isspace()]
    bare = "".join(answer[at] for at in places)
    found: list[tuple[int, int]] = []
    at = bare.find(wanted)
    while at >= 0:
        found.append((places[at], places[at + len(wanted) - 1] + 1))
        at = bare.find(wanted, at + 1)
    found.sort(key=lambda bounds: abs(bounds[0] - near))
    if len(found) > 1 and 2 * abs(found[0][0] - near) >= abs(found[1][0] - near):
        return None
    return found[0] if found else None
