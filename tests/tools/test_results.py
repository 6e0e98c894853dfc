"""A result comes back from its files as it was, or not at all."""

from __future__ import annotations

import contextlib
import hashlib
import io
import json
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
import torch

from snippets.tools.results import found, read, write

TENSORS = {"a": torch.arange(6.0).view(2, 3).T, "b": torch.tensor([True, False])}
DATA = [1.5, {"losses": [0.1, 1e-9], "name": "가"}, None]


@contextlib.contextmanager
def folder() -> Iterator[Path]:
    with tempfile.TemporaryDirectory() as name:
        yield Path(name)


@contextlib.contextmanager
def told() -> Iterator[list[str]]:
    """What is said meanwhile, as lines."""
    lines: list[str] = []
    with contextlib.redirect_stderr(io.StringIO()) as file:
        yield lines
    lines += file.getvalue().splitlines()


def names(path: Path) -> list[str]:
    return sorted(file.name for file in path.iterdir())


def test_what_is_written_comes_back():
    with folder() as place:
        write(place / "one.two", "code", (TENSORS, DATA))
        tensors, data = read(place / "one.two", "code")
        assert data == DATA and tensors.keys() == TENSORS.keys()
        assert all(tensors[name].equal(TENSORS[name]) for name in TENSORS)
        assert all(tensors[name].dtype == TENSORS[name].dtype for name in TENSORS)


def test_folders_are_made_and_nothing_else_is_left_there():
    with folder() as place:
        for _ in range(2):
            write(place / "a" / "b" / "one", "code", (TENSORS, DATA))
        assert names(place / "a" / "b") == ["one.json", "one.safetensors"]


def test_a_result_without_tensors_is_one_file():
    with folder() as place:
        write(place / "one", "code", ({}, DATA))
        assert names(place) == ["one.json"] and read(place / "one", "code") == ({}, DATA)
        assert found(place / "one", "code") == (DATA, None)


def test_the_record_is_json_with_the_code_and_the_digest_of_the_tensors():
    with folder() as place:
        write(place / "one", "code", (TENSORS, DATA))
        text, stored = (place / "one.json").read_text(encoding="utf-8"), (place / "one.safetensors").read_bytes()
        digest = hashlib.sha256(stored).hexdigest()
        assert json.loads(text) == {"code": "code", "tensors": digest, "data": DATA} and text.endswith("}\n")
        assert found(place / "one", "code") == (DATA, stored)


def test_what_other_code_made_and_what_is_not_there_is_nothing_and_nothing_is_said():
    with folder() as place, told() as said:
        write(place / "one", "code", (TENSORS, DATA))
        assert read(place / "one", "cod") is None and read(place / "two", "code") is None
        (place / "one.safetensors").unlink()
        assert read(place / "one", "code") is None
    assert said == []


@pytest.mark.parametrize(
    ("suffix", "content"),
    [
        ("json", b""),
        ("json", b"{"),
        ("json", b"\xff"),
        ("json", b"[]"),
        ("json", b"{}"),
        ("json", b'{"code": "code"}'),
        ("json", b'{"code": "code", "tensors": null}'),
        ("safetensors", b""),
        ("safetensors", b"x"),
    ],
)
def test_what_is_damaged_is_nothing_and_says_so(suffix, content):
    with folder() as place:
        write(place / "one", "code", (TENSORS, DATA))
        (place / f"one.{suffix}").write_bytes(content)
        with told() as said:
            assert found(place / "one", "code") is None
        assert len(said) == 1 and said[0].startswith(f"{place / 'one'} is damaged, and made anew: ")


def test_tensors_of_another_result_are_not_taken_for_its_own():
    with folder() as place, told() as said:
        write(place / "one", "code", (TENSORS, DATA))
        write(place / "two", "code", ({"a": TENSORS["b"]}, DATA))
        (place / "two.safetensors").replace(place / "one.safetensors")
        assert read(place / "one", "code") is None
    assert "the tensors are not those that were written" in said[0]


def test_a_reader_never_finds_half_a_file():
    with folder() as place:
        write(place / "one", "code", (TENSORS, DATA))
        old = (place / "one.json").open(encoding="utf-8")  # is reading while another result is written
        with old:
            write(place / "one", "other", ({}, "more"))
            assert json.loads(old.read())["code"] == "code"
        assert read(place / "one", "other") == ({}, "more")
