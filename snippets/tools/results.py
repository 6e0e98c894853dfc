"""A result as files: what can be read as JSON, and its tensors, if it has any, as safetensors.

NAME.json says by which code it was made, and holds the digest of NAME.safetensors. Neither can run code
when it is loaded. torch is imported where a tensor is touched: who only asks what is there does without.
"""

import hashlib
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from torch import Tensor

#: Tensors by name, and what JSON can hold.
Result = tuple[dict[str, "Tensor"], Any]


def write(path: Path, code: str, result: Result, rehearsal: list | None = None) -> None:
    """Keep a result made by that code. Whoever reads meanwhile finds the old one or the new one.

    ``rehearsal``: what the first steps give, by which to tell whether other code makes the same; see
    book/artifacts/rehearsal.py.
    """
    from safetensors.torch import save

    tensors, data = result
    stored = save({name: tensor.contiguous() for name, tensor in tensors.items()}) if tensors else None
    record = {"code": code, "tensors": stored and hashlib.sha256(stored).hexdigest(), "data": data}
    if rehearsal is not None:
        record["rehearsal"] = rehearsal
    path.parent.mkdir(parents=True, exist_ok=True)
    if stored:
        _replace(path.with_name(f"{path.name}.safetensors"), stored)
    _replace(path.with_name(f"{path.name}.json"), (json.dumps(record) + "\n").encode())


def found(path: Path, code: str) -> tuple[Any, bytes | None] | None:
    """Data and stored tensors, if there is a whole result that was made by that code; says if one is damaged."""
    try:
        record = json.loads(path.with_name(f"{path.name}.json").read_bytes())
        if record["code"] != code:
            return None
        stored = path.with_name(f"{path.name}.safetensors").read_bytes() if record["tensors"] else None
        if stored is not None and hashlib.sha256(stored).hexdigest() != record["tensors"]:
            raise ValueError("the tensors are not those that were written")
        return record["data"], stored
    except FileNotFoundError:
        return None
    except (ValueError, KeyError, TypeError) as error:
        print(f"{path} is damaged, and made anew: {error}", file=sys.stderr)
        return None


def read(path: Path, code: str) -> Result | None:
    """What was written, if there is a whole result that was made by that code."""
    if (there := found(path, code)) is None:
        return None
    data, stored = there
    if stored is None:
        return {}, data
    from safetensors.torch import load

    return load(stored), data


def _replace(path: Path, content: bytes) -> None:
    part = path.with_name(f"{path.name}.part")  # half a file never looks like a whole
    part.write_bytes(content)
    part.replace(path)
