"""How the book's Korean encoder was pretrained: 41 minutes on two cores.

The reviews are those of raw/*.json in https://github.com/e9t/nsmc (CC0). To do it again:
python -m snippets.families.weights.review_bert.make RAW OUT, the folder of the reviews and a new one.
"""

import json
import sys
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable
from pathlib import Path

import torch
import torch.nn.functional as F
from safetensors.torch import save_file
from tokenizers import BertWordPieceTokenizer, Tokenizer
from tokenizers.processors import TemplateProcessing
from torch import Generator, Tensor, nn
from tqdm import trange

from snippets.before.prediction_tasks import IGNORED, bert_masking
from snippets.families.bert import MASKED_LM_NAMES, BertForMaskedLM
from snippets.families.library import renamed
from snippets.families.review_bert import REVIEW_BERT
from snippets.families.reviews import reviews


def texts(raw: Path) -> list[str]:
    """The reviews of nine films in ten, each once; those of the tenth are for tests."""
    seen = {}
    for file in sorted(raw.glob("*.json")):
        for row in json.loads(file.read_bytes()):
            text = unicodedata.normalize("NFC", row["review"])
            text = " ".join(text.split())
            if len(text) > 1:
                seen.setdefault(text, int(row["movie_id"]))
    return [text for text, film in seen.items() if film % 10]


def new_tokenizer(lines: list[str]) -> Tokenizer:
    """WordPiece with 8,000 tokens, which [CLS] and [SEP] surround."""
    trained = BertWordPieceTokenizer(lowercase=False, strip_accents=False)
    sizes = {"vocab_size": REVIEW_BERT.vocab_size, "limit_alphabet": 2500}
    trained.train_from_iterator(lines, **sizes)
    tokenizer = Tokenizer.from_str(trained.to_str())
    tokenizer.post_processor = TemplateProcessing(
        single="[CLS] $A [SEP]",
        pair="[CLS] $A [SEP] $B:1 [SEP]:1",
        special_tokens=[("[CLS]", 2), ("[SEP]", 3)],
    )
    return tokenizer


LENGTHS = (8, 12, 16, 20, 24, 32, 40, 48, 64)  # longer reviews are left out
TOKENS = 6144  # of a batch, padding included


def by_length(lines: list[list[int]]) -> list[Tensor]:
    """For each of LENGTHS, the ids of what fits into it and not into the last."""
    return [
        torch.tensor([x + [0] * (n - len(x)) for x in lines if short < len(x) <= n])
        for n, short in zip(LENGTHS, (0, *LENGTHS), strict=False)
    ]


