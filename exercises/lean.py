"""Stand-ins for what the trained translator and the tokenizer need besides torch, where it is not installed."""

from __future__ import annotations

import importlib.util
import json
import sys
from importlib.machinery import ModuleSpec
from types import ModuleType

import torch
from torch import Tensor

DTYPES = {"F32": torch.float32, "F16": torch.float16, "BF16": torch.bfloat16, "F64": torch.float64}
DTYPES |= {"I64": torch.int64, "I32": torch.int32, "U8": torch.uint8, "BOOL": torch.bool}


def load(data: bytes) -> dict[str, Tensor]:
    """The tensors of a file in the format of safetensors: the length of a header, the header, and numbers."""
    length = int.from_bytes(data[:8], "little")
    header = json.loads(data[8 : 8 + length])
    header.pop("__metadata__", None)
    numbers, found = data[8 + length :], {}
    for name, entry in header.items():
        begin, end = entry["data_offsets"]
        dtype, shape = DTYPES[entry["dtype"]], entry["shape"]
        part = bytearray(numbers[begin:end])
        found[name] = torch.frombuffer(part, dtype=dtype).reshape(shape) if part else torch.empty(shape, dtype=dtype)
    return found


#: What the book's own tokenizer imports of the library that it is compared with, and calls nothing of.
LIBRARY = ("Regex", "Tokenizer", "decoders", "models", "pre_tokenizers", "trainers")


class Steps:
    """A bar that shows nothing."""

    def __init__(self, *bounds: int, **_: object) -> None:
        self.range = range(*bounds)

    def __iter__(self):
        return iter(self.range)

    def set_postfix(self, *_: object, **__: object) -> None:
        pass


def stand_in() -> None:
    """For whatever of it is missing."""
    missing = {"tqdm": {"trange": Steps, "tqdm": iter}, "safetensors": {}, "tokenizers": dict.fromkeys(LIBRARY)}
    for name, values in missing.items():
        if importlib.util.find_spec(name) is None:
            module = ModuleType(name)
            module.__spec__ = ModuleSpec(name, None)  # which torch asks for
            vars(module).update(values)
            sys.modules[name] = module
            if name == "safetensors":
                sys.modules["safetensors.torch"] = of_torch = ModuleType("safetensors.torch")
                of_torch.load = load
                of_torch.__spec__ = ModuleSpec("safetensors.torch", None)
