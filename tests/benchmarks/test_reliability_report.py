"""RELIABILITY.md is what the kept results say, and names the commands that wrote them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from benchmarks.reliability.report import PAGE, Part, keep, page_text, read_parts

PART = Part("kills", "python -m benchmarks.reliability kills", "2026-01-02", "2 cores", (), True)


def test_the_page_is_that_of_the_results() -> None:
    parts = read_parts()
    assert parts
    assert PAGE.read_text(encoding="utf-8") == page_text(parts)
    for part in parts:
        assert part.command.startswith(f"python -m benchmarks.reliability {part.name}")
        assert part.figures


def test_a_part_takes_the_place_of_its_last_run_beside_the_others(tmp_path: Path) -> None:
    results, page = tmp_path / "results", tmp_path / "page.md"
    keep(replace(PART, name="payloads", figures=(("payloads", "7"),)), results, page)
    keep(replace(PART, figures=(("moments", "5"), ("lost", "0"))), results, page)
    keep(replace(PART, figures=(("moments", "6"), ("lost", "1")), holds=False), results, page)
    text = page.read_text(encoding="utf-8")
    assert "| moments | 6 |\n| lost | 1 |" in text
    assert "| moments | 5 |" not in text
    assert text.index("did not hold") < text.index("| payloads | 7 |")
    assert [part.name for part in read_parts(results)] == ["kills", "payloads"]
