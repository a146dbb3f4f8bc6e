"""The functions that are counted on the way of an audit."""

from __future__ import annotations

import threading

from benchmarks.audit_path import passed
from provenance_core.lexicon.words import word_list
from provenance_core.text.input_checks import clean_text


def test_each_function_of_the_repository_counts_once_in_every_thread():
    with passed() as found:
        word_list("two words")
        word_list("three more words")
        beside = threading.Thread(target=clean_text, args=("a", "text"))
        beside.start()
        beside.join()
        sorted(["b", "a"], key=lambda text: text.upper())
    assert ("provenance_core/text/coverage.py", "word_list") in found
    assert ("provenance_core/text/input_checks.py", "clean_text") in found
    assert not any("lambda" in name or file.startswith("/") for file, name in found)
    word_list("after it")
    assert len(found) == len({*found})
