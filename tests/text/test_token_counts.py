from provenance_core.text.token_counts import CountedOnce


def test_each_text_is_counted_once_in_batches_that_are_heard_of():
    asked, heard = [], []

    def count(texts):
        asked.append(len(texts))
        return [len(text) for text in texts]

    counted = CountedOnce(count, heard.append)
    long = ["a" * 300_000, "b" * 300_000, "c"]
    assert counted([*long, "c", ""]) == [300_000, 300_000, 1, 1, 0]
    assert (asked, heard) == ([2, 2], [600_000, 1])
    assert counted(["c", "d"]) == [1, 1]
    assert (asked, heard) == ([2, 2, 1], [600_000, 1, 1])
    assert counted([]) == []
