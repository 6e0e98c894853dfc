"""A small BERT trained on the constitution, and what it puts into gaps."""

# --8<-- [start:imports]
import time
from dataclasses import replace
from functools import cache

import torch
from torch import Generator, Tensor, nn

from snippets.before.language_models import split
from snippets.before.prediction_tasks import IGNORED, bert_masking
from snippets.before.two_constitutions import constitution
from snippets.before.vocabulary import EOS, PAD, Vocabulary, pad
from snippets.families.bert import BERT_BASE, BertForMaskedLM
from snippets.tools.kept import kept
from snippets.training.loss import smoothed_cross_entropy
from snippets.training.trainer import Trainer
# --8<-- [end:imports]


# --8<-- [start:Text]
MASK = "[MASK]"
LENGTH = 32  # of what the model sees at once, in tokens


class Text:
    """A constitution: its lines for training and for testing, and its characters.

    Raises ValueError for a language without one.
    """

    def __init__(self, language: str) -> None:
        lines = constitution(language)
        self.train, _, test = split(lines)  # as in the first part of the book
        self.test = [line for line in test if line not in self.train]
        self.vocab = Vocabulary([MASK, *"".join(lines)])
        self.config = replace(CONFIG, vocab_size=len(self.vocab))

    def windows(self, line: str) -> list[list[int]]:
        """All stretches of LENGTH tokens of a line, from <s> to </s>."""
        ids = self.vocab.encode(list(line), bos=True)
        starts = range(max(1, len(ids) - LENGTH + 1))
        return [ids[start : start + LENGTH] for start in starts]


@cache
def text_of(language: str) -> Text:
    """Read once."""
    return Text(language)
# --8<-- [end:Text]


# --8<-- [start:masked]
def masked(
    ids: Tensor, vocab: Vocabulary, generator: Generator
) -> tuple[Tensor, Tensor]:
    """As bert_masking does it, but never of <pad>, <s> or </s>.

    One random token in len(vocab) is <pad>, which the model then does not see.
    """
    inputs, targets = bert_masking(ids, vocab.ids[MASK], len(vocab), generator)
    special = ids <= EOS
    return torch.where(special, ids, inputs), targets.masked_fill(special, IGNORED)


def masked_lm_loss(model: nn.Module, batch: tuple[Tensor, Tensor]) -> Tensor:
    """Mean of -ln P over the tokens that are to be predicted."""
    inputs, targets = batch
    return smoothed_cross_entropy(model(inputs), targets, ignore_index=IGNORED)
# --8<-- [end:masked]


# --8<-- [start:recipe]
CONFIG = replace(
    BERT_BASE,
    vocab_size=2,  # a text sets its own
    num_layers=2,
    d_model=96,
    num_heads=4,
    d_ff=384,
    dropout=0.0,  # with 0.1, the loss began to fall much later
    max_length=LENGTH,
    pad_id=PAD,
)
STEPS = 4000


def learning_rate(step: int) -> float:
    """Up to 0.003 in 100 steps, and from there in a straight line to 0."""
    return 3e-3 * min(step / 100, 1 - step / (STEPS + 1))


def new_trainer(language: str, seed: int) -> Trainer:
    """A model that has not learned anything yet, and all that will teach it."""
    torch.manual_seed(seed)
    own = text_of(language)
    stock = pad([window for line in own.train for window in own.windows(line)])

    def draw_batch(generator: Generator) -> tuple[Tensor, Tensor]:
        chosen = torch.randint(len(stock), (32,), generator=generator)
        return masked(stock[chosen], own.vocab, generator)

    model = BertForMaskedLM(own.config)
    return Trainer(model, masked_lm_loss, draw_batch, learning_rate, seed)
# --8<-- [end:recipe]


# --8<-- [start:fill]
def around(own: Text, line: str, position: int) -> tuple[list[int], int]:
    """Up to LENGTH ids around a character, and where among them it is."""
    stretches = own.windows(line)
    start = min(max(0, position + 1 - LENGTH // 2), len(stretches) - 1)
    return stretches[start], position + 1 - start  # <s> comes first


@torch.no_grad()
def fill(
    model: BertForMaskedLM, own: Text, line: str, positions: list[int]
) -> Tensor:
    """Probabilities at each position, hidden alone: (positions, vocab_size)."""
    found = [around(own, line, position) for position in positions]
    ids = pad([window for window, _ in found])
    gaps = torch.arange(len(found)), torch.tensor([at for _, at in found])
    ids[gaps] = own.vocab.ids[MASK]
    return torch.softmax(model.eval()(ids)[gaps], dim=-1)


def ranks(model: BertForMaskedLM, own: Text, lines: list[str]) -> Tensor:
    """Of each character, hidden alone: how many the model finds more probable."""
    found = []
    for line in lines:
        probabilities = fill(model, own, line, list(range(len(line))))
        ids = torch.tensor(own.vocab.encode(list(line))[:-1]).unsqueeze(1)
        found.append((probabilities > probabilities.gather(1, ids)).sum(dim=1))
    return torch.cat(found)
# --8<-- [end:fill]


# --8<-- [start:trained]
def trained(language: str, seed: int = 0) -> tuple[BertForMaskedLM, dict]:
    """The model after its training, and how that went."""

    def train() -> tuple[dict[str, Tensor], dict]:
        trainer, start = new_trainer(language, seed), time.process_time()
        trainer.run(STEPS)
        seconds = time.process_time() - start
        state = trainer.model.state_dict().items()
        data = {"losses": trainer.losses, "seconds": seconds}
        return {name: x.half() for name, x in state}, data

    name = f"bert-{language}-{seed}"
    state, data = kept(name, "families/constitution_bert", train)
    model = BertForMaskedLM(text_of(language).config)
    model.load_state_dict({name: x.float() for name, x in state.items()})
    return model.eval(), data
# --8<-- [end:trained]
