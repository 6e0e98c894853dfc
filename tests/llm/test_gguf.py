"""A file written by hand is read back, with its numbers, texts and tensors."""

from __future__ import annotations

import struct

import pytest
import torch

from snippets.llm.gguf import KINDS, Cursor, q4_1, q8_0, read_gguf
from tests.llm.model import gguf_bytes

ABOUT = {
    "name": "값 β",
    "layers": 30,
    "eps": 0.5,
    "yes": True,
    "list": ["a", "", "어텐션"],
    "numbers": [3, 1, 2],
    "nested": [[1, 2], [3]],
}


def half(*numbers: float) -> bytes:
    return struct.pack(f"<{len(numbers)}e", *numbers)


def written(tmp_path, *arguments, **options):
    path = tmp_path / "model.gguf"
    path.write_bytes(gguf_bytes(*arguments, **options))
    return path


def test_the_metadata_is_read_back(tmp_path):
    about, tensors = read_gguf(written(tmp_path, ABOUT, {}))
    assert about == ABOUT and tensors == {}
    assert [type(about[name]) for name in ("name", "layers", "eps", "yes")] == [str, int, float, bool]


@pytest.mark.parametrize(
    ("code", "letter", "value"),
    [
        (0, "B", 255), (1, "b", -128), (2, "H", 65535), (3, "h", -2), (4, "I", 2**32 - 1), (5, "i", -7), (6, "f", 0.25),
        (7, "?", True), (10, "Q", 2**63), (11, "q", -(2**40)), (12, "d", 1 / 3),
    ],
)  # fmt: skip
def test_each_kind_of_number_has_its_code(code, letter, value):
    data = b"xx" + struct.pack(f"<{letter}", value) + b"GGUF"
    cursor = Cursor(data, at=2)
    assert cursor.value(code) == value and data[cursor.at :] == b"GGUF"
    assert Cursor(data[2:]).value(code) == value


@pytest.mark.parametrize("alignment", [32, 64])
def test_tensors_are_found_where_they_lie(tmp_path, alignment):
    first, second = [1.0, -2.5, 3.0, 0.0, 5.0, 6.0], [7.0, 8.0]
    tensors = {
        "first": ((3, 2), 0, struct.pack("<6f", *first)),
        "second": ((2,), 0, struct.pack("<2f", *second)),
    }
    about = {"general.alignment": alignment} if alignment != 32 else {"padding": "x"}
    _, found = read_gguf(written(tmp_path, about, tensors, alignment=alignment))
    assert list(found) == ["first", "second"] and found["first"].shape == (3, 2)
    assert found["first"].decoded().tolist() == [[1.0, -2.5], [3.0, 0.0], [5.0, 6.0]]
    assert found["second"].decoded().tolist() == second


def test_a_block_of_eight_bits_is_scale_times_integer():
    numbers = [-128, 127, *range(-15, 15)]
    blocks = torch.tensor([list(half(scale) + struct.pack("<32b", *numbers)) for scale in (0.5, -2.0)])
    assert q8_0(blocks.byte()).tolist() == [[0.5 * q for q in numbers], [-2.0 * q for q in numbers]]


def test_a_block_of_four_bits_has_its_first_half_in_the_lower_ones():
    numbers = [*range(16), *reversed(range(16))]
    packed = bytes(low | high << 4 for low, high in zip(numbers[:16], numbers[16:], strict=True))
    blocks = torch.tensor([list(half(0.25, least) + packed) for least in (-1.0, 3.0)])
    assert q4_1(blocks.byte()).tolist() == [[0.25 * q + least for q in numbers] for least in (-1.0, 3.0)]


def test_blocks_follow_each_other_along_the_rows(tmp_path):
    packed = [half(scale) + struct.pack("<32b", *range(32)) for scale in (1, 2, 3, 4)]
    _, found = read_gguf(written(tmp_path, {}, {"w": ((2, 64), 8, b"".join(packed))}))
    rows = [[scale * i for scale in pair for i in range(32)] for pair in ((1, 2), (3, 4))]
    assert found["w"].decoded().tolist() == rows
    assert found["w"].blocks.shape == (4, 34) and found["w"].kind.name == "Q8_0"


def test_another_file_is_refused(tmp_path):
    other = tmp_path / "other.gguf"
    other.write_bytes(b"PK\x03\x04" + bytes(40))
    with pytest.raises(ValueError, match="begins with b'PK.*not with b'GGUF'"):
        read_gguf(other)
    for version in (1, 4):
        with pytest.raises(ValueError, match=f"is GGUF version {version}, not 2 or 3"):
            read_gguf(written(tmp_path, {}, {}, version=version))
    assert read_gguf(written(tmp_path, {}, {}, version=2)) == ({}, {})


def test_what_cannot_be_decoded_is_refused_with_what_can(tmp_path):
    with pytest.raises(ValueError, match=r"kind 12; known are F32 \(0\), Q4_1 \(3\), Q8_0 \(8\)"):
        read_gguf(written(tmp_path, {}, {"w": ((256,), 12, bytes(144))}))


def test_a_file_that_ends_early_is_refused(tmp_path):
    path = written(tmp_path, {}, {"w": ((8,), 0, bytes(32))})
    whole = path.read_bytes()
    read_gguf(path)
    path.write_bytes(whole[:-1])
    with pytest.raises(ValueError, match=f"the file ends at {len(whole) - 1}, before its last tensor"):
        read_gguf(path)


def test_kinds_have_the_sizes_of_the_format():
    sizes = {kind.name: (kind.weights, kind.size) for kind in KINDS.values()}
    assert sizes == {"F32": (1, 4), "Q4_1": (32, 2 + 2 + 16), "Q8_0": (32, 2 + 32)}
