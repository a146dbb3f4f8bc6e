"""Tables of what the text around an answer gives: encodings, citations, phrases.

``python -m docs.answer_tables`` prints the tables of docs/explanation/files-and-answers.md: a file
is written and read, an answer is looked through.
"""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

from docs.markdown import table
from provenance_core.errors import InputError
from provenance_core.files.batch import read_batch_file
from provenance_core.text.citations import find_citations
from provenance_core.text.set_aside import why_set_aside

_TEXT = "Die Brücke öffnete „früh“ – für 12 € je Straße."
_FILE = f"query,context,answer\nWann?,{_TEXT},Früh.\nWo?,In Köln.,In Köln.\n"
_CODE_PAGES = {
    "cp1252": _FILE,
    "cp1250": "query,context,answer\nKde?,Most je v Řevnicích u Žižkova.,Most stojí v Řevnicích.\n",
    "cp1251": "query,context,answer\nГде?,Мост стоит в Твери.,Он стоит в Твери.\n",
    "shift_jis": "query,context,answer\nどこ?,橋は京都にあります。,京都にあります。\n",
}
_ENDS = {"LF": "\n", "CR LF (Windows)": "\r\n", "CR (old Mac)": "\r"}
CITING = (
    "The mill has 12 wheels [1].",
    "The mill has 12 wheels [^3].",
    "The mill has 12 wheels [^1^].",
    "The mill has 12 wheels {{2}}.",
    'The mill has 12 wheels <cite id="2">[2]</cite>.',
    "The mill has 12 wheels [1](https://example.org/a).",
    "The mill has 12 wheels [1, 3-5].",
    "The mill has 12 wheels (Meyer et al., 2019).",
    "The mill has 12 wheels (Meyer & Lee, 2019; Kim et al., 2020, p. 4).",
    "The mill has 12 wheels (Source: mills.pdf, p. 17).",
    "The mill has 12 wheels [chunk_3].",
    "The mill has 12 wheels [Source 1, Source 2].",
    "The mill has 12 wheels (see document 2).",
    "The mill has 12 wheels.¹",
    "The mill has 12 wheels.<sup>1</sup>",
    "The mill has 12 wheels 【1†source】.",
    "Use items[1], not items[0].",
    "It lies in the interval [1, 5].",
    "```\nx = items [1]\n```",
    "It has 5 m².",
    "The Games (Paris, 1924) were cold.",
)
PHRASES = (
    "Let me check that for you.",
    "Is there anything else?",
    "One moment while I pull that up.",
    "Great question!",
    "Happy to dig deeper if useful.",
    "Thanks for flagging this!",
    "Here are the steps:",
    "I hope this helps!",
    "Please let me know if you have any other questions.",
    "I understand how frustrating this can be.",
    "Have a fantastic rest of your week!",
    "As an AI, I cannot give legal advice.",
    "I don't know.",
    "The context does not mention the year.",
    "There is no information about parking; a card costs 99 euros.",
    "I hope this helps: the museum closes at five.",
    "Feel free to bring your dog.",
    "You should take the tablets with water.",
    "You should contact your doctor if symptoms persist.",
    "Don't worry, your deposit is refundable.",
)


def encodings() -> str:
    """What a file of two rows gives in each encoding and with each line end."""
    written = {
        **{(name, end): _FILE for name in ("utf-8", "utf-8-sig", "utf-16") for end in _ENDS},
        **{(name, "LF"): _FILE for name in ("utf-16-le", "utf-16-be", "utf-32")},
        **{(name, "LF"): text for name, text in _CODE_PAGES.items()},
    }
    with TemporaryDirectory() as folder:
        path = Path(folder, "answers.csv")
        rows = [_read(path, name, end, text) for (name, end), text in written.items()]
        path.write_bytes(f"{_FILE}Damage?,Köln,".encode() + b"\xff\xfe,x\n")
        rows.append(("utf-8, one damaged byte", "LF", *_outcome(path, "")))
    return table(("written in", "line ends", "read", "what is said"), rows)


def _read(path: Path, encoding: str, end: str, text: str) -> tuple[str, str, str, str]:
    path.write_bytes(text.replace("\n", _ENDS[end]).encode(encoding))
    return (encoding, end, *_outcome(path, text))


def _outcome(path: Path, text: str) -> tuple[str, str]:
    try:
        file = read_batch_file(path)
    except InputError as error:
        return "refused", _shown(path, str(error))
    wanted = [line.rsplit(",", 1)[1] for line in text.splitlines()[1:]]
    same = [row.answer for row in file.rows] == wanted
    said = _shown(path, " ".join(file.warnings)) if file.warnings else "-"
    rows = "1 row" if len(file.rows) == 1 else f"{len(file.rows)} rows"
    return f"{rows}, {'as written' if same else 'other letters'}", said


def _shown(path: Path, text: str) -> str:
    return text.replace(f"{path}: ", "").replace(str(path), path.name)


def citations() -> str:
    """What is read as a citation in each of several answers."""
    rows = []
    for answer in CITING:
        found = [answer[start:end].strip() for start, end in find_citations(answer)]
        shown = answer.replace("\n", " ")
        rows.append((f"`` {shown} ``", ", ".join(f"`{each}`" for each in found) or "none"))
    return table(("answer", "citation, neither claim nor number"), rows)


def phrases() -> str:
    """What each of twenty phrases of chatbots is taken for."""
    return table(
        ("phrase", "taken for"), ((each, why_set_aside(each) or "a claim") for each in PHRASES)
    )


if __name__ == "__main__":
    print(encodings(), citations(), phrases(), sep="\n\n")
