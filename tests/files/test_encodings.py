"""One way of finding the encoding, whichever reader a file goes through."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from provenance_core.errors import InputError
from provenance_core.files.batch import BatchOptions, read_batch_file
from provenance_core.files.encoding import decode
from provenance_core.files.labelled import read_labelled_file
from provenance_core.files.returned import read_returned_file
from provenance_core.files.uploaded_context import read_context_file

TEXT = "Die Brücke öffnete „früh“ – für 12 € je Straße."
TABLE = f"query,context,answer,label\nWann?,{TEXT},Früh.,1\nWo?,In Köln.,In Köln.,1\n"
LINES = "".join(
    json.dumps(row, ensure_ascii=False) + "\n"
    for row in (
        {"query": "Wann?", "context": [TEXT], "answer": "Früh.", "label": 1},
        {"query": "Wo?", "context": ["In Köln."], "answer": "In Köln.", "label": 1},
    )
)
SURE = ["utf-8", "utf-8-sig", "utf-16", "utf-32"]
GUESSED = ["cp1252", "utf-16-le", "utf-16-be"]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("encoding", SURE + GUESSED)
@pytest.mark.parametrize(("name", "text"), [("a.csv", TABLE), ("a.jsonl", LINES)])
def test_a_file_is_read_whole_in_its_own_encoding(
    tmp_path: Path, name: str, text: str, encoding: str, end: str
) -> None:
    path = tmp_path / name
    path.write_bytes(text.replace("\n", end).encode(encoding))
    for read in (read_batch_file, read_labelled_file):
        file = read(path)
        assert [(row.context, row.answer, row.label) for row in file.rows] == [
            ((TEXT,), "Früh.", 1), (("In Köln.",), "In Köln.", 1),
        ]  # fmt: skip
        assert any("which is a guess" in said for said in file.warnings) == (encoding in GUESSED)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
@pytest.mark.parametrize(("name", "text"), [("a.csv", TABLE), ("a.jsonl", LINES), ("a", TABLE)])
def test_a_byte_order_mark_may_stand_twice(
    tmp_path: Path, name: str, text: str, encoding: str
) -> None:
    path = tmp_path / name
    path.write_bytes(f"\ufeff\ufeff{text}".encode(encoding))
    file = read_batch_file(path)
    assert [row.query for row in file.rows] == ["Wann?", "Wo?"] and not file.warnings
    read = read_context_file("a.json", '\ufeff\ufeff["One."]'.encode(encoding))
    assert [item.text for item in read.items] == ["One."]


@pytest.mark.parametrize(
    ("encoding", "text"),
    [
        ("cp1250", "Most přes řeku byl otevřen v roce 1932 a je uzavřen každé pondělí."),
        ("cp1250", "Most został otwarty w 1932 roku i jest zamknięty w każdy poniedziałek."),
        ("cp1250", "A hidat 1932-ben nyitották meg, és minden hétfőn zárva tart őszig."),
        ("cp1254", "Köprü 1932 yılında açıldı ve pazartesi günleri kapalıdır."),
        ("cp1257", "Tiltas buvo atidarytas 1932 metais ir pirmadieniais yra uždarytas."),
        ("cp1252", "Le pont a été ouvert en 1932 et il est fermé le lundi à Noël."),
        ("cp1252", "El puente se abrió en 1932 y está cerrado los lunes para los niños."),
        ("cp1252", "Broen blev åbnet i 1932 og er lukket om mandagen for børn."),
        ("cp1252", "The café was opened in 1932 – a piñata costs €12."),
        ("cp1251", "Мост был открыт в 1932 году и закрыт по понедельникам."),
    ],
)  # fmt: skip
def test_the_code_page_is_that_of_the_language(tmp_path: Path, encoding: str, text: str) -> None:
    path = tmp_path / "a.jsonl"
    row = {"query": "q", "context": [text], "answer": text}
    path.write_bytes((json.dumps(row, ensure_ascii=False) + "\n").encode(encoding))
    file = read_batch_file(path)
    assert file.rows[0].answer == text
    assert f"it was read as {encoding}, which is a guess" in " ".join(file.warnings)


def test_a_packed_file_and_an_upload_are_decoded_alike(tmp_path: Path) -> None:
    path = tmp_path / "a.csv.gz"
    path.write_bytes(gzip.compress(TABLE.encode("cp1252")))
    assert [row.answer for row in read_batch_file(path).rows] == ["Früh.", "In Köln."]
    read = read_context_file("a.txt", TEXT.encode("cp1252"))
    assert [item.text for item in read.items] == [TEXT]
    assert "read as cp1252, which is a guess" in read.notices[0].message


def test_returned_labels_are_decoded_alike(tmp_path: Path) -> None:
    record = {"annotator_kind": "HUMAN", "name": "factuality", "span_id": "s", "id": "1",
              "result": {"label": "supported", "explanation": "gut für heute"}}  # fmt: skip
    path = tmp_path / "a.jsonl"
    path.write_bytes((json.dumps(record, ensure_ascii=False) + "\n").encode("cp1252"))
    (label,) = read_returned_file(path).labels
    assert label.comment == "gut für heute"


def test_utf8_with_damage_is_refused_whole_unless_the_rest_is_asked_for(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_bytes(TABLE.encode() + "Wer?,Müller,Er.,1\n".encode("cp1252"))
    with pytest.raises(InputError, match=r"a\.csv: byte 0xFC at line 4, .*--encoding utf-8"):
        read_batch_file(path)
    file = read_batch_file(path, options=BatchOptions(encoding="utf-8"))
    assert len(file.rows) == 2
    assert [row.line for row in file.rejected] == [4]
    assert file.rejected[0].raw == "Wer?,M\ufffdller,Er.,1"
    with pytest.raises(InputError, match="no encoding is called 'klingon'"):
        read_batch_file(path, options=BatchOptions(encoding="klingon"))


@pytest.mark.parametrize("encoding", ["cp1251", "cp1253"])
def test_another_alphabet_is_not_taken_for_windows_western(encoding: str) -> None:
    text = {
        "cp1251": "Мост был открыт в 1932 году, и его длина 503 метра. Он стоит на реке.",
        "cp1253": "Η γέφυρα άνοιξε το 1932 και έχει μήκος 503 μέτρα. Είναι στο ποτάμι.",
    }[encoding]
    assert decode("a.txt", text.encode(encoding), "")[0] == text
