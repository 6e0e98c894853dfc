"""Weights for the models that run in the page: made from the kept results whenever these have changed.

Each model is two files below ``docs/assets/weights``: NAME.bin, all its tensors one after the other in float16,
little-endian, and NAME.json, which says what stands where: sizes, vocabulary, names and shapes of the tensors,
the digest of NAME.bin, and the fingerprint of what both were made from. A model that is too large for that has its
matrices in int8: for each row a factor in float16, after that whole numbers from -127 to 127.

``python -m book weights`` makes those out of date, or those named. As with figures, a build does so in a process of
its own, since nothing at the top of this file imports torch.
"""

from __future__ import annotations

import hashlib
import importlib
import json
import os
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from book import LANGUAGES, ROOT, files
from book.artifacts import store
from book.problems import BookError
from book.processes import end_with_parent, run
from snippets.tools import fingerprint as code
from snippets.tools.kept import NOTHING

WEIGHTS = ROOT / "docs" / "assets" / "weights"
RESULTS = ROOT / "snippets" / "results"
#: Bytes of NAME.bin that a reader may have to wait for.
LARGEST = 500_000


class WeightsError(BookError):
    """Weights that cannot be made."""


@dataclass(frozen=True)
class Exported:
    """A model that runs in the page: its name, that of its kept result, and the module that trained it.

    ``trained(*arguments)`` of the module returns the model, or its trainer. ``vocab`` and ``config`` are names in the
    module or, where one of its functions is named as ``holder``, in what that returns for the same arguments.
    """

    name: str
    result: str
    module: str
    arguments: tuple[str, ...] = ()
    vocab: str = "VOCAB"
    config: str = "CONFIG"
    holder: str = ""
    bits: int = 16

    @property
    def source(self) -> Path:
        return ROOT / "snippets" / f"{self.module}.py"

    @property
    def files(self) -> tuple[Path, Path]:
        return WEIGHTS / f"{self.name}.json", WEIGHTS / f"{self.name}.bin"

    def sources(self) -> list[Path]:
        return code.sources([self.source], ROOT)

    def fingerprint(self) -> str:
        """A hash of the code that trained it, of the weights that are kept, and of this file."""
        kept = RESULTS / f"{self.result}.safetensors"
        digest = hashlib.sha256(kept.read_bytes()).hexdigest() if kept.is_file() else ""
        own = code.meaning(Path(__file__).read_text(encoding="utf-8"))
        return code.fingerprint(self.sources(), ROOT, digest, own)

    def is_stale(self) -> bool:
        return not store.is_current(f"weights/{self.name}", self.fingerprint(), self.files)


MODELS = [
    Exported("dates", "dates-0", "training/translator", ("dates",), "DATE_VOCAB", "SMALL"),
    *(
        Exported(
            f"constitution-{language}",
            "constitution_gpt",
            "families/constitution_gpt",
            (language,),
            vocab="vocab",
            config="config",
            holder="text_of",
            bits=8,
        )
        for language in LANGUAGES
    ),
]


def stale() -> list[str]:
    """Models of which there are no weights, half of them, or those of another training."""
    return [one.name for one in MODELS if one.source.is_file() and one.is_stale()]


def sources(name: str) -> list[Path]:
    """The files of ``snippets`` on which the weights of a model depend."""
    return next(one for one in MODELS if one.name == name).sources()


def make_anew(names: list[str]) -> None:
    """Make weights in a fresh process. Raises ``WeightsError`` that names those that it could not."""
    if names and run("book.artifacts.weights", *names, cwd=ROOT):
        raise WeightsError(f"could not make the weights of: {', '.join(names)} (the reason stands above)")


def packed(tensor: Any, bits: int) -> tuple[bytes, Any]:
    """A tensor as it stands in NAME.bin, and what becomes of it in the page, in float32."""
    import torch

    if bits == 16 or tensor.dim() < 2:
        half = tensor.to(torch.float16)
        return half.contiguous().numpy().astype("<f2").tobytes(), half.float()
    rows = tensor.float()
    factor = (rows.abs().amax(dim=1, keepdim=True) / 127).to(torch.float16)
    steps = (rows / factor.float().clamp(min=1e-7)).round().clamp(-127, 127)
    data = factor.numpy().astype("<f2").tobytes() + steps.to(torch.int8).contiguous().numpy().tobytes()
    return data, steps * factor.float()


def described(model: Any, vocab: Any, config: Any, bits: int) -> tuple[dict[str, Any], bytes]:
    """What NAME.json says of a model, and NAME.bin."""
    shapes, parts = {}, []
    for name, tensor in model.state_dict().items():
        part, unpacked = packed(tensor, bits)
        if not unpacked.isfinite().all():
            raise WeightsError(f"{name} has numbers that float16 cannot hold")
        shapes[name] = list(tensor.shape)
        parts.append(part)
    data = b"".join(parts)
    if len(data) > LARGEST:
        raise WeightsError(f"{len(data):,} bytes of weights are more than the {LARGEST:,} that a page may load")
    sizes = ("num_layers", "d_model", "num_heads", "d_ff", "norm_first", "eps")
    record = {
        "bits": bits,
        "digest": hashlib.sha256(data).hexdigest(),
        "config": {size: getattr(config, size) for size in sizes},
        "tokens": vocab.tokens,
        "tensors": shapes,
    }
    return record, data


def export(one: Exported) -> None:
    """Write both files of a model. What is there meanwhile stays whole, and the description comes last."""
    made_from = one.fingerprint()
    module = importlib.import_module(f"snippets.{one.module.replace('/', '.')}")
    trained = module.trained(*one.arguments)
    holder = getattr(module, one.holder)(*one.arguments) if one.holder else module
    vocab, config = getattr(holder, one.vocab), getattr(holder, one.config)
    record, data = described(getattr(trained, "model", trained), vocab, config, one.bits)
    text = json.dumps(record, ensure_ascii=False, separators=(",", ":")) + "\n"
    for path, content in zip(one.files[::-1], (data, text.encode()), strict=True):
        files.write(path, content)
    store.keep(f"weights/{one.name}", made_from, one.files)


def main(arguments: list[str]) -> int:
    end_with_parent()
    os.environ[NOTHING] = "1"
    if unknown := set(arguments) - {one.name for one in MODELS}:
        print(f"no model that runs in a page has the name {', '.join(sorted(unknown))}", file=sys.stderr)
        return 2
    todo = arguments or stale()
    for name in todo:
        try:
            export(next(one for one in MODELS if one.name == name))
        except WeightsError as error:
            print(f"{name}: {error}", file=sys.stderr)
            return 1
        print(f"weights of {name}", flush=True)
    if not todo:
        print("all weights are up to date")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
