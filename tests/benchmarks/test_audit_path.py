"""The functions that are counted on the way of an audit."""

from __future__ import annotations

import threading

from benchmarks.audit_path import passed
from provenance_core.text.input_checks import check_length_of, check_pairs, clean_text


def test_each_function_of_the_repository_counts_once_in_every_thread():
    with passed() as found:
        clean_text("two", "text")
        clean_text("three", "text")
        beside = threading.Thread(target=check_pairs, args=(1,))
        beside.start()
        beside.join()
        sorted(["b", "a"], key=lambda text: text.upper())
    check_length_of([])
    module = "provenance_core/text/input_checks.py"
    assert found == {(module, "clean_text"), (module, "check_pairs")}
