"""Files at addresses: read under their own names, and messages that name the address."""

from __future__ import annotations

from pathlib import Path

import fsspec
import pytest

from provenance_core import InputError
from provenance_core.files.batch import read_batch_file
from provenance_core.files.locations import at_hand, file_name, file_system, is_address

ROW = b'{"answer": "It is red.", "context": "It is red."}\n'


@pytest.fixture
def memory():
    system = fsspec.filesystem("memory")
    yield system
    system.store.clear()
    system.pseudo_dirs[:] = [""]


@pytest.mark.parametrize(
    ("location", "address", "name"),
    [
        ("s3://bucket/sets/a.parquet", True, "a.parquet"),
        ("simplecache::s3://bucket/a.jsonl.gz", True, "a.jsonl.gz"),
        ("https://example.com/a.csv?token=b/c", True, "a.csv"),
        ("s3://bucket/what?.jsonl", True, "what?.jsonl"),
        ("sets/a.jsonl", False, "a.jsonl"),
        ("/sets/a: b.jsonl", False, "a: b.jsonl"),
    ],
)
def test_what_is_an_address_and_how_its_file_is_called(location, address, name):
    assert (is_address(location), file_name(location)) == (address, name)


def test_a_file_at_an_address_is_at_hand_under_its_name_and_gone_after(memory):
    memory.pipe_file("/sets/a.jsonl", ROW)
    with at_hand("memory://sets/a.jsonl") as path:
        assert (path.name, path.read_bytes()) == ("a.jsonl", ROW)
    assert not path.exists() and not path.parent.exists()


def test_a_path_is_given_as_it_is(tmp_path):
    with at_hand(str(tmp_path / "none.jsonl")) as path:
        assert path == tmp_path / "none.jsonl"


def test_a_message_about_a_file_names_its_address(memory):
    memory.pipe_file("/sets/a.jsonl", b"{}\n")
    with (
        pytest.raises(InputError, match=r"^memory://sets/a\.jsonl: no key is chosen"),
        at_hand("memory://sets/a.jsonl") as path,
    ):
        read_batch_file(path)


@pytest.mark.parametrize(
    ("location", "said"),
    [
        ("memory://none/a.jsonl", "memory://none/a.jsonl: cannot be used (there is no such file)"),
        ("memory://sets/", "no file is named"),
        ("nowhere://a/b.jsonl", "Protocol not known: nowhere; give a path"),
    ],
)
def test_what_cannot_be_read_says_why(memory, location, said):
    with pytest.raises(InputError) as raised, at_hand(location):
        pass
    assert said in str(raised.value)


def test_a_package_that_is_missing_is_named(monkeypatch):
    def missing(location):
        raise ImportError("Install s3fs to access S3")

    monkeypatch.setattr("fsspec.core.url_to_fs", missing)
    with pytest.raises(InputError, match=r"s3://b/a: the package .* \(Install s3fs to access S3\)"):
        file_system("s3://b/a")


def test_what_a_file_system_raises_of_its_own_is_a_message(memory, monkeypatch):
    class NoKeys(Exception):
        pass

    def refuse(*given, **more):
        raise NoKeys("Unable to locate credentials")

    monkeypatch.setattr(type(memory), "open", refuse)
    with (
        pytest.raises(InputError, match=r"cannot be used .Unable to locate credentials"),
        at_hand("memory://sets/a.jsonl"),
    ):
        pass


def test_a_file_of_this_machine_may_have_an_address(tmp_path: Path):
    (tmp_path / "a.jsonl").write_bytes(ROW)
    with at_hand(f"file://{tmp_path}/a.jsonl") as path:
        assert [row.answer for row in read_batch_file(path).rows] == ["It is red."]
