import pytest

from provenance_core import default_parameters
from provenance_core.findings import clauses
from provenance_core.reading_cache import KEPT, cached_per_audit, reading_cache


@pytest.fixture
def counted():
    read: list[str] = []

    @cached_per_audit
    def length(text: str) -> int:
        read.append(text)
        return len(text)

    return length, read


def test_a_block_reads_each_text_once_however_many_there_are(counted):
    length, read = counted
    texts = [str(number) for number in range(3 * KEPT)]
    with reading_cache():
        for _ in range(3):
            for text in texts:
                assert length(text) == len(text)
    assert len(read) == len(texts)


def test_an_inner_block_keeps_the_readings_of_the_outer_one(counted):
    length, read = counted
    texts = [str(number) for number in range(3 * KEPT)]
    with reading_cache():
        with reading_cache():
            for text in texts:
                length(text)
        for text in texts:
            length(text)
    assert len(read) == len(texts)


def test_only_the_last_readings_outlive_a_block(counted):
    length, read = counted
    texts = [str(number) for number in range(3 * KEPT)]
    with reading_cache():
        for text in texts:
            length(text)
    read.clear()
    length(texts[-1])
    assert read == []
    length(texts[0])
    assert read == [texts[0]]


def test_a_block_that_fails_leaves_nothing_open(counted):
    length, read = counted
    with pytest.raises(ZeroDivisionError), reading_cache():
        length("a")
        raise ZeroDivisionError
    for number in range(3 * KEPT):
        length(str(number))
    read.clear()
    length("a")
    assert read == ["a"]


def test_an_audit_reads_each_of_many_context_items_once(provenance, monkeypatch):
    read: list[str] = []
    sentence_bounds = clauses.sentence_bounds

    def counting(text, *given):
        read.append(text)
        return sentence_bounds(text, *given)

    monkeypatch.setattr(clauses, "sentence_bounds", counting)
    context = [f"Part {number}: the Varga works sued." for number in range(KEPT + 40)]
    provenance.audit(
        answer="The council sued the works. The mill left the town. The mayor sold it.",
        context=context,
        parameters=default_parameters("embedded"),
    )
    assert all(read.count(text) == 1 for text in context)