def masked(ids: Tensor, mask_id: int, generator: Generator) -> tuple[Tensor, Tensor]:
    """Inputs, and which of all positions to predict: none of the special tokens.

    The last few are left out, up to 63, as products of few sizes are faster.
    """
    vocab_size = REVIEW_BERT.vocab_size
    inputs, targets = bert_masking(ids, mask_id, vocab_size, generator, pad_id=0)
    special = ids <= mask_id
    chosen = targets.masked_fill(special, IGNORED).flatten() != IGNORED
    at = chosen.nonzero().flatten()
    return torch.where(special, ids, inputs), at[: len(at) // 64 * 64]


STEPS, WARM_UP, PEAK = 4000, 400, 1e-3


def learning_rate(step: int) -> float:
    """Up in a straight line, and down to 0 in another."""
    return PEAK * min(step / WARM_UP, (STEPS - step + 1) / (STEPS - WARM_UP))


def pretrain(
    stock: list[Tensor], mask_id: int, steps: int = STEPS
) -> tuple[BertForMaskedLM, list[float]]:
    """A new model, trained to fill gaps in bfloat16, and the losses of its steps."""
    generator = Generator().manual_seed(0)
    torch.manual_seed(0)
    model = BertForMaskedLM(REVIEW_BERT).train()
    groups = [  # no weight decay for biases and norms
        {"params": [p for p in model.parameters() if p.dim() > 1]},
        {"params": [p for p in model.parameters() if p.dim() < 2], "weight_decay": 0.0},
    ]
    optimizer = torch.optim.AdamW(
        groups, weight_decay=0.01, betas=(0.9, 0.98), fused=True
    )
    sizes = torch.tensor([float(x.numel()) for x in stock])
    losses, bar = [], trange(1, steps + 1, unit="step")
    for step in bar:
        some = stock[torch.multinomial(sizes, 1, generator=generator)]
        rows = (TOKENS // some.size(1),)
        ids = some[torch.randint(len(some), rows, generator=generator)]
        inputs, at = masked(ids, mask_id, generator)
        for group in optimizer.param_groups:
            group["lr"] = learning_rate(step)
        with torch.autocast("cpu", torch.bfloat16):
            hidden = model.bert(inputs).flatten(0, 1)[at]
            logits = model.head(hidden, model.bert.tokens.weight)
        loss = F.cross_entropy(logits.float(), ids.flatten()[at])
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        losses.append(loss.item())
        bar.set_postfix(loss=f"{losses[-1]:.3f}", refresh=False)
    return model, losses


def save(model: BertForMaskedLM, tokenizer: Tokenizer, folder: Path) -> None:
    """As transformers reads it: AutoModelForMaskedLM.from_pretrained(folder)."""
    folder.mkdir(parents=True, exist_ok=True)
    state = {
        renamed(name, MASKED_LM_NAMES): x.half().contiguous()
        for name, x in model.state_dict().items()
    }
    save_file(state, folder / "model.safetensors", metadata={"format": "pt"})
    config = {
        "architectures": ["BertForMaskedLM"],
        "model_type": "bert",
        "vocab_size": REVIEW_BERT.vocab_size,
        "num_hidden_layers": REVIEW_BERT.num_layers,
        "hidden_size": REVIEW_BERT.d_model,
        "num_attention_heads": REVIEW_BERT.num_heads,
        "intermediate_size": REVIEW_BERT.d_ff,
        "max_position_embeddings": REVIEW_BERT.max_length,
        "hidden_act": "gelu",
        "layer_norm_eps": REVIEW_BERT.eps,
        "dtype": "float16",
    }
    names = ("pad", "unk", "cls", "sep", "mask")
    tokens = {f"{name}_token": f"[{name.upper()}]" for name in names}
    length = {"model_max_length": REVIEW_BERT.max_length}
    kind = {"tokenizer_class": "PreTrainedTokenizerFast"}
    for file, content in (
        ("config.json", config),
        ("tokenizer_config.json", kind | tokens | length),
    ):
        text = json.dumps(content, indent=2) + "\n"
        (folder / file).write_text(text, encoding="utf-8")
    pieces = json.dumps(json.loads(tokenizer.to_str()))  # in ASCII
    (folder / "tokenizer.json").write_text(pieces + "\n", encoding="utf-8")


@torch.no_grad()
def by_model(model: BertForMaskedLM, lines: list[list[int]], mask_id: int) -> float:
    """Of all tokens but [CLS] and [SEP], hidden one at a time: the share filled."""
    right = total = 0
    for line in sorted(lines, key=len):
        inner = torch.arange(1, len(line) - 1)
        ids = torch.tensor(line).repeat(len(inner), 1)
        answers = ids[0, inner]
        ids[torch.arange(len(inner)), inner] = mask_id
        found = model(ids)[torch.arange(len(inner)), inner].argmax(dim=-1)
        right, total = right + int((found == answers).sum()), total + len(inner)
    return right / total


LEFT = [(4, 0), (3, 0), (2, 0), (1, 0), (0, 0)]
BOTH = [(2, 2), (1, 2), (2, 1), (1, 1), (1, 0), (0, 0)]


def context(line: list[int], i: int, size: tuple[int, int]) -> tuple:
    """So many neighbors to the left and to the right; there may be fewer."""
    left, right = size
    return size, tuple(line[max(0, i - left) : i]), tuple(line[i + 1 : i + 1 + right])


def by_counting(
    training: Iterable[list[int]], lines: list[list[int]], sizes: list[tuple[int, int]]
) -> float:
    """The same share, for the token seen most often between the same neighbors:
    between the first of these sizes that training has seen.
    """
    places = [(line, i) for line in lines for i in range(1, len(line) - 1)]
    asked = {context(line, i, size) for line, i in places for size in sizes}
    seen = defaultdict(Counter)
    for line in training:
        for i in range(1, len(line) - 1):
            for size in sizes:
                if (key := context(line, i, size)) in asked:
                    seen[key][line[i]] += 1
    right = 0
    for line, i in places:
        known = next(c for size in sizes if (c := context(line, i, size)) in seen)
        right += seen[known].most_common(1)[0][0] == line[i]
    return right / len(places)


def measure(
    model: BertForMaskedLM, tokenizer: Tokenizer, lines: list[list[int]]
) -> dict[str, float]:
    """Shares of the gaps in other reviews that are filled, and what was counted."""
    test = [tokenizer.encode(text).ids for text, _ in reviews("test")]
    counts = torch.cat([torch.tensor(line[1:-1]) for line in lines]).bincount()
    p = counts[counts > 0].double() / counts.sum()
    return {
        "model": by_model(model.eval(), test, tokenizer.token_to_id("[MASK]")),
        "left": by_counting(lines, test, LEFT),
        "both": by_counting(lines, test, BOTH),
        "entropy": -(p * p.log()).sum().item(),  # in nats, of a single token
        "reviews": len(lines),
        "tokens": sum(map(len, lines)),
    }


if __name__ == "__main__":
    raw, out = map(Path, sys.argv[1:])
    lines = texts(raw)
    tokenizer = new_tokenizer(lines)
    ids = [encoding.ids for encoding in tokenizer.encode_batch(lines)]
    model, losses = pretrain(by_length(ids), tokenizer.token_to_id("[MASK]"))
    save(model, tokenizer, out)
    found = measure(model, tokenizer, ids) | {"losses": [round(x, 4) for x in losses]}
    (out / "measured.json").write_text(json.dumps(found) + "\n", encoding="utf-8")
